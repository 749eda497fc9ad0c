package io.rowguard.model;

import io.rowguard.testing.MiniCluster;
import org.apache.hadoop.conf.Configuration;

/**
 * Settings that a {@link RealTable} relies on: its cluster does one thing after the other, and at
 * once.
 */
public final class ModelCluster implements MiniCluster.Settings {
  /** For the service loader. */
  public ModelCluster() {}

  @Override
  public void apply(Configuration conf) {
    // A parent that has been split is cleared away, and a daughter can be split, without waiting.
    conf.setInt("hbase.hfile.compaction.discharger.interval", 100);
    // When the one flusher takes up a flush, the one before is over with all it entails.
    conf.setInt("hbase.hstore.flusher.count", 1);
  }
}
