package io.rowguard.split;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.layout.RowkeyLayout;
import io.rowguard.testing.MiniCluster;
import io.rowguard.testing.WholeOnly;
import io.rowguard.workload.KeySets;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Real tables with real keys, split until their regions are small. The rows alone tell what is
 * legal: a group is what stands before the first {@code |}, and no group may lie in two regions.
 */
@ExtendWith(MiniCluster.class)
@Tag("long")
class RealKeysIT {
  private static final int REGIONS = 8;

  /** Every n-th key of a set. */
  private enum Keys {
    GEONAMES("{country:text(2)}|{admin:text}|{id:digits(8)}", "country", 10),
    SALTED("{salt:digits(2)=murmur3(as)%16}-{as:digits(10)}|{start:hex(8)}", "as", 8),
    IPASN("{as:digits(10)}|{start:hex(8)}", "as", 8),
    JVMCLASSES("{pkg:text}|{class:text}", "pkg", 5);

    final String layout;
    final String group;
    private final int nth;

    Keys(String layout, String group, int nth) {
      this.layout = layout;
      this.group = group;
      this.nth = nth;
    }

    List<byte[]> read() {
      List<byte[]> keys = all();
      List<byte[]> sample = new ArrayList<>();
      for (int i = 0; i < keys.size(); i += nth) {
        sample.add(keys.get(i));
      }
      return sample;
    }

    private List<byte[]> all() {
      switch (this) {
        case GEONAMES:
          return KeySets.geonames();
        case JVMCLASSES:
          return KeySets.jvmclasses();
        case IPASN:
          return KeySets.ipasn();
        default:
          List<byte[]> salted = KeySets.ipasn();
          salted.replaceAll(RowkeyLayout.parse(layout)::complete);
          salted.sort(Bytes.BYTES_COMPARATOR);
          return salted;
      }
    }
  }

  private final HBaseTestingUtility hbase;

  RealKeysIT(HBaseTestingUtility hbase) {
    this.hbase = hbase;
  }

  @WholeOnly(after = 2)
  @ParameterizedTest
  @EnumSource
  void split_tableWithoutAKey_dividesItInTheMiddleAndCutsNoGroup(Keys set) throws Exception {
    List<byte[]> rows = set.read();
    try (FilledTable table = create(set)) {
      fill(table, rows);
      byte[] point = FilledTable.splitPoint(table.region());

      hbase.getAdmin().split(table.name);
      HBaseSplits.waitForRegions(table, 2);

      assertArrayEquals(point, table.regions().get(1).getRegionInfo().getStartKey());
      int below = rowsOf(table.regions().get(0).getRegionInfo(), rows).size();
      assertTrue(below > rows.size() * 0.4 && below < rows.size() * 0.6, below + " rows below");
      assertNoGroupIsCut(table, rows);
    }
  }

  @WholeOnly(after = 2)
  @ParameterizedTest
  @EnumSource
  void split_againAndAgain_leavesNoBigRegionOfSeveralGroups(Keys set) throws Exception {
    List<byte[]> rows = set.read();
    int limit = rows.size() / REGIONS;
    try (FilledTable table = create(set)) {
      fill(table, rows);
      int splits = 0;
      HRegion next = table.region();
      while (next != null) {
        HBaseSplits.split(hbase, table, next);
        assertNoGroupIsCut(table, rows);
        assertTrue(++splits < 10 * REGIONS, "too many splits");
        next = bigRegionOfSeveralGroups(table, rows, limit);
      }

      assertTrue(splits >= REGIONS - 1, "too few splits");
      assertEquals(rows.size(), hbase.countRows(table.name));
    }
  }

