package io.rowguard.client;

import java.io.IOException;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;

/**
 * HBase's own scanner, for a table in which nothing is derived: its scan is the one that was given,
 * and the stamp. For one thread.
 */
final class PlainScanner implements MergedScanner {
  private final ResultScanner own;
  private Result lastGiven;
  private long rows;

  PlainScanner(SaltedRows rows, Scan scan, TableLayouts plan) throws IOException {
    this.own = rows.getScanner(plan.target().marked(new Scan(scan)));
  }

  /**
   * Whether a result is of another row than the one before it, null for none. A cursor has no row.
   */
  static boolean isNewRow(Result before, Result result) {
    return !result.isEmpty()
        && (before == null || !CellUtil.matchingRows(before.rawCells()[0], result.rawCells()[0]));
  }

  @Override
  public Result next() throws IOException {
    Result result = own.next();
    if (result != null && isNewRow(lastGiven, result)) {
      rows++;
      lastGiven = result;
    }
    return result;
  }

  @Override
  public boolean mayWait() {
    return true;
  }

  @Override
  public long rowsGiven() {
    return rows;
  }

  @Override
  public void close() {
    own.close();
  }

  @Override
  public boolean renewLease() {
    return own.renewLease();
  }

  @Override
  public ScanMetrics getScanMetrics() {
    return own.getScanMetrics();
  }
}
