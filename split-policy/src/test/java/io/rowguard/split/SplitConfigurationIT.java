package io.rowguard.split;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.testing.MiniCluster;
import java.util.function.UnaryOperator;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.RegionSplitPolicy;
import org.apache.hadoop.hbase.regionserver.SplitPolicyAccess;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Wrong configuration, as far as it concerns splits: the region opens, takes rows and gives them
 * back, does not split even when asked to, and splits once the table is mended.
 */
@ExtendWith(MiniCluster.class)
@Tag("long")
class SplitConfigurationIT {
  private static final int ROWS = 2_000;

  private final HBaseTestingUtility hbase;

  SplitConfigurationIT(HBaseTestingUtility hbase) {
    this.hbase = hbase;
  }

  /** A policy that cannot be made. */
  public static final class Unmakable extends RegionSplitPolicy {
    /** For HBase. */
    public Unmakable() {
      throw new IllegalStateException("cannot be made");
    }

    @Override
    protected boolean shouldSplit() {
      return true;
    }
  }

  /** A policy that cannot be configured. */
  public static final class Unconfigurable extends RegionSplitPolicy {
    /** For HBase. */
    public Unconfigurable() {}

    @Override
    protected void configureForRegion(HRegion region) {
      throw new IllegalStateException("cannot be configured");
    }

    @Override
    protected boolean shouldSplit() {
      return true;
    }
  }

  /** A policy whose class cannot be initialized, as one that misses another class or a file. */
  public static final class Uninitializable extends RegionSplitPolicy {
    static final int LIMIT = Integer.parseInt("no number");

    /** For HBase. */
    public Uninitializable() {}

    @Override
    protected boolean shouldSplit() {
      return LIMIT > 0;
    }
  }

  @ParameterizedTest
  @CsvSource({
    "rowguard.layout, '{group:wrod}', '{group:word}|{id:digits(8)}'",
    "rowguard.group, country, group",
    "rowguard.mode, rejekt, reject",
    "rowguard.layuot, '{a:text}',",
    "rowguard.row.max.length, 0, 100",
    "rowguard.split.when, org.example.NoSuchPolicy,",
    "rowguard.split.when, java.lang.String,",
    "rowguard.split.when, org.apache.hadoop.hbase.regionserver.RegionSplitPolicy,",
    "rowguard.split.when, io.rowguard.split.LayoutRegionSplitPolicy,",
    "rowguard.split.when, io.rowguard.split.SplitConfigurationIT$Unmakable,",
    "rowguard.split.when, io.rowguard.split.SplitConfigurationIT$Unconfigurable,"
  })
  void configuration_wrong_readsButNeverSplitsUntilMended(String key, String wrong, String right)
      throws Exception {
    long before = SplitCounters.count("wronglyConfiguredRegions");
    try (FilledTable table =
        FilledTable.create(hbase, t -> t.setValue(key, wrong), UnaryOperator.identity())) {
      assertEquals(before + 1, SplitCounters.count("wronglyConfiguredRegions"));
      HRegion region = table.put(table.puts(ROWS, 1)).region();
      assertReads(table, "g00|00000042");

      HBaseSplits.assertNeverSplits(hbase, region, Bytes.toBytes("g20"));
      assertReads(table, "g00|00000043");

      table.alter(t -> t.setValue(key, right).setCompactionEnabled(true));
      HBaseSplits.split(hbase, table, table.region());
      byte[] boundary = table.regions().get(1).getRegionInfo().getStartKey();
      assertArrayEquals(boundary, FilledTable.BOUNDARIES.floor(boundary));
    }
  }

  /** The mode concerns writes only: what the groups are is as unknown as before. */
  @Test
  void configuration_wrongInModeOff_neverSplits() throws Exception {
    try (FilledTable table =
        FilledTable.create(
            hbase,
            t -> t.setValue("rowguard.group", "country").setValue("rowguard.mode", "off"),
            UnaryOperator.identity())) {
      HRegion region = table.put(table.puts(ROWS, 1)).region();

      HBaseSplits.assertNeverSplits(hbase, region, Bytes.toBytes("g20"));
    }
  }

