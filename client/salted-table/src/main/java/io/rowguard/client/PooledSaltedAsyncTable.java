package io.rowguard.client;

import java.io.IOException;
import java.util.concurrent.Executor;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.AsyncTableRegionLocator;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.ScanResultConsumer;

/** A table whose user runs in a pool: HBase's {@code getTable(name, pool)}. */
final class PooledSaltedAsyncTable extends SaltedAsyncTable<ScanResultConsumer> {
  private final Executor pool;

  PooledSaltedAsyncTable(
      AsyncTable<ScanResultConsumer> own,
      AsyncTable<AdvancedScanResultConsumer> salted,
      LayoutCache layouts,
      FetchThreads threads,
      AsyncTableRegionLocator locator,
      Executor pool) {
    super(own, salted, layouts, threads, locator);
    this.pool = pool;
  }

  @Override
  Executor pool() {
    return pool;
  }

  /** Has one thread of the pool from its beginning to its end, as HBase's own. */
  @Override
  public void scan(Scan scan, ScanResultConsumer consumer) {
    pool.execute(() -> read(scan, consumer));
  }

  private void read(Scan scan, ScanResultConsumer consumer) {
    SaltedScanMetrics metrics = scan.isScanMetricsEnabled() ? new SaltedScanMetrics() : null;
    try (BareScanner scanner = open(scan)) {
      if (metrics != null) {
        consumer.onScanMetricsCreated(metrics);
      }
      boolean goesOn = true;
      while (goesOn) {
        Result result = scanner.next();
        if (metrics != null) {
          SaltedScanMetrics.set(metrics, scanner.getScanMetrics());
        }
        goesOn = result != null && consumer.onNext(result);
      }
    } catch (IOException | RuntimeException | Error e) {
      // Also those of the consumer: it would wait for ever for its end.
      consumer.onError(e);
      return;
    }
    consumer.onComplete();
  }
}
