package io.rowguard.client;

import io.rowguard.testing.MiniCluster;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;

/** Leases of scanners outlast every test, so that one that nobody closes is seen. */
public final class LongLeases implements MiniCluster.Settings {
  @Override
  public void apply(Configuration conf) {
    conf.setInt(HConstants.HBASE_CLIENT_SCANNER_TIMEOUT_PERIOD, 900_000);
  }
}
