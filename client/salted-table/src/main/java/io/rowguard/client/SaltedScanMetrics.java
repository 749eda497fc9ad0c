package io.rowguard.client;

import java.util.Map;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;

/** HBase's counters of a scan, summed up over its sub-scans, and two of our own. */
final class SaltedScanMetrics extends ScanMetrics {
  /** How many sub-scans the scan became. */
  static final String BUCKETS = "ROWGUARD_BUCKETS";

  /** How many results were left out because their row does not conform to the layout. */
  static final String NOT_CONFORMING = "ROWGUARD_ROWS_NOT_CONFORMING";

  SaltedScanMetrics() {
    createCounter(BUCKETS);
    createCounter(NOT_CONFORMING);
  }

  /** Adds all counters of one scan; null adds nothing. */
  void add(ScanMetrics one) {
    if (one != null) {
      for (Map.Entry<String, Long> counter : one.getMetricsMap(false).entrySet()) {
        addToCounter(counter.getKey(), counter.getValue());
      }
    }
  }

  /** Makes all counters of some metrics those of others; null leaves them. */
  static void set(ScanMetrics metrics, ScanMetrics that) {
    if (that != null) {
      for (Map.Entry<String, Long> counter : that.getMetricsMap(false).entrySet()) {
        metrics.setCounter(counter.getKey(), counter.getValue());
      }
    }
  }

  /** The same counters, which stay as they are; null for null. */
  static ScanMetrics copy(ScanMetrics metrics) {
    return metrics == null ? null : sum(metrics, null);
  }

  /** The sum of two, each of which may be null. */
  static ScanMetrics sum(ScanMetrics a, ScanMetrics b) {
    if (a == null) {
      return b;
    }
    SaltedScanMetrics sum = new SaltedScanMetrics();
    sum.add(a);
    sum.add(b);
    return sum;
  }
}
