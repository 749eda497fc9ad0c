package io.rowguard.observer.metrics;

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
  private final Counter different;
  private final Counter stale;
  private final AtomicLong longestMillis;

  /**
   * Finds the counters of a table, or makes them.
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
    different = registry.counter(prefix + "copies_different");
    stale = registry.counter(prefix + "stale_requests");
    AtomicLong longest = LONGEST.computeIfAbsent(server + "/" + table, key -> new AtomicLong());
    longestMillis = longest;
    registry.register(prefix + "longest_block_millis", (Gauge<Long>) longest::get);
  }

  /** Counts rows that were pulled and had something to pull. */
  public void moved(int rows, boolean byTouch) {
    (byTouch ? pulledByTouch : pulledByWrite).increment(rows);
  }

  /** Counts old rows that were removed and had been copied before. */
  public void leftoversRemoved(int rows) {
    leftoversRemoved.increment(rows);
  }

  /** Counts a pull that waited for another one, or for the clock. */
  public void waited() {
    waited.increment();
  }

  /** Counts rows that could not be pulled for now. */
  public void failed(int rows) {
    failed.increment(rows);
  }

  /** Counts a row that, read back, was not what had been copied. */
  public void different() {
    different.increment();
  }

  /**
   * Counts a request that was planned with a version of the layouts that its region does not take.
   */
  public void stale() {
    stale.increment();
  }

  /** Records how long a pull held up a write. */
  public void blocked(long nanos) {
    longestMillis.accumulateAndGet(TimeUnit.NANOSECONDS.toMillis(nanos), Math::max);
  }
}
