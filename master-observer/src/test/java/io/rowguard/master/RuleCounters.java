package io.rowguard.master;

import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.hbase.metrics.Counter;
import org.apache.hadoop.hbase.metrics.Metric;
import org.apache.hadoop.hbase.metrics.MetricRegistries;
import org.apache.hadoop.hbase.metrics.MetricRegistry;

/** The observer's counts since a moment, read from HBase's registry. */
final class RuleCounters {
  private static final String NAME =
      "Coprocessor.Master.CP_" + LayoutMasterObserver.class.getName();

  private final Map<String, Long> start = all();

  /** From now on. */
  RuleCounters() {}

  /** The counters that have moved, such as {@code refused_layout_changed}, and by how much. */
  Map<String, Long> moved() {
    Map<String, Long> moved = new TreeMap<>();
    all()
        .forEach(
            (name, count) -> {
              long more = count - start.getOrDefault(name, 0L);
              if (more != 0) {
                moved.put(name, more);
              }
            });
    return moved;
  }

  /** The value of a counter. */
  static long count(String name) {
    return all().get(name);
  }

  private static Map<String, Long> all() {
    MetricRegistry registry =
        MetricRegistries.global().getMetricRegistries().stream()
            .filter(each -> each.getMetricRegistryInfo().getMetricsName().equals(NAME))
            .findFirst()
            .orElseThrow();
    Map<String, Long> counters = new TreeMap<>();
    for (Map.Entry<String, Metric> metric : registry.getMetrics().entrySet()) {
      counters.put(metric.getKey(), ((Counter) metric.getValue()).getCount());
    }
    return counters;
  }
}
