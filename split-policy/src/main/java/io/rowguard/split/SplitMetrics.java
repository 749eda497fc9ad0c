package io.rowguard.split;

import org.apache.hadoop.hbase.metrics.Counter;
import org.apache.hadoop.hbase.metrics.MetricRegistries;
import org.apache.hadoop.hbase.metrics.MetricRegistry;
import org.apache.hadoop.hbase.metrics.MetricRegistryInfo;

/**
 * Counts, per region server, what an operator should look into. Shown over JMX as {@code
 * Hadoop:service=HBase,name=RegionServer,sub=RowguardSplits}. Thread-safe.
 */
final class SplitMetrics {
  private static final SplitMetrics INSTANCE = new SplitMetrics();

  private final Counter unsplittable;
  private final Counter wrongConfiguration;
  private final Counter failed;

  private SplitMetrics() {
    MetricRegistryInfo info =
        new MetricRegistryInfo(
            "RowguardSplits",
            "Metrics of Rowguard's split policy",
            "RegionServer,sub=RowguardSplits",
            "regionserver",
            false);
    MetricRegistry registry = MetricRegistries.global().create(info);
    unsplittable = registry.counter("unsplittableRegions");
    wrongConfiguration = registry.counter("wronglyConfiguredRegions");
    failed = registry.counter("failedRegions");
  }

  static SplitMetrics get() {
    return INSTANCE;
  }

  /** A region was found that no legal boundary divides; once per opened region. */
  void unsplittable() {
    unsplittable.increment();
  }

  /** A region was opened that does not split since its configuration is wrong. */
  void wrongConfiguration() {
    wrongConfiguration.increment();
  }

  /** A region does not split since the policy failed; once per opened region. */
  void failed() {
    failed.increment();
  }
}