  /** The region starts with the group that holds its middle: there HBase's policy gets stuck. */
  @Test
  void split_regionWhoseFirstGroupHoldsTheMiddle_splitsWhereHBaseGetsStuck() throws Exception {
    List<byte[]> rows = Keys.GEONAMES.read();
    rows.removeIf(row -> Bytes.toString(row).compareTo("US") < 0);
    byte[] us = Bytes.toBytes("US");
    UnaryOperator<TableDescriptorBuilder> delimited =
        t ->
            layout(t, Keys.GEONAMES)
                .setRegionSplitPolicyClassName(
                    "org.apache.hadoop.hbase.regionserver.DelimitedKeyPrefixRegionSplitPolicy")
                .setValue("DelimitedKeyPrefixRegionSplitPolicy.delimiter", "|");
    try (FilledTable table = FilledTable.create(hbase, delimited, UnaryOperator.identity(), us)) {
      fill(table, rows);
      HRegion stuck = table.regions().get(1);
      assertArrayEquals(us, FilledTable.splitPoint(stuck));
      byte[] name = stuck.getRegionInfo().getRegionName();
      Throwable refusal =
          assertThrows(
              Throwable.class,
              () -> hbase.getAdmin().splitRegionAsync(name).get(5, TimeUnit.MINUTES));
      assertTrue(refusal.toString().contains("Split row is equal to startkey"), refusal::toString);

      table.alter(t -> t.setRegionSplitPolicyClassName(LayoutRegionSplitPolicy.class.getName()));
      HBaseSplits.split(hbase, table, table.regions().get(1));

      List<byte[]> afterUs = rowsOf(table.regions().get(2).getRegionInfo(), rows);
      assertEquals(3, table.regions().size());
      assertNotEquals("US", group(afterUs.get(0)));
      assertNoGroupIsCut(new ArrayList<>(table.regions()).subList(1, 3), rows);
    }
  }

  private FilledTable create(Keys set) throws IOException {
    return FilledTable.create(
        hbase, t -> layout(t, set).setCompactionEnabled(true), UnaryOperator.identity());
  }

  private static TableDescriptorBuilder layout(TableDescriptorBuilder table, Keys set) {
    return table
        .setValue("rowguard.layout", set.layout)
        .setValue("rowguard.group", set.group)
        .setCompactionEnabled(true);
  }

  private void fill(FilledTable table, List<byte[]> rows) throws IOException {
    try (Table client = hbase.getConnection().getTable(table.name)) {
      for (int from = 0; from < rows.size(); from += 5_000) {
        List<Put> puts = new ArrayList<>();
        for (byte[] row : rows.subList(from, Math.min(from + 5_000, rows.size()))) {
          puts.add(new Put(row).addColumn(FilledTable.F, FilledTable.Q, new byte[8]));
        }
        client.put(puts);
      }
    }
    table.flush();
  }

  private static HRegion bigRegionOfSeveralGroups(FilledTable table, List<byte[]> rows, int limit) {
    for (HRegion region : table.regions()) {
      List<byte[]> here = rowsOf(region.getRegionInfo(), rows);
      if (here.size() > limit && !group(here.get(0)).equals(group(here.get(here.size() - 1)))) {
        return region;
      }
    }
    return null;
  }

  private static void assertNoGroupIsCut(FilledTable table, List<byte[]> rows) {
    assertNoGroupIsCut(table.regions(), rows);
  }

  private static void assertNoGroupIsCut(List<HRegion> regions, List<byte[]> rows) {
    String before = null;
    for (HRegion region : regions) {
      List<byte[]> here = rowsOf(region.getRegionInfo(), rows);
      assertFalse(here.isEmpty(), () -> "no row in " + region);
      assertNotEquals(before, group(here.get(0)));
      before = group(here.get(here.size() - 1));
    }
  }

  /** The rows, of all in order, that lie in a region. */
  private static List<byte[]> rowsOf(RegionInfo region, List<byte[]> rows) {
    int from = place(region.getStartKey(), rows);
    int to = region.getEndKey().length == 0 ? rows.size() : place(region.getEndKey(), rows);
    return rows.subList(from, to);
  }

  private static int place(byte[] key, List<byte[]> rows) {
    int low = 0;
    int high = rows.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (Bytes.compareTo(rows.get(middle), key) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private static String group(byte[] row) {
    String text = Bytes.toStringBinary(row);
    return text.substring(0, text.indexOf('|'));
  }
}
