package io.rowguard.testing;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;

/**
 * The settings that every HBase in one JVM needs, in tests and where times are measured: out of
 * reach of other machines, on the local file system, and with servers and clients that notice each
 * other soon.
 */
public final class LocalCluster {
  private LocalCluster() {}

  /**
   * Sets it.
   *
   * @param conf of a cluster that is about to start
   */
  public static void configure(Configuration conf) {
    // No web pages, and nothing that another machine could reach.
    conf.setInt(HConstants.MASTER_INFO_PORT, -1);
    conf.setInt(HConstants.REGIONSERVER_INFO_PORT, -1);
    for (String server : new String[] {"master", "regionserver"}) {
      conf.set("hbase." + server + ".ipc.address", HConstants.LOCALHOST_IP);
    }
    conf.set("hbase.master.hostname", HConstants.LOCALHOST);
    conf.set("hbase.unsafe.regionserver.hostname", HConstants.LOCALHOST);
    // The local file system has no append; a lost write-ahead log is no loss here.
    conf.setBoolean("hbase.unsafe.stream.capability.enforce", false);
    // By default servers report every three seconds. For a report each handler's last request is
    // put into words (TaskMonitor.getTasks), so ten a second take a tenth of the processor time.
    conf.setInt("hbase.regionserver.msginterval", 500);
    conf.setLong(HConstants.HBASE_CLIENT_PAUSE, 50);
  }
}
