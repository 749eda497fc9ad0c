package io.rowguard.testing;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.MiniHBaseCluster.MiniHBaseClusterRegionServer;

/**
 * A region server that remembers for a second where its regions went. HBase's own remembers it for
 * two minutes, also when a region has come back to it and was split since, and sends clients there
 * for as long (hbase-facts.md). In a test's minute regions come and go as often as in a month.
 */
public final class ForgetfulRegionServer extends MiniHBaseClusterRegionServer {

  /** As HBase calls it. */
  public ForgetfulRegionServer(Configuration conf) throws IOException, InterruptedException {
    super(conf);
  }

  /** In milliseconds. Is called by the constructor of HBase's class. */
  @Override
  public int movedRegionCacheExpiredTime() {
    return 1_000;
  }
}
