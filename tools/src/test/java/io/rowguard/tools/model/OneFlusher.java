package io.rowguard.tools.model;

import io.rowguard.testing.MiniCluster;
import org.apache.hadoop.conf.Configuration;

/** One flusher per server: when it takes up a flush, the one before is over with all it entails. */
public final class OneFlusher implements MiniCluster.Settings {
  /** For the service loader. */
  public OneFlusher() {}

  @Override
  public void apply(Configuration conf) {
    conf.setInt("hbase.hstore.flusher.count", 1);
  }
}
