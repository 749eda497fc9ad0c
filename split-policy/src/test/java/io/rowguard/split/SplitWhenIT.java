package io.rowguard.split;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.testing.Eventually;
import io.rowguard.testing.MiniCluster;
import java.lang.reflect.Field;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.UnaryOperator;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.BusyRegionSplitPolicy;
import org.apache.hadoop.hbase.regionserver.DisabledRegionSplitPolicy;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.IncreasingToUpperBoundRegionSplitPolicy;
import org.apache.hadoop.hbase.regionserver.SteppingSplitPolicy;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code rowguard.split.when}: another policy decides when, ours where. */
@ExtendWith(MiniCluster.class)
@Tag("long")
class SplitWhenIT {
  private static final String HBASE = "org.apache.hadoop.hbase.regionserver.";
  private static final String INITIAL_SIZE = "hbase.increasing.policy.initial.size";
  private static final int ROWS = 3_000;

  private final HBaseTestingUtility hbase;

  SplitWhenIT(HBaseTestingUtility hbase) {
    this.hbase = hbase;
  }

  @ParameterizedTest
  @CsvSource({
    "ConstantSizeRegionSplitPolicy, MAX_FILESIZE",
    "IncreasingToUpperBoundRegionSplitPolicy, " + INITIAL_SIZE,
    "SteppingSplitPolicy, " + INITIAL_SIZE,
    "BusyRegionSplitPolicy, " + INITIAL_SIZE,
    ", " + INITIAL_SIZE // none named: HBase's default, which is stepping
  })
  void flush_bigEnoughForThePolicy_splitsByItself(String policy, String sizeKey) throws Exception {
    try (FilledTable table = create(policy, sizeKey, "20000")) {
      NavigableMap<byte[], Long> rows = new TreeMap<>(Bytes.BYTES_COMPARATOR);
      table.puts(ROWS, 1).forEach(put -> rows.put(put.getRow(), 1L));
      HRegion region = table.put(table.puts(ROWS, 1)).region();

      HBaseSplits.flushAsTheServerDoes(hbase, region);

      Eventually.isTrue("two regions of " + table.name, () -> table.regions().size() == 2);
      byte[] boundary = table.regions().get(1).getRegionInfo().getStartKey();
      assertFalse(FilledTable.cutsGroup(rows, boundary));
      assertArrayEquals(boundary, FilledTable.BOUNDARIES.floor(boundary));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "ConstantSizeRegionSplitPolicy, MAX_FILESIZE",
    "IncreasingToUpperBoundRegionSplitPolicy, " + INITIAL_SIZE,
    "SteppingSplitPolicy, " + INITIAL_SIZE,
    "BusyRegionSplitPolicy, " + INITIAL_SIZE,
    ", " + INITIAL_SIZE
  })
  void flush_tooSmallForThePolicy_staysOneRegion(String policy, String sizeKey) throws Exception {
    try (FilledTable table = create(policy, sizeKey, "1000000000")) {
      HRegion region = table.put(table.puts(ROWS, 1)).region();

      HBaseSplits.flushAsTheServerDoes(hbase, region);

      assertTrue(region.checkSplit().isEmpty(), "by itself");
      assertTrue(region.checkSplit(true).isPresent(), "when asked to");
      assertEquals(List.of(region), table.regions());
    }
  }

  /** The difference between the two: how many regions of the table the server has. */
  @Test
  void shouldSplit_twoRegionsOnOneServer_dependsOnThePolicy() throws Exception {
    try (FilledTable stepping = twoRegionsOnOneServer(SteppingSplitPolicy.class);
        FilledTable increasing =
            twoRegionsOnOneServer(IncreasingToUpperBoundRegionSplitPolicy.class)) {
      for (HRegion region : stepping.regions()) {
        assertTrue(region.checkSplit().isEmpty());
      }
      for (HRegion region : increasing.regions()) {
        assertTrue(region.checkSplit().isPresent());
      }
    }
  }

  @Test
  void busy_onceWritesWereBlocked_splits() throws Exception {
    try (FilledTable table =
        FilledTable.create(
            hbase,
            t ->
                sizes(t, BusyRegionSplitPolicy.class.getName(), INITIAL_SIZE, "1000000000")
                    .setValue("hbase.busy.policy.minAge", "0")
                    .setValue("hbase.busy.policy.aggWindow", "1"),
            UnaryOperator.identity())) {
      HRegion region = table.fill(ROWS, 1).region();
      assertTrue(region.checkSplit().isEmpty());

      blockedRequests(region).add(1_000);

      // The policy looks at windows of a millisecond, in which a first question may fall.
      Eventually.isTrue("busy", () -> region.checkSplit().isPresent());
    }
  }

  @Test
  void disabled_anySize_neverSplits() throws Exception {
    try (FilledTable table =
        create(DisabledRegionSplitPolicy.class.getSimpleName(), "MAX_FILESIZE", "20000")) {
      HRegion region = table.put(table.puts(ROWS, 1)).region();

      HBaseSplits.assertNeverSplits(hbase, region, Bytes.toBytes("g20"));
    }
  }

  private FilledTable create(String policy, String sizeKey, String size) throws Exception {
    return FilledTable.create(
        hbase,
        t -> sizes(t, policy == null ? null : HBASE + policy, sizeKey, size),
        UnaryOperator.identity());
  }

  private static TableDescriptorBuilder sizes(
      TableDescriptorBuilder table, String policy, String sizeKey, String size) {
    if (policy == null) {
      table.removeValue(Bytes.toBytes("rowguard.split.when"));
    } else {
      table.setValue("rowguard.split.when", policy);
    }
    return table
        .setValue("hbase.table.sanity.checks", "false") // such small regions are not sane
        .setValue("hbase.hregion.max.filesize.jitter", "0")
        .setValue(sizeKey, size);
  }

  private FilledTable twoRegionsOnOneServer(Class<?> policy) throws Exception {
    FilledTable table =
        FilledTable.create(
            hbase,
            t -> sizes(t, policy.getName(), INITIAL_SIZE, "2000"),
            UnaryOperator.identity(),
            Bytes.toBytes("g10"));
    ServerName server = hbase.getMiniHBaseCluster().getRegionServer(0).getServerName();
    for (HRegion region : table.regions()) {
      if (!HBaseSplits.serverOf(hbase, region).getServerName().equals(server)) {
        hbase.getAdmin().move(region.getRegionInfo().getEncodedNameAsBytes(), server);
      }
    }
    Eventually.isTrue(
        "both regions on one server",
        () -> hbase.getMiniHBaseCluster().getRegionServer(0).getRegions(table.name).size() == 2);
    return table.fill(ROWS, 1);
  }

  /** The count that HBase keeps of writes it blocked since a memstore was full. */
  private static LongAdder blockedRequests(HRegion region) throws ReflectiveOperationException {
    Field field = HRegion.class.getDeclaredField("blockedRequestsCount");
    field.setAccessible(true);
    return (LongAdder) field.get(region);
  }
}
