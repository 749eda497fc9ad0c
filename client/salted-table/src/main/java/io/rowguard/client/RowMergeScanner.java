package io.rowguard.client;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;

/**
 * Gives the rows of a table whose writers choose the bucket, each made of the parts that the
 * buckets have of it ({@link RowMerge}). For one thread.
 *
 * <p>All parts of the row that is given next are in memory, also where it is given in several
 * results: which cell comes next is known only then.
 */
final class RowMergeScanner implements MergedScanner {
  private final SaltedScanner parts;
  private final RowMerge merge;
  private final int batch;
  private final RowLimit limit;
  private final ArrayDeque<Result> ofRow = new ArrayDeque<>();
  private Result next;
  private boolean closed;

  /**
   * @param parts the rows of all buckets, equal bare keys one after the other
   * @param scan of bare keys
   */
  RowMergeScanner(SaltedScanner parts, Scan scan, RowMerge merge) {
    this.parts = parts;
    this.merge = merge;
    this.batch = scan.getBatch();
    this.limit = new RowLimit(ScanPlan.limitOf(scan));
  }

  @Override
  public Result next() throws IOException {
    while (ofRow.isEmpty() && !closed) {
      if (limit.isReached() || !readRow()) {
        close();
      }
    }
    Result result = ofRow.poll();
    if (ofRow.isEmpty() && limit.isReached()) {
      close();
    }
    return result;
  }

  /** A row is known to be whole when another one has come. */
  @Override
  public boolean mayWait() {
    return !closed && ofRow.isEmpty();
  }

  /** Reads the parts of the next row; answers whether there is one. */
  private boolean readRow() throws IOException {
    Result first = next == null ? parts.next() : next;
    if (first == null) {
      return false;
    }
    List<Result> ofOne = new ArrayList<>();
    // A failure stays one: what is lost of the row here is not given.
    for (next = first; next != null && isOf(first, next); next = parts.next()) {
      ofOne.add(next);
    }
    Result row = merge.of(first.getRow(), ofOne);
    // An offset may leave no cell of a row, which then does not count.
    if (!row.isEmpty() && limit.admitsAnother()) {
      divide(row);
    }
    return true;
  }

  private static boolean isOf(Result a, Result b) {
    return CellUtil.matchingRows(a.rawCells()[0], b.rawCells()[0]);
  }

  private void divide(Result row) {
    Cell[] cells = row.rawCells();
    int most = batch > 0 ? batch : cells.length;
    for (int from = 0; from < cells.length; from += most) {
      int to = Math.min(cells.length, from + most);
      Cell[] some = Arrays.copyOfRange(cells, from, to);
      ofRow.add(Result.create(some, null, row.isStale(), to < cells.length));
    }
  }

  @Override
  public void close() {
    closed = true;
    ofRow.clear();
    parts.close();
  }

  @Override
  public boolean renewLease() {
    return !closed && parts.renewLease();
  }

  @Override
  public long rowsGiven() {
    return limit.rows();
  }

  @Override
  public ScanMetrics getScanMetrics() {
    return parts.getScanMetrics();
  }
}