  /** Where an ordinary key of a family is expected, nothing reads it. */
  @Test
  void configuration_onAColumnFamily_neverSplits() throws Exception {
    try (FilledTable table =
        FilledTable.create(
            hbase, UnaryOperator.identity(), f -> f.setConfiguration("rowguard.group", "group"))) {
      HRegion region = table.put(table.puts(ROWS, 1)).region();

      HBaseSplits.assertNeverSplits(hbase, region, Bytes.toBytes("g20"));
    }
  }

  /**
   * Asked directly: a region that cannot be opened would hold up the whole cluster of the tests.
   */
  @Test
  void configureForRegion_classThatCannotBeInitialized_doesNotFailTheOpen() throws Exception {
    try (FilledTable table =
        FilledTable.create(
            hbase,
            t -> t.removeValue(Bytes.toBytes("rowguard.split.when")),
            UnaryOperator.identity())) {
      HRegion region = table.fill(1_000, 1).region();
      Configuration conf = new Configuration(region.getReadOnlyConfiguration());
      conf.set("rowguard.split.when", Uninitializable.class.getName());
      LayoutRegionSplitPolicy policy = new LayoutRegionSplitPolicy();
      policy.setConf(conf);

      assertDoesNotThrow(() -> SplitPolicyAccess.configureForRegion(policy, region));

      assertNull(SplitPolicyAccess.getSplitPoint(policy));
      assertFalse(SplitPolicyAccess.shouldSplit(policy));
      assertFalse(SplitPolicyAccess.canSplit(policy));
    }
  }

  /** The cluster of these tests has the policy in its hbase-site.xml. */
  @Test
  void site_policyForAllTables_cutsNoGroupOfATableWithALayout() throws Exception {
    try (FilledTable table =
        FilledTable.create(hbase, SplitConfigurationIT::withoutPolicy, UnaryOperator.identity())) {
      HRegion region = table.fill(ROWS, 1).region();
      byte[] point = FilledTable.splitPoint(region);

      assertArrayEquals(point, FilledTable.BOUNDARIES.floor(point));
      assertFalse(FilledTable.cutsGroup(FilledTable.bytesByRow(region), point));
    }
  }

  @Test
  void site_policyForAllTables_isHBasesDefaultForATableWithoutLayout() throws Exception {
    UnaryOperator<TableDescriptorBuilder> nothing =
        t ->
            withoutPolicy(t)
                .removeValue(Bytes.toBytes("rowguard.layout"))
                .removeValue(Bytes.toBytes("rowguard.group"))
                .removeValue(Bytes.toBytes("rowguard.split.when"))
                .setValue("hbase.increasing.policy.initial.size", "50000");
    UnaryOperator<TableDescriptorBuilder> stepping =
        t ->
            nothing
                .apply(t)
                .setRegionSplitPolicyClassName(
                    "org.apache.hadoop.hbase.regionserver.SteppingSplitPolicy");
    try (FilledTable ours = FilledTable.create(hbase, nothing, UnaryOperator.identity());
        FilledTable theirs = FilledTable.create(hbase, stepping, UnaryOperator.identity())) {
      for (int rows : new int[] {100, 2_000}) {
        byte[] ourPoint = ours.fill(rows, rows).region().checkSplit().orElse(null);
        byte[] theirPoint = theirs.fill(rows, rows).region().checkSplit().orElse(null);

        assertArrayEquals(theirPoint, ourPoint);
        assertEquals(rows == 100, ourPoint == null);
        assertArrayEquals(
            theirs.region().checkSplit(true).orElseThrow(),
            ours.region().checkSplit(true).orElseThrow());
      }
    }
  }

  @Test
  void site_policyForAllTables_doesNotSplitSystemTables() {
    for (HRegion region : hbase.getMiniHBaseCluster().getRegions(TableName.META_TABLE_NAME)) {
      assertNull(region.checkSplit(true).orElse(null));
      assertFalse(region.isSplittable());
    }
  }

  private static TableDescriptorBuilder withoutPolicy(TableDescriptorBuilder table) {
    return table.removeValue(Bytes.toBytes(TableDescriptorBuilder.SPLIT_POLICY));
  }

  private void assertReads(FilledTable table, String row) throws Exception {
    try (Table client = hbase.getConnection().getTable(table.name)) {
      byte[] key = Bytes.toBytes(row);
      client.put(new Put(key).addColumn(FilledTable.F, FilledTable.Q, key));
      assertTrue(client.exists(new Get(key)));
    }
  }
}
