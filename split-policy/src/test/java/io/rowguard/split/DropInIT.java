package io.rowguard.split;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.testing.Eventually;
import io.rowguard.testing.MiniCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tables configured for HBase's own prefix policies, stuck, then given another class name. */
@ExtendWith(MiniCluster.class)
class DropInIT {
  private static final String HBASE = "org.apache.hadoop.hbase.regionserver.";

  private final HBaseTestingUtility hbase;

  DropInIT(HBaseTestingUtility hbase) {
    this.hbase = hbase;
  }

  @Test
  void alterSplitPolicy_stuckUnderDelimitedKeyPrefix_splits() throws Exception {
    assertSplitsOnceAltered(
        HBASE + "DelimitedKeyPrefixRegionSplitPolicy",
        "DelimitedKeyPrefixRegionSplitPolicy.delimiter",
        "|");
  }

  @Test
  void alterSplitPolicy_stuckUnderKeyPrefix_splits() throws Exception {
    assertSplitsOnceAltered(
        HBASE + "KeyPrefixRegionSplitPolicy", "KeyPrefixRegionSplitPolicy.prefix_length", "1");
  }

  @Test
  void alterSplitPolicy_stuckUnderRestriction_splits() throws Exception {
    assertSplitsOnceAltered(
        HBASE + "ConstantSizeRegionSplitPolicy",
        "hbase.regionserver.region.split_restriction.type",
        "DelimitedKeyPrefix",
        "hbase.regionserver.region.split_restriction.delimiter",
        "|");
  }

  @Test
  void splitPoint_settingsThatContradict_isNone() throws Exception {
    try (FilledTable table =
        FilledTable.create(
            hbase,
            t ->
                withoutLayout(t)
                    .setValue("KeyPrefixRegionSplitPolicy.prefix_length", "1")
                    .setValue("DelimitedKeyPrefixRegionSplitPolicy.delimiter", "|"),
            UnaryOperator.identity())) {
      HRegion region = table.fill(500, 1).region();
      assertNull(FilledTable.splitPoint(region));
      assertFalse(region.isSplittable());
    }
  }

  @Test
  void splitPoint_noLayoutAndNoPrefix_isHBasesOwn() throws Exception {
    try (FilledTable table =
        FilledTable.create(hbase, DropInIT::withoutLayout, UnaryOperator.identity())) {
      HRegion region = table.fill(3000, 2).region();
      byte[] hbasesOwn = region.getStore(FilledTable.F).getSplitPoint().orElseThrow();
      assertArrayEquals(hbasesOwn, FilledTable.splitPoint(region));
    }
  }

  /**
   * The region starts with the group that also holds its middle, so HBase's policies answer the
   * region's start key, which the master refuses.
   */
  private void assertSplitsOnceAltered(String policy, String... settings) throws Exception {
    UnaryOperator<TableDescriptorBuilder> stuck =
        t -> {
          withoutLayout(t).setRegionSplitPolicyClassName(policy);
          for (int i = 0; i < settings.length; i += 2) {
            t.setValue(settings[i], settings[i + 1]);
          }
          return t;
        };
    byte[] start = Bytes.toBytes("m");
    try (FilledTable table = FilledTable.create(hbase, stuck, UnaryOperator.identity(), start)) {
      List<String> rows = new ArrayList<>();
      for (int i = 0; i < 400; i++) {
        rows.add(String.format("m|%08d", i));
      }
      for (int i = 0; i < 100; i++) {
        rows.add(String.format("n|%08d", i));
        rows.add(String.format("o|%08d", i));
      }
      table.put(rows.toArray(new String[0]));
      byte[] theirs = FilledTable.splitPoint(table.flush().regions().get(1));
      assertNotNull(theirs);
      assertArrayEquals(start, theirs);

      Admin admin = hbase.getAdmin();
      table.alter(t -> t.setRegionSplitPolicyClassName(LayoutRegionSplitPolicy.class.getName()));
      HRegion region = table.regions().get(1);
      byte[] ours = FilledTable.splitPoint(region);
      assertNotNull(ours);
      assertTrue(Bytes.compareTo(ours, Bytes.toBytes("m|99999999")) > 0, Bytes.toString(ours));
      assertTrue(Bytes.compareTo(ours, Bytes.toBytes("n|00000000")) <= 0, Bytes.toString(ours));

      admin.splitRegionAsync(region.getRegionInfo().getRegionName()).get();
      Eventually.isTrue("three regions", () -> table.regions().size() == 3);
      assertEquals(3, admin.getRegions(table.name).size());
    }
  }

  private static TableDescriptorBuilder withoutLayout(TableDescriptorBuilder table) {
    return table
        .removeValue(Bytes.toBytes("rowguard.layout"))
        .removeValue(Bytes.toBytes("rowguard.group"));
  }
}
