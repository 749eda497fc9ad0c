package io.rowguard.observer.metrics;

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
public final class WriteMetrics {
  private static final Set<MetricRegistryInfo> KEPT = ConcurrentHashMap.newKeySet();

  private final Counter conforming;
  private final Counter wrongConfiguration;
  private final Counter bareKeysRejected;
  private final Counter forwarded;
  private final Counter forwardsFailed;
  private final Counter forwardsBusy;
  private final Counter forwardsLate;
  private final Counter forwardsArrived;
  private final Counter forwardCalls;
  private final Counter forwardsWaiting;
  private final Counter forwardBytes;
  private final Counter bareReads;
  private final Counter scansRejected;
  private final Counter filesChecked;
  private final Counter filesRejected;
  private final Counter hooksFailed;
  private final Map<Verdict, Counter> rejected = new EnumMap<>(Verdict.class);
  private final Map<Verdict, Counter> accepted = new EnumMap<>(Verdict.class);

  public WriteMetrics(MetricRegistry registry, TableName table) {
    keep(registry);
    String prefix =
        "Namespace_"
            + table.getNamespaceAsString()
            + "_table_"
            + table.getQualifierAsString()
            + "_metric_";
    conforming = registry.counter(prefix + "conforming");
    wrongConfiguration = registry.counter(prefix + "rejected_wrong_configuration");
    bareKeysRejected = registry.counter(prefix + "rejected_bare_key");
    forwarded = registry.counter(prefix + "forwarded");
    forwardsFailed = registry.counter(prefix + "forwarded_failed");
    forwardsBusy = registry.counter(prefix + "forwarded_busy");
    forwardsLate = registry.counter(prefix + "forwarded_late");
    forwardsArrived = registry.counter(prefix + "forwarded_arrived");
    forwardCalls = registry.counter(prefix + "forward_calls");
    forwardsWaiting = registry.counter(prefix + "forwards_waiting");
    forwardBytes = registry.counter(prefix + "forwards_bytes");
    bareReads = registry.counter(prefix + "bare_reads");
    scansRejected = registry.counter(prefix + "rejected_scan");
    filesChecked = registry.counter(prefix + "bulkload_files_checked");
    filesRejected = registry.counter(prefix + "bulkload_files_rejected");
    hooksFailed = registry.counter(prefix + "hook_failed");
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

  /** Counts rows that conformed and that a client wrote. */
  public void conforming(int rows) {
    conforming.increment(rows);
  }

  /** Counts rows that conformed and that a server had salted. */
  public void forwardsArrived(int rows) {
    forwardsArrived.increment(rows);
  }

  /** Counts a row that did not conform. */
  public void violation(Verdict verdict, boolean refused) {
    (refused ? rejected : accepted).get(verdict).increment();
  }

  /** Counts a mutation of a bare key that was refused, since it cannot be salted. */
  public void bareKeyRejected() {
    bareKeysRejected.increment();
  }

  /** Counts mutations of bare keys that were sent on to their salted rows. */
  public void forwarded(int mutations, boolean stored) {
    (stored ? forwarded : forwardsFailed).increment(mutations);
  }

  /** Counts mutations of bare keys that were refused for now, since too much is under way. */
  public void forwardsBusy(int mutations) {
    forwardsBusy.increment(mutations);
  }

  /** Counts mutations of bare keys that were refused for now, since their request took too long. */
  public void forwardsLate(int mutations) {
    forwardsLate.increment(mutations);
  }

  /** Counts one transfer of rows to another server, or to a region of this one. */
  public void forwardCall() {
    forwardCalls.increment();
  }

  /** Adds to the rows that wait for a transfer; negative for less. */
  public void forwardsWaiting(int more) {
    forwardsWaiting.increment(more);
  }

  /** Adds to the bytes that are under way; negative for less. */
  public void forwardBytes(long more) {
    forwardBytes.increment(more);
  }

  /** Counts a Get of a bare key that was sent on to its salted row. */
  public void bareRead() {
    bareReads.increment();
  }

  /** Counts a scan that was refused, since it could find nothing. */
  public void scanRejected() {
    scansRejected.increment();
  }

  /** Counts an HFile of a bulk load that was opened to be checked. */
  public void fileChecked() {
    filesChecked.increment();
  }

  /** Counts an HFile that was refused, and its bulk load with it. */
  public void fileRejected() {
    filesRejected.increment();
  }

  /** Counts a hook that failed, or a write that was refused since the observer could not start. */
  public void hookFailed() {
    hooksFailed.increment();
  }

  /** Counts a write that was refused since the table's configuration is wrong. */
  public void wrongConfiguration() {
    wrongConfiguration.increment();
  }
}
