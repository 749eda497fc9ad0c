package io.rowguard.observer;

import io.rowguard.layout.Verdict;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.metrics.Counter;
import org.apache.hadoop.hbase.metrics.MetricRegistries;
import org.apache.hadoop.hbase.metrics.MetricRegistry;
import org.apache.hadoop.hbase.metrics.MetricRegistryInfo;

/**
 * Counts writes to one table on one region server, in the registry that HBase keeps for the
 * coprocessor and shows over JMX. Thread-safe.
 *
 * <p>Names follow HBase's own per-table metrics: {@code
 * Namespace_default_table_orders_metric_rejected_wrong_salt}. All regions of a table share the
 * counters, so they survive moves of single regions.
 */
final class WriteMetrics {
  private static final Set<MetricRegistryInfo> KEPT = ConcurrentHashMap.newKeySet();

  private final Counter conforming;
  private final Counter wrongConfiguration;
  private final Map<Verdict, Counter> rejected = new EnumMap<>(Verdict.class);
  private final Map<Verdict, Counter> accepted = new EnumMap<>(Verdict.class);

  WriteMetrics(MetricRegistry registry, TableName table) {
    keep(registry);
    String prefix =
        "Namespace_"
            + table.getNamespaceAsString()
            + "_table_"
            + table.getQualifierAsString()
            + "_metric_";
    conforming = registry.counter(prefix + "conforming");
    wrongConfiguration = registry.counter(prefix + "rejected_wrong_configuration");
    for (Verdict verdict : Verdict.values()) {
      if (verdict != Verdict.CONFORMS) {
        String code = verdict.name().toLowerCase(Locale.ROOT);
        rejected.put(verdict, registry.counter(prefix + "rejected_" + code));
        accepted.put(verdict, registry.counter(prefix + "accepted_" + code));
      }
    }
  }

  /**
   * Holds the registry for the life of the server. HBase drops it with the last region that uses it
   * and makes another for the next one, but goes on showing the old object under their common name
   * ({@code GlobalMetricRegistriesAdapter}): a table of one region would be frozen by an alter.
   */
  private static void keep(MetricRegistry registry) {
    MetricRegistryInfo info = registry.getMetricRegistryInfo();
    if (KEPT.add(info)) {
      MetricRegistries.global().create(info);
    }
  }

  /** A row conformed. */
  void conforming() {
    conforming.increment();
  }

  /** A row did not conform. */
  void violation(Verdict verdict, boolean refused) {
    (refused ? rejected : accepted).get(verdict).increment();
  }

  /** A write was refused since the table's configuration is wrong. */
  void wrongConfiguration() {
    wrongConfiguration.increment();
  }
}
