package io.rowguard.client;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Merges the old and the new rows of a table whose layout changes. For one thread.
 *
 * <p>Rows go from old to new while this reads, so the old rows come first: of each <em>window</em>
 * of bare keys they are read, and only then the scan of its new rows begins, since HBase's scanners
 * see a region as of their opening. When an old row is gone by the time it is read, its new row is
 * there. A key that shows both rows is given once, as its new row.
 *
 * <p>One scan of the old rows goes on through all windows: no old row comes that was not there when
 * the scan began, but for rows that were not in the table then. A window ends after a number of old
 * rows, or bytes of them ({@link WindowSizes}), which are in memory; so it is large where they are
 * sparse. Its last row is read to the end, however large: when the row moves and the scan of it has
 * to begin again elsewhere, the rest of it is in the new row only.
 *
 * @see "testing/relayout-model, ReadSteps"
 */
final class WindowScanner implements MergedScanner {
  private final SaltedRows rows;
  private final Scan scan;
  private final TableLayouts layouts;
  private final LongAdder notConforming;
  private final boolean reversed;
  private final int most;
  private final RowLimit limit;

  private final SaltedScanner source;
  private Result nextOld;
  private boolean oldEnded;

  // The window that is given: its old rows, and the scan of its new ones.
  private final ArrayDeque<Result> oldOfWindow = new ArrayDeque<>();
  private SaltedScanner target;
  private Result nextNew;
  // The last key of the window; null where it goes to the end of the scan's range.
  private byte[] windowEnd;
  private byte[] windowStart;
  private WindowSizes size;

  private ScanMetrics earlierMetrics;
  private Result lastGiven;
  private boolean begun;
  private boolean closed;
  private IOException failure;

  /**
   * @param scan of bare keys, not to be changed any more
   * @param layouts while they change
   * @param notConforming counts the rows that conform to no layout
   */
  WindowScanner(SaltedRows rows, Scan scan, TableLayouts layouts, LongAdder notConforming)
      throws IOException {
    this.rows = rows;
    this.scan = scan;
    this.layouts = layouts;
    this.notConforming = notConforming;
    this.reversed = scan.isReversed();
    this.most = ScanPlan.limitOf(scan);
    this.limit = new RowLimit(most);
    this.size = WindowSizes.first(scan, most);
    // A scan that cannot be answered is refused here, not at some window.
    ScanPlan.of(scan, layouts.target(), layouts.filters(), layouts.maxBuckets());
    this.source =
        new SaltedScanner(
            rows,
            scan,
            ScanPlan.of(scan, layouts.source(), layouts.filters(), layouts.maxBuckets()),
            notConforming);
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
      Result result = merged();
      return result == null ? end() : given(result);
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
    // A new row is given when its successor is there.
    boolean known =
        target != null && (nextNew == null ? !oldOfWindow.isEmpty() : !target.mayWait());
    return !known;
  }

  private Result end() {
    close();
    return null;
  }

  private Result given(Result result) {
    if (!isSameRow(lastGiven, result) && !limit.admitsAnother()) {
      return end();
    }
    lastGiven = result;
    if (limit.isReached() && !result.mayHaveMoreCellsInRow()) {
      close();
    }
    return result;
  }

  /** The next result of both sides; null at the end of the last window. */
  private Result merged() throws IOException {
    if (limit.isReached() && !(lastGiven != null && lastGiven.mayHaveMoreCellsInRow())) {
      return null;
    }
    while (true) {
      if (target == null) {
        openWindow();
      }
      Result ofOld = oldOfWindow.peek();
      if (nextNew == null && ofOld == null) {
        closeWindow();
        if (windowEnd == null) {
          return null;
        }
      } else if (nextNew == null || (ofOld != null && compare(ofOld, nextNew) < 0)) {
        return oldOfWindow.poll();
      } else {
        while (isSameRow(oldOfWindow.peek(), nextNew)) {
          oldOfWindow.poll();
        }
        Result result = nextNew;
        nextNew = target.next();
        return result;
      }
    }
  }

  private void openWindow() throws IOException {
    windowStart = windowEnd;
    windowEnd = readOldRows();
    Scan window = new Scan(scan);
    if (windowStart != null) {
      window.withStartRow(windowStart, false);
    }
    if (windowEnd != null) {
      window.withStopRow(windowEnd, true);
    }
    if (most >= 0) {
      // The row that is being given counts again; the limit of the whole is kept in given().
      window.setLimit((int) Math.max(1, most - limit.rows()));
    }
    ScanPlan plan = ScanPlan.of(window, layouts.target(), layouts.filters(), layouts.maxBuckets());
    PieceSizes sizes = SaltedScanner.sizes(rows, window, plan);
    target =
        new SaltedScanner(
            rows, window, plan, windowStart == null ? sizes : sizes.goingOn(), notConforming);
    begun = true;
    nextNew = target.next();
    size = size.next();
  }

  /** Reads the old rows of a window; answers its last key, null for the end of the range. */
  private byte[] readOldRows() throws IOException {
    int rows = 0;
    long bytes = 0;
    Result last = null;
    while (peekOld() != null) {
      boolean newRow = !isSameRow(last, nextOld);
      if (newRow && (bytes >= size.bytes() || rows >= size.rows())) {
        return last.getRow();
      }
      rows += newRow ? 1 : 0;
      for (Cell cell : nextOld.rawCells()) {
        bytes += cell.heapSize();
      }
      last = nextOld;
      oldOfWindow.add(nextOld);
      nextOld = null;
    }
    return null;
  }

  /** The next old result behind those in memory; null at the end. */
  private Result peekOld() throws IOException {
    if (nextOld == null && !oldEnded) {
      nextOld = source.next();
      oldEnded = nextOld == null;
    }
    return nextOld;
  }

  private void closeWindow() {
    target.close();
    earlierMetrics = SaltedScanMetrics.sum(earlierMetrics, target.getScanMetrics());
    target = null;
  }

  private static Cell rowOf(Result result) {
    return result.rawCells()[0];
  }

  private static boolean isSameRow(Result a, Result b) {
    return a != null && CellUtil.matchingRows(rowOf(a), rowOf(b));
  }

  private int compare(Result a, Result b) {
    Cell x = rowOf(a);
    Cell y = rowOf(b);
    int order =
        Bytes.compareTo(
            x.getRowArray(),
            x.getRowOffset(),
            x.getRowLength(),
            y.getRowArray(),
            y.getRowOffset(),
            y.getRowLength());
    return reversed ? -order : order;
  }

  @Override
  public long rowsGiven() {
    return limit.rows();
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      source.close();
      if (target != null) {
        target.close();
      }
    }
  }

  /** Nothing is open of a side that has come to its end. */
  @Override
  public boolean renewLease() {
    if (closed || !begun) {
      return false;
    }
    boolean ofSource = oldEnded || source.renewLease();
    boolean ofTarget = target == null || nextNew == null || target.renewLease();
    return ofSource && ofTarget;
  }

  /** HBase's counters of all sub-scans until now, as a new object; null when not asked for. */
  @Override
  public ScanMetrics getScanMetrics() {
    if (!scan.isScanMetricsEnabled()) {
      return null;
    }
    SaltedScanMetrics total = new SaltedScanMetrics();
    total.add(earlierMetrics);
    total.add(source.getScanMetrics());
    total.add(target == null ? null : target.getScanMetrics());
    return total;
  }
}
