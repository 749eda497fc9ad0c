package io.rowguard.tools;

import io.rowguard.testing.MiniCluster;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;

/**
 * Settings for the cluster of this module's tests: servers show their pages, to this machine only.
 * There is no master observer, so tables can be as wrong as they come.
 */
public final class ToolsCluster implements MiniCluster.Settings {
  /** For the service loader. */
  public ToolsCluster() {}

  @Override
  public void apply(Configuration conf) {
    conf.setInt(HConstants.MASTER_INFO_PORT, 0);
    conf.setInt(HConstants.REGIONSERVER_INFO_PORT, 0);
    conf.set("hbase.master.info.bindAddress", HConstants.LOCALHOST_IP);
    conf.set("hbase.regionserver.info.bindAddress", HConstants.LOCALHOST_IP);
    // A parent that has been split is cleared away, and a daughter can be split, without waiting.
    conf.setInt("hbase.hfile.compaction.discharger.interval", 100);
  }
}
