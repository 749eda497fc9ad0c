package io.rowguard.split;

import io.rowguard.testing.MiniCluster;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;

/** Settings for the cluster of this module's tests. */
public final class SplitCluster implements MiniCluster.Settings {
  /** For the service loader. */
  public SplitCluster() {}

  @Override
  public void apply(Configuration conf) {
    // Tables that name no SPLIT_POLICY, system tables too, live under ours as well: there it must
    // not delegate to itself.
    conf.set(HConstants.HBASE_REGION_SPLIT_POLICY_KEY, LayoutRegionSplitPolicy.class.getName());
    // A daughter can be split again once the files it has compacted are gone: not in two minutes.
    conf.setInt("hbase.hfile.compaction.discharger.interval", 100);
  }
}
