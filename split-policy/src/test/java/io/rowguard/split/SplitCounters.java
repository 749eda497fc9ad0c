package io.rowguard.split;

import org.apache.hadoop.hbase.metrics.Counter;
import org.apache.hadoop.hbase.metrics.MetricRegistries;

/** The policy's counts, read from HBase's registry. */
final class SplitCounters {
  private SplitCounters() {}

  /** The value of a counter. */
  static long count(String name) {
    SplitMetrics.get(); // which makes the registry
    return MetricRegistries.global().getMetricRegistries().stream()
        .filter(
            registry -> registry.getMetricRegistryInfo().getMetricsName().equals("RowguardSplits"))
        .mapToLong(registry -> ((Counter) registry.get(name).orElseThrow()).getCount())
        .sum();
  }
}
