package io.rowguard.client;

import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;

/**
 * Goes on with a scan when the layout of its table changes beneath it: plans the rest of its range
 * anew, behind the last row that it has given. For one thread.
 *
 * <p>A row that is given in parts goes on behind the last cell that was given, whatever its parts
 * were to be: so does HBase's own scanner when a region moves in the middle of a row. Cells written
 * to that row meanwhile may then be seen in its later parts only.
 */
final class ReplannedScanner implements BareScanner {
  private final SaltedRows rows;
  private final Scan scan;
  private final LayoutCache layouts;
  private final LongAdder notConforming;
  private final long timeoutMillis;
  private final int limit;

  private TableLayouts plan;
  private MergedScanner merged;
  private long rowsBefore;
  // How many rows the scanner of the rest may give, where its limit says one more.
  private long mostRows = Long.MAX_VALUE;
  private ScanMetrics earlierMetrics;
  private Result lastGiven;
  // Cells up to this one are not given again; null where the next result is of another row.
  private Cell lastCell;
  private boolean closed;
  private IOException failure;

  /**
   * @param scan of bare keys, which the caller may change afterwards
   * @param notConforming counts the rows that conform to no layout
   * @param timeoutMillis how long to wait at one row for regions that have not reopened
   */
  ReplannedScanner(
      SaltedRows rows, Scan scan, LayoutCache layouts, LongAdder notConforming, long timeoutMillis)
      throws IOException {
    this(rows, scan, layouts, notConforming, timeoutMillis, null);
  }

  /**
   * The same, behind what another scan has given.
   *
   * @param before null for nothing
   */
  ReplannedScanner(
      SaltedRows rows,
      Scan scan,
      LayoutCache layouts,
      LongAdder notConforming,
      long timeoutMillis,
      PlainConsumer before)
      throws IOException {
    this.rows = rows;
    this.scan = new Scan(scan);
    this.layouts = layouts;
    this.notConforming = notConforming;
    this.timeoutMillis = timeoutMillis;
    this.limit = ScanPlan.limitOf(scan);
    this.plan = layouts.now();
    if (before == null) {
      this.merged = merged(this.scan);
    } else {
      this.lastGiven = before.lastGiven();
      this.rowsBefore = before.rows() - (isInTheMiddle() ? 1 : 0);
      // A copy: what the consumer looks at is to show the sum.
      this.earlierMetrics = SaltedScanMetrics.copy(before.metrics());
      this.merged = merged(rest());
    }
  }

  /** The scanner of one plan. */
  private MergedScanner merged(Scan rest) throws IOException {
    return plan.isChanging()
        ? new WindowScanner(rows, rest, plan, notConforming)
        : MergedScanner.ofOneLayout(rows, rest, plan, notConforming);
  }

  @Override
  public Result next() throws IOException {
    if (failure != null) {
      throw failure;
    }
    if (closed) {
      return null;
    }
    LayoutRetry retry = new LayoutRetry(layouts, timeoutMillis);
    while (true) {
      try {
        Result result = merged.next();
        if (lastCell != null && result != null && !result.isEmpty()) {
          result = behindLastCell(result);
          if (result == null) {
            continue;
          }
        }
        if (merged.rowsGiven() > mostRows) {
          return null;
        }
        lastGiven = result == null || result.isEmpty() ? lastGiven : result;
        return result;
      } catch (IOException e) {
        goOnAfter(e, retry);
      }
    }
  }

  @Override
  public boolean mayWait() {
    return failure == null && !closed && merged.mayWait();
  }

  private void goOnAfter(IOException e, LayoutRetry retry) throws IOException {
    try {
      plan = retry.next(plan, e);
      rowsBefore += merged.rowsGiven() - (isInTheMiddle() && merged.rowsGiven() > 0 ? 1 : 0);
      earlierMetrics = SaltedScanMetrics.sum(earlierMetrics, merged.getScanMetrics());
      merged.close();
      merged = merged(rest());
    } catch (IOException | RuntimeException | Error other) {
      failure = other instanceof IOException ? (IOException) other : new IOException(other);
      close();
      throw other;
    }
  }

  /** Whether the row of the last result has more cells. */
  private boolean isInTheMiddle() {
    return lastGiven != null && lastGiven.mayHaveMoreCellsInRow();
  }

  private Scan rest() throws IOException {
    Scan rest = new Scan(scan);
    if (lastGiven != null) {
      Cell[] cells = lastGiven.rawCells();
      lastCell = isInTheMiddle() ? cells[cells.length - 1] : null;
      rest.withStartRow(lastGiven.getRow(), isInTheMiddle());
    }
    if (limit > 0) {
      // At least one is left: a scanner that has given all does not fail any more.
      rest.setLimit((int) Math.max(1, limit - rowsBefore));
    }
    mostRows = Long.MAX_VALUE;
    return rest;
  }

  /** The rest of a result behind the last cell that was given; null for none. */
  private Result behindLastCell(Result result) {
    Cell[] cells = result.rawCells();
    if (!CellUtil.matchingRows(cells[0], lastCell)) {
      if (merged.rowsGiven() == 1) {
        // The row that was given in part is gone, so the scanner of the rest does not count it.
        rowsBefore++;
        mostRows = limit > 0 ? limit - rowsBefore : Long.MAX_VALUE;
      }
      lastCell = null;
      return result;
    }
    int from = 0;
    while (from < cells.length
        && CellComparator.getInstance().compareWithoutRow(cells[from], lastCell) <= 0) {
      from++;
    }
    if (from == cells.length) {
      return null;
    }
    lastCell = null;
    return from == 0
        ? result
        : Result.create(
            Arrays.copyOfRange(cells, from, cells.length),
            null,
            result.isStale(),
            result.mayHaveMoreCellsInRow());
  }

  @Override
  public void close() {
    closed = true;
    merged.close();
  }

  @Override
  public boolean renewLease() {
    return !closed && merged.renewLease();
  }

  /** HBase's counters of all sub-scans until now, as a new object; null when not asked for. */
  @Override
  public ScanMetrics getScanMetrics() {
    return SaltedScanMetrics.sum(earlierMetrics, merged.getScanMetrics());
  }
}
