package io.rowguard.client;

import io.rowguard.testing.ForgetfulRegionServer;
import io.rowguard.testing.MiniCluster;
import io.rowguard.testing.TestLog;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.StartMiniClusterOption;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.util.JVMClusterUtil.RegionServerThread;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;

/**
 * Three region servers on HDFS, beside the cluster that other tests share: what a server has
 * written to its log outlives it, so it can be killed.
 */
final class LiveCluster {
  static final int SERVERS = 3;

  private final HBaseTestingUtility hbase = new HBaseTestingUtility();
  private final Connection patient;

  LiveCluster() {
    MiniCluster.removeInTheEnd(hbase);
    try {
      Configuration conf = hbase.getConfiguration();
      MiniCluster.makeSmallAndQuick(conf);
      conf.setBoolean("hbase.unsafe.stream.capability.enforce", true);
      conf.setInt("dfs.replication", 1);
      conf.setInt("hbase.hfile.compaction.discharger.interval", 1_000);
      conf.setInt(HConstants.HBASE_CLIENT_SCANNER_TIMEOUT_PERIOD, 300_000);
      hbase.startMiniCluster(
          StartMiniClusterOption.builder()
              .numRegionServers(SERVERS)
              .rsClass(ForgetfulRegionServer.class)
              .numDataNodes(1)
              .build());
      // HDFS' servers put their name on what all of this JVM shows over JMX; the last one counts.
      DefaultMetricsSystem.initialize("HBase");
      MiniCluster.letRegionsStay(hbase);
      patient = ConnectionFactory.createConnection(patientConf());
    } catch (Exception e) {
      throw new IllegalStateException("The live cluster did not start; see " + TestLog.path(), e);
    }
  }

  HBaseTestingUtility hbase() {
    return hbase;
  }

  /** Goes on while a server is being replaced. Its calls may be carried out twice. */
  Connection patient() {
    return patient;
  }

  /** Of connections that go on while a server is being replaced. */
  Configuration patientConf() {
    return conf(50);
  }

  /**
   * Of connections whose mutations are sent once: whoever has them fail knows whether they may have
   * been carried out.
   */
  Configuration exactConf() {
    return conf(0);
  }

  private Configuration conf(int retries) {
    Configuration conf = new Configuration(hbase.getConfiguration());
    conf.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, retries);
    conf.setInt(HConstants.HBASE_CLIENT_OPERATION_TIMEOUT, 120_000);
    conf.setInt(HConstants.HBASE_CLIENT_META_OPERATION_TIMEOUT, 120_000);
    return conf;
  }

  /** Those that have not been killed, nor are about to die. */
  List<RegionServerThread> servers() {
    return hbase.getMiniHBaseCluster().getLiveRegionServerThreads().stream()
        .filter(thread -> !thread.getRegionServer().isAborted())
        .filter(thread -> !thread.getRegionServer().isStopped())
        .toList();
  }

  void close() throws Exception {
    patient.close();
    hbase.shutdownMiniCluster();
  }
}
