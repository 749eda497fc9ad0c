package io.rowguard.client;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;

/**
 * A scan of bare keys that tells its consumer of results as they come. Between two of its calls it
 * gives its thread back, so that many scans share a few; while it is suspended it has none.
 *
 * <p>A call has the results that are there without waiting, one at least, and as many as one call
 * to a server may have by the scan's caching and result size. Nothing more is read while the
 * consumer is in a call, or has suspended the scan, but what the buckets read ahead ({@link
 * PieceSizes}). The scanners of HBase below keep their leases meanwhile.
 *
 * <p>There are no heartbeats. A table in which nothing is derived needs none of this: {@link
 * SaltedAsyncTable#tell}.
 */
final class AsyncScan {
  private final BareScanner scanner;
  private final AdvancedScanResultConsumer consumer;
  private final FetchThreads threads;
  private final PieceSizes sizes;

  /** Null where the scan does not ask for them. */
  private final ScanMetrics metrics;

  // One thread after the other has these.
  private boolean isRead;
  private boolean hasEnded;
  private Throwable failure;

  private AsyncScan(
      BareScanner scanner,
      AdvancedScanResultConsumer consumer,
      FetchThreads threads,
      PieceSizes sizes,
      ScanMetrics metrics) {
    this.scanner = scanner;
    this.consumer = consumer;
    this.threads = threads;
    this.sizes = sizes;
    this.metrics = metrics;
  }

  /** Begins a scan; tells the consumer, too, when it cannot. */
  static void begin(SaltedAsyncTable<?> table, Scan scan, AdvancedScanResultConsumer consumer) {
    SaltedScanMetrics metrics = scan.isScanMetricsEnabled() ? new SaltedScanMetrics() : null;
    if (metrics != null) {
      // Before there is a scanner, which would stay open where the consumer throws.
      consumer.onScanMetricsCreated(metrics);
    }
    begin(table, scan, consumer, metrics, null);
  }

  /** Goes on with a scan behind what HBase's own has given, which its servers refuse now. */
  static void goOn(
      SaltedAsyncTable<?> table,
      Scan scan,
      AdvancedScanResultConsumer consumer,
      PlainConsumer before) {
    begin(table, scan, consumer, before.metrics(), before);
  }

  private static void begin(
      SaltedAsyncTable<?> table,
      Scan scan,
      AdvancedScanResultConsumer consumer,
      ScanMetrics metrics,
      PlainConsumer before) {
    // The sizes of one bucket are those of the whole.
    PieceSizes sizes = PieceSizes.of(table.getConfiguration(), scan, 1);
    BareScanner scanner;
    try {
      scanner = before == null ? table.open(scan) : table.openBehind(scan, before);
    } catch (IOException e) {
      consumer.onError(e);
      return;
    }
    AsyncScan all = new AsyncScan(scanner, consumer, table.threads(), sizes, metrics);
    all.resume();
  }

  private void resume() {
    threads.run(this::goOn, this::end);
  }

  /** One call of the consumer, and what comes before and after it. */
  private void goOn() {
    List<Result> results = new ArrayList<>();
    if (!isRead) {
      read(results);
    }
    if (!results.isEmpty()) {
      AsyncScanController controller = new AsyncScanController(this::resume);
      try {
        consumer.onNext(results.toArray(new Result[0]), controller);
      } catch (RuntimeException | Error e) {
        // HBase's own scan would never end.
        end(e);
        return;
      }
      switch (controller.leave()) {
        case WAIT:
          return;
        case END:
          end(null);
          return;
        default:
          break;
      }
    }
    if (isRead) {
      end(failure);
    } else {
      resume();
    }
  }

  /** Reads for one call of the consumer, and whether there can be another. */
  private void read(List<Result> results) {
    long bytes = 0;
    try {
      do {
        Result result = scanner.next();
        if (result == null) {
          isRead = true;
        } else {
          results.add(result);
          for (Cell cell : result.rawCells()) {
            bytes += cell.heapSize();
          }
        }
      } while (!isRead
          && results.size() < sizes.rows()
          && bytes < sizes.bytes()
          && !scanner.mayWait());
    } catch (IOException | RuntimeException | Error e) {
      isRead = true;
      failure = e;
    }
    if (metrics != null) {
      SaltedScanMetrics.set(metrics, scanner.getScanMetrics());
    }
  }

  /**
   * Ends the scan, and tells the consumer.
   *
   * @param why null where it has come to its end
   */
  private void end(Throwable why) {
    if (hasEnded) {
      // The consumer threw it when it was told of the end.
      throw new IllegalStateException("A consumer of a scan failed when the scan had ended.", why);
    }
    hasEnded = true;
    try {
      scanner.close();
    } finally {
      if (why == null) {
        consumer.onComplete();
      } else {
        consumer.onError(why);
      }
    }
  }
}
