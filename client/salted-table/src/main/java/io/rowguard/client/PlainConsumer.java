package io.rowguard.client;

import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;

/**
 * Hands on to its consumer what HBase's own asynchronous scan tells of a table in which nothing is
 * derived, and has {@link AsyncScan} go on behind that when the layout has changed. One thread
 * after the other has it.
 */
final class PlainConsumer implements AdvancedScanResultConsumer {
  private final SaltedAsyncTable<?> table;
  private final Scan scan;
  private final AdvancedScanResultConsumer consumer;
  private Result lastGiven;
  private long rows;
  private ScanMetrics metrics;

  /**
   * @param scan as the user has given it, not to be changed any more
   */
  PlainConsumer(SaltedAsyncTable<?> table, Scan scan, AdvancedScanResultConsumer consumer) {
    this.table = table;
    this.scan = scan;
    this.consumer = consumer;
  }

  @Override
  public void onNext(Result[] results, ScanController controller) {
    for (Result result : results) {
      if (PlainScanner.isNewRow(lastGiven, result)) {
        rows++;
      }
      lastGiven = result.isEmpty() ? lastGiven : result;
    }
    consumer.onNext(results, controller);
  }

  @Override
  public void onHeartbeat(ScanController controller) {
    consumer.onHeartbeat(controller);
  }

  @Override
  public void onScanMetricsCreated(ScanMetrics created) {
    metrics = created;
    consumer.onScanMetricsCreated(created);
  }

  @Override
  public void onError(Throwable failure) {
    if (LayoutRetry.isRefusal(failure)) {
      AsyncScan.goOn(table, scan, consumer, this);
    } else {
      consumer.onError(failure);
    }
  }

  @Override
  public void onComplete() {
    consumer.onComplete();
  }

  /** The last result that was given; null for none. */
  Result lastGiven() {
    return lastGiven;
  }

  /** How many rows were given, whole or in part. */
  long rows() {
    return rows;
  }

  /** The metrics that the consumer looks at; null where the scan asks for none. */
  ScanMetrics metrics() {
    return metrics;
  }
}
