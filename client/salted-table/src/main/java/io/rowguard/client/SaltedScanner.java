package io.rowguard.client;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;

/**
 * Merges the sub-scans of a plan into one stream in the order of bare keys. For one thread, as all
 * of HBase's scanners.
 *
 * <p>A bare key lies in one bucket only, so the results of one row come from one sub-scan, one
 * after the other. A row is given when every bucket has been heard that could hold one in front of
 * it: most often all, but where the range from the last row to this one fixes the salt, its own
 * alone. Until then the others are not asked ({@link PendingBuckets}). Afterwards each bucket is
 * waited for before each row that follows one of its own.
 *
 * <p>Per bucket there are at most as many rows in memory as the scan's caching says, and one; and
 * of all buckets together about as many bytes as {@link PieceSizes#BYTES_OF_ALL}, each bucket
 * having {@link PieceSizes#LEAST_BYTES} at least. (HBase's own scanners below hold a part of it
 * again; those of HBase 3 read ahead by bytes, whatever the caching.)
 */
final class SaltedScanner implements MergedScanner {
  /**
   * How many buckets are asked at a time for their first rows: fewer than a server has handlers by
   * default. Where all of these are busy for a moment, HBase may leave a call in the queue of one
   * that goes to sleep, until others come ({@code FastPathRpcHandler#getCallRunner}).
   */
  private static final int MOST_AT_ONCE = 24;

  private final RowLimit limit;
  private final boolean withMetrics;
  private final List<BucketScan> buckets = new ArrayList<>();
  private final LongAdder notConforming = new LongAdder();
  private final LongAdder notConformingOfTable;
  private final boolean reversed;
  private final PendingBuckets pending;
  private final List<BucketScan> asked = new ArrayList<>();
  private Tournament tournament;
  private boolean closed;
  private IOException failure;
  private Result lastGiven;

  /**
   * @param scan what the user asked for
   * @param notConformingOfTable counts, when the scan is closed, the rows that did not conform
   */
  SaltedScanner(SaltedRows rows, Scan scan, ScanPlan plan, LongAdder notConformingOfTable)
      throws IOException {
    this(rows, scan, plan, sizes(rows, scan, plan), notConformingOfTable);
  }

  /** A scan whose pieces have other sizes than {@link #sizes}. */
  SaltedScanner(
      SaltedRows rows, Scan scan, ScanPlan plan, PieceSizes sizes, LongAdder notConformingOfTable)
      throws IOException {
    this.limit = new RowLimit(plan.limit());
    this.withMetrics = scan.isScanMetricsEnabled();
    this.notConformingOfTable = notConformingOfTable;
    this.reversed = scan.isReversed();
    int count = plan.subScans().size();
    for (SubScan subScan : plan.subScans()) {
      buckets.add(new BucketScan(rows, subScan, count > 1, sizes, notConforming));
    }
    this.pending =
        new PendingBuckets(plan.buckets(), ScanPlan.rangeOf(scan), scan.isReversed(), buckets);
  }

  /** The sizes of the pieces of a scan that begins. */
  static PieceSizes sizes(SaltedRows rows, Scan scan, ScanPlan plan) {
    return PieceSizes.of(rows.getConfiguration(), scan, Math.max(1, plan.subScans().size()));
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
      goOn();
      return given();
    } catch (IOException | RuntimeException | Error e) {
      // No row may be left out silently: a caller that goes on gets it again.
      failure = e instanceof IOException ? (IOException) e : new IOException(e);
      close();
      throw e;
    }
  }

  @Override
  public boolean mayWait() {
    if (failure != null || closed) {
      return false;
    }
    if (tournament == null) {
      return true;
    }
    BucketScan first = tournament.winner();
    return first == null
        ? !pending.isEmpty()
        : first.mayWait() || !pending.areBehind(first.lastKnown());
  }

  private void goOn() throws IOException {
    if (tournament == null) {
      ask(pending.takeFirst());
    } else if (tournament.winner() != null) {
      tournament.winner().advance();
      tournament.replay();
    }
    while (!pending.isEmpty()) {
      BucketScan first = tournament.winner();
      List<BucketScan> before =
          first == null
              ? pending.takeAll()
              : pending.takeThoseBefore(first.head(), first.lastKnown());
      if (before.isEmpty()) {
        return;
      }
      ask(before);
    }
  }

  /** Goes to the first rows of some buckets, side by side. */
  private void ask(List<BucketScan> some) throws IOException {
    asked.addAll(some);
    int begun = 0;
    for (int i = 0; i < some.size(); i++) {
      for (; begun < some.size() && begun < i + MOST_AT_ONCE; begun++) {
        some.get(begun).fetchAhead();
      }
      some.get(i).advance();
    }
    tournament = new Tournament(asked, reversed);
  }

  /** The result that the first bucket has, unless the scan ends here. */
  private Result given() {
    BucketScan first = tournament.winner();
    if (first == null) {
      close();
      return null;
    }
    Result result = first.head();
    boolean newRow =
        lastGiven == null || !CellUtil.matchingRows(lastGiven.rawCells()[0], result.rawCells()[0]);
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
   * Ends the scan on all servers. A fetch under way ends by itself, and closes what it has open.
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
    if (closed || tournament == null) {
      return false;
    }
    boolean all = true;
    for (BucketScan bucket : asked) {
      all &= bucket.renewLease();
    }
    return all;
  }

  @Override
  public long rowsGiven() {
    return limit.rows();
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
