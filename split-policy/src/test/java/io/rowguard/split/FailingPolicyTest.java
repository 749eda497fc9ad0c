package io.rowguard.split;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.RegionSplitPolicy;
import org.apache.hadoop.hbase.regionserver.SplitPolicyAccess;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the policy answers when it cannot do its work, as on a version of HBase that misses a
 * method: an error would end the server's thread that flushes.
 */
class FailingPolicyTest {
  private static final TableName ORDERS = TableName.valueOf("orders");

  @TempDir private java.nio.file.Path directory;
  private final Configuration conf = HBaseConfiguration.create();

  /** A policy that misses a method of HBase whatever it is asked. */
  public static final class Outdated extends RegionSplitPolicy {
    /** For HBase. */
    public Outdated() {}

    @Override
    protected boolean shouldSplit() {
      throw new NoSuchMethodError("gone");
    }

    @Override
    protected boolean canSplit() {
      throw new NoSuchMethodError("gone");
    }

    @Override
    protected byte[] getSplitPoint() {
      throw new NoSuchMethodError("gone");
    }
  }

  /** A region of which a method is missing. */
  private static final class OutdatedRegion extends HRegion {
    private final boolean hasDescriptor;

    @SuppressWarnings("deprecation") // HBase has it for tests
    OutdatedRegion(
        Path directory, FileSystem fs, Configuration conf, TableDescriptor table, boolean has) {
      super(directory, null, fs, conf, RegionInfoBuilder.newBuilder(ORDERS).build(), table, null);
      this.hasDescriptor = has;
    }

    @Override
    public List<HStore> getStores() {
      throw new NoSuchMethodError("getStores");
    }

    @Override
    public TableDescriptor getTableDescriptor() {
      if (!hasDescriptor) {
        throw new NoSuchMethodError("getTableDescriptor");
      }
      return super.getTableDescriptor();
    }
  }

  @Test
  void getSplitPoint_methodOfTheRegionMissing_isNullAndCountedOnce() throws IOException {
    long before = SplitCounters.count("failedRegions");
    LayoutRegionSplitPolicy policy = configured(true, "rowguard.layout", "{id:hex(8)}");

    for (int i = 0; i < 3; i++) {
      assertNull(SplitPolicyAccess.getSplitPoint(policy));
    }

    assertEquals(before + 1, SplitCounters.count("failedRegions"));
  }

  @Test
  void policy_whenMissesAMethod_neverSplits() throws IOException {
    long before = SplitCounters.count("failedRegions");
    LayoutRegionSplitPolicy policy =
        configured(true, "rowguard.split.when", Outdated.class.getName());

    assertFalse(SplitPolicyAccess.shouldSplit(policy));
    assertFalse(SplitPolicyAccess.canSplit(policy));
    assertNull(SplitPolicyAccess.getSplitPoint(policy));
    assertEquals(before + 1, SplitCounters.count("failedRegions"));
  }

  @Test
  void configureForRegion_methodMissing_neverSplits() throws IOException {
    long before = SplitCounters.count("failedRegions");
    LayoutRegionSplitPolicy policy = configured(false, "rowguard.layout", "{id:hex(8)}");

    assertFalse(SplitPolicyAccess.shouldSplit(policy));
    assertFalse(SplitPolicyAccess.canSplit(policy));
    assertNull(SplitPolicyAccess.getSplitPoint(policy));
    assertEquals(before + 1, SplitCounters.count("failedRegions"));
  }

  private LayoutRegionSplitPolicy configured(boolean hasDescriptor, String key, String value)
      throws IOException {
    TableDescriptor table = TableDescriptorBuilder.newBuilder(ORDERS).setValue(key, value).build();
    HRegion region =
        new OutdatedRegion(
            new Path(directory.toString()), FileSystem.getLocal(conf), conf, table, hasDescriptor);
    LayoutRegionSplitPolicy policy = new LayoutRegionSplitPolicy();
    policy.setConf(conf);
    SplitPolicyAccess.configureForRegion(policy, region);
    return policy;
  }
}
