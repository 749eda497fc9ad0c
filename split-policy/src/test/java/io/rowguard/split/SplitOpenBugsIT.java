package io.rowguard.split;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.rowguard.testing.MiniCluster;
import java.util.function.UnaryOperator;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.RegionSplitPolicy;
import org.apache.hadoop.hbase.regionserver.SplitPolicyAccess;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** KNOWN TO FAIL: a class in rowguard.split.when that cannot be linked or initialized. */
@ExtendWith(MiniCluster.class)
class SplitOpenBugsIT {
  private final HBaseTestingUtility hbase;

  SplitOpenBugsIT(HBaseTestingUtility hbase) {
    this.hbase = hbase;
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
}
