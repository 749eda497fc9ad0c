package io.rowguard.observer.relayout;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.metrics.Counter;
import org.apache.hadoop.hbase.metrics.Gauge;
import org.apache.hadoop.hbase.metrics.MetricRegistry;

/**
 * Counts what becomes of a table's relayout on one region server. All regions of the table share
 * the counters. Thread-safe.
 */
public final class RelayoutMetrics {
  private static final Map<String, AtomicLong> LONGEST = new ConcurrentHashMap<>();

  private final Counter pulledByWrite;
  private final Counter pulledByTouch;
  private final Counter leftoversRemoved;
  private final Counter waited;
  private final Counter failed;
  private final Counter stale;
  private final AtomicLong longestMillis;

  /**
   * Those of a table, made where there are none.
   *
   * @param server tells servers in one JVM apart
   * @param registry one that is kept
   */
  public RelayoutMetrics(MetricRegistry registry, TableName table, Object server) {
    String prefix =
        "Namespace_"
            + table.getNamespaceAsString()
            + "_table_"
            + table.getQualifierAsString()
            + "_metric_relayout_";
    pulledByWrite = registry.counter(prefix + "pulled_by_write");
    pulledByTouch = registry.counter(prefix + "pulled_by_touch");
    leftoversRemoved = registry.counter(prefix + "leftovers_removed");
    waited = registry.counter(prefix + "pulls_waited");
    failed = registry.counter(prefix + "pulls_failed");
    stale = registry.counter(prefix + "stale_requests");
    AtomicLong longest = LONGEST.computeIfAbsent(server + "/" + table, key -> new AtomicLong());
    longestMillis = longest;
    registry.register(prefix + "longest_block_millis", (Gauge<Long>) longest::get);
  }

  /** Rows were pulled that had something to pull. */
  void moved(int rows, boolean byTouch) {
    (byTouch ? pulledByTouch : pulledByWrite).increment(rows);
  }

  /** Old rows were removed that had been copied before. */
  void leftoversRemoved(int rows) {
    leftoversRemoved.increment(rows);
  }

  /** A pull waited for another one, or for the clock. */
  void waited() {
    waited.increment();
  }

  /** Rows could not be pulled, for now. */
  void failed(int rows) {
    failed.increment(rows);
  }

  /** A request was planned with a version of the layouts that its region does not take. */
  public void stale() {
    stale.increment();
  }

  /** A write was held up by a pull. */
  void blocked(long nanos) {
    longestMillis.accumulateAndGet(TimeUnit.NANOSECONDS.toMillis(nanos), Math::max);
  }
}
