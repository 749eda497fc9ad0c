package io.rowguard.master;

import io.rowguard.testing.MiniCluster;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.coprocessor.CoprocessorHost;

/** Settings for the cluster of this module's tests. */
public final class MasterCluster implements MiniCluster.Settings {
  /** For the service loader. */
  public MasterCluster() {}

  @Override
  public void apply(Configuration conf) {
    conf.set(CoprocessorHost.MASTER_COPROCESSOR_CONF_KEY, LayoutMasterObserver.class.getName());
    // A daughter can be split again once the files it has compacted are gone: not in two minutes.
    conf.setInt("hbase.hfile.compaction.discharger.interval", 100);
    // By default the normalizer merges no region that is younger than three days, nor small ones.
    conf.setInt("hbase.normalizer.merge.min_region_age.days", 0);
    conf.setInt("hbase.normalizer.merge.min_region_size.mb", 0);
  }
}
