package io.rowguard.client;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;

/**
 * Merges the sub-scans of a plan into one stream in the order of bare keys. For one thread, as all
 * of HBase's scanners.
 *
 * <p>A bare key lies in one bucket only, so the results of one row come from one sub-scan, one
 * after the other. Every sub-scan must have been heard before the first row is known, and again
 * before each row that follows one of its own.
 *
 * <p>Per bucket there are at most as many rows in memory as the scan's caching says, and one; and
 * of all buckets together about as many bytes as {@link #BYTES_OF_ALL}, each bucket having {@link
 * #LEAST_BYTES} at least. (HBase's own scanners below hold a part of it again; those of HBase 3
 * read ahead by bytes, whatever the caching.)
 */
final class SaltedScanner implements ResultScanner {
  /** What all buckets read ahead together. */
  static final long BYTES_OF_ALL = 16L << 20;

  /** Smaller pieces cost more in calls than they save in memory. */
  static final long LEAST_BYTES = 64L << 10;

  private final RowLimit limit;
  private final boolean withMetrics;
  private final List<BucketScan> buckets = new ArrayList<>();
  private final LongAdder notConforming = new LongAdder();
  private final LongAdder notConformingOfTable;
  private final PriorityQueue<BucketScan> waiting;
  private BucketScan first;
  private boolean begun;
  private boolean closed;
  private IOException failure;
  private Result lastGiven;

  /**
   * @param table reads salted rows
   * @param scan what the user asked for
   * @param threads where sub-scans read ahead
   * @param notConformingOfTable counts, when the scan is closed, the rows that did not conform
   */
  SaltedScanner(
      Table table, Scan scan, ScanPlan plan, FetchThreads threads, LongAdder notConformingOfTable)
      throws IOException {
    this.limit = new RowLimit(plan.limit());
    this.withMetrics = scan.isScanMetricsEnabled();
    this.notConformingOfTable = notConformingOfTable;
    Comparator<BucketScan> order =
        (a, b) ->
            CellComparator.getInstance()
                .compareRows(a.head().rawCells()[0], b.head().rawCells()[0]);
    int count = plan.subScans().size();
    this.waiting =
        new PriorityQueue<>(Math.max(1, count), scan.isReversed() ? order.reversed() : order);
    boolean alone = count == 1;
    int rows = rowsPerPiece(table.getConfiguration(), scan, alone);
    long bytes = bytesPerPiece(table.getConfiguration(), scan, count);
    for (SubScan subScan : plan.subScans()) {
      buckets.add(
          new BucketScan(table, subScan, alone ? null : threads, rows, bytes, notConforming));
    }
  }

  /** Two pieces of a bucket are in memory, one where nothing is fetched ahead. */
  private static int rowsPerPiece(Configuration conf, Scan scan, boolean alone) {
    int caching = scan.getCaching();
    if (caching <= 0) {
      caching =
          conf.getInt(
              HConstants.HBASE_CLIENT_SCANNER_CACHING,
              HConstants.DEFAULT_HBASE_CLIENT_SCANNER_CACHING);
    }
    return Math.max(1, alone ? caching : caching / 2 + caching % 2);
  }

  private static long bytesPerPiece(Configuration conf, Scan scan, int buckets) {
    long most = scan.getMaxResultSize();
    if (most <= 0) {
      most =
          conf.getLong(
              HConstants.HBASE_CLIENT_SCANNER_MAX_RESULT_SIZE_KEY,
              HConstants.DEFAULT_HBASE_CLIENT_SCANNER_MAX_RESULT_SIZE);
    }
    long share = BYTES_OF_ALL / Math.max(1, 2L * buckets);
    return Math.max(1, Math.min(most, Math.max(LEAST_BYTES, share)));
  }

  @Override
  public Result next() throws IOException {
    if (failure != null) {
      throw failure;
    }
    if (closed) {
      return null;
    }
    try {
      return begun ? following() : beginning();
    } catch (IOException | RuntimeException | Error e) {
      // No row may be left out silently: who goes on after this gets it again.
      failure = e instanceof IOException ? (IOException) e : new IOException(e);
      close();
      throw e;
    }
  }

  private Result beginning() throws IOException {
    begun = true;
    for (BucketScan bucket : buckets) {
      bucket.fetchAhead();
    }
    for (BucketScan bucket : buckets) {
      if (bucket.advance()) {
        waiting.add(bucket);
      }
    }
    first = waiting.poll();
    return given();
  }

  private Result following() throws IOException {
    if (!first.advance()) {
      first = waiting.poll();
    } else if (!waiting.isEmpty() && waiting.comparator().compare(first, waiting.peek()) > 0) {
      waiting.add(first);
      first = waiting.poll();
    }
    return given();
  }

  /** The result that the first bucket has, unless the scan ends here. */
  private Result given() {
    if (first == null) {
      close();
      return null;
    }
    Result result = first.head();
    boolean newRow =
        lastGiven == null
            || CellComparator.getInstance()
                    .compareRows(lastGiven.rawCells()[0], result.rawCells()[0])
                != 0;
    if (newRow && !limit.admitsAnother()) {
      close();
      return null;
    }
    lastGiven = result;
    if (limit.isReached() && !result.mayHaveMoreCellsInRow()) {
      close();
    }
    return result;
  }

  /**
   * Ends the scan on all servers. What is being fetched just now ends by itself, and closes what it
   * has open.
   */
  @Override
  public void close() {
    if (!closed) {
      closed = true;
      for (BucketScan bucket : buckets) {
        bucket.close();
      }
      notConformingOfTable.add(notConforming.sum());
    }
  }

  @Override
  public boolean renewLease() {
    if (closed || !begun) {
      return false;
    }
    boolean all = true;
    for (BucketScan bucket : buckets) {
      all &= bucket.renewLease();
    }
    return all;
  }

  /** HBase's counters of all sub-scans until now, as a new object; null when not asked for. */
  @Override
  public ScanMetrics getScanMetrics() {
    if (!withMetrics) {
      return null;
    }
    SaltedScanMetrics total = new SaltedScanMetrics();
    for (BucketScan bucket : buckets) {
      bucket.addMetricsTo(total);
    }
    total.addToCounter(SaltedScanMetrics.BUCKETS, buckets.size());
    total.addToCounter(SaltedScanMetrics.NOT_CONFORMING, notConforming.sum());
    return total;
  }
}
