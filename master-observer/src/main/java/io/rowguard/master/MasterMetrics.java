package io.rowguard.master;

import java.util.EnumMap;
import java.util.Map;
import org.apache.hadoop.hbase.metrics.Counter;
import org.apache.hadoop.hbase.metrics.MetricRegistry;

/**
 * Counts what was refused, let through by force and warned about, by rule, in the registry that
 * HBase keeps for the coprocessor and shows over JMX. Thread-safe.
 */
final class MasterMetrics {
  private final Map<Rule, Counter> refused = new EnumMap<>(Rule.class);
  private final Map<Rule, Counter> forced = new EnumMap<>(Rule.class);
  private final Map<Rule, Counter> warned = new EnumMap<>(Rule.class);
  private final Counter failed;

  MasterMetrics(MetricRegistry registry) {
    for (Rule rule : Rule.values()) {
      if (rule.refuses()) {
        refused.put(rule, registry.counter("refused_" + rule.code()));
        forced.put(rule, registry.counter("forced_" + rule.code()));
      }
      warned.put(rule, registry.counter("warned_" + rule.code()));
    }
    failed = registry.counter("failed_checks");
  }

  void refused(Rule rule) {
    refused.get(rule).increment();
  }

  void forced(Rule rule) {
    forced.get(rule).increment();
  }

  void warned(Rule rule) {
    warned.get(rule).increment();
  }

  /** A check ended in an error of its own. */
  void failed() {
    failed.increment();
  }
}
