package io.rowguard.observer;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.coprocessor.MetricsCoprocessor;
import org.apache.hadoop.hbase.metrics.Counter;
import org.apache.hadoop.hbase.metrics.Metric;
import org.apache.hadoop.hbase.metrics.MetricRegistries;
import org.apache.hadoop.hbase.metrics.MetricRegistry;

/** The observer's counts, read from HBase's registry without the delay of JMX. */
final class Counters {
  private Counters() {}

  /** The counters of a table that are not zero, such as {@code rejected_not_digits}. */
  static Map<String, Long> of(TableName table) {
    Map<String, Long> counters = all(table);
    counters.values().removeIf(count -> count == 0);
    return counters;
  }

  /** The names of all counters of a table. */
  static Set<String> namesOf(TableName table) {
    return all(table).keySet();
  }

  /** HBase's registry for the observer, for all servers of this JVM. */
  static MetricRegistry registry() {
    return MetricRegistries.global()
        .get(
            MetricsCoprocessor.createRegistryInfoForRegionCoprocessor(
                LayoutRegionObserver.class.getName()))
        .orElseThrow();
  }

  private static Map<String, Long> all(TableName table) {
    MetricRegistry registry = registry();
    String prefix =
        String.format(
            "Namespace_%s_table_%s_metric_",
            table.getNamespaceAsString(), table.getQualifierAsString());
    Map<String, Long> counters = new TreeMap<>();
    for (Map.Entry<String, Metric> metric : registry.getMetrics().entrySet()) {
      if (metric.getKey().startsWith(prefix) && metric.getValue() instanceof Counter) {
        counters.put(
            metric.getKey().substring(prefix.length()), ((Counter) metric.getValue()).getCount());
      }
    }
    return counters;
  }
}
