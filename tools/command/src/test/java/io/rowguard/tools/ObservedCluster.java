package io.rowguard.tools;

import io.rowguard.testing.MiniCluster;
import io.rowguard.testing.TestLog;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.StartMiniClusterOption;

/**
 * A cluster of its own whose master has loaded the master observer, as clusters should: steps of a
 * relayout are judged there. It ends with the JVM.
 */
public final class ObservedCluster {
  private static final int REGION_SERVERS = 2;

  private static HBaseTestingUtility running;

  private ObservedCluster() {}

  /** The cluster, started by whoever asks first. */
  public static synchronized HBaseTestingUtility running() {
    if (running == null) {
      running = start();
    }
    return running;
  }

  private static HBaseTestingUtility start() {
    HBaseTestingUtility hbase = new HBaseTestingUtility();
    MiniCluster.removeInTheEnd(hbase);
    Configuration conf = hbase.getConfiguration();
    MiniCluster.makeSmallAndQuick(conf);
    new ToolsCluster().apply(conf);
    conf.set("hbase.coprocessor.master.classes", "io.rowguard.master.LayoutMasterObserver");
    try {
      hbase.startMiniZKCluster();
      hbase.startMiniHBaseCluster(
          StartMiniClusterOption.builder().numRegionServers(REGION_SERVERS).build());
      MiniCluster.letRegionsStay(hbase);
    } catch (Exception e) {
      throw new IllegalStateException("The cluster did not start; see " + TestLog.path(), e);
    }
    return hbase;
  }
}
