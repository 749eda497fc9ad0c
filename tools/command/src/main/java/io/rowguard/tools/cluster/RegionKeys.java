package io.rowguard.tools.cluster;

import io.rowguard.relayout.KeyScan;
import java.io.IOException;
import java.util.Arrays;
import java.util.function.Predicate;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;

/**
 * The rows of one region, as raw scans find them: keys only, past the block caches, in pieces with
 * no scanner open in between. Not thread-safe.
 */
public final class RegionKeys {
  private static final int CACHING = 1000;

  private final Connection connection;
  private final TableName table;
  private final byte[] end;
  private final boolean isUnbounded;
  private boolean anyOrder;
  private byte[] next;
  private boolean isAtItsStart = true;
  private boolean isOver;
  private long read;

  /**
   * @param isSalted whether the table is in salt mode, which refuses scans between bounds where no
   *     row of the layout can lie: then the scan has no end, and what is beyond the region's is
   *     left
   */
  public RegionKeys(Connection connection, RegionInfo region, boolean isSalted) {
    this.connection = connection;
    this.table = region.getTable();
    this.next = region.getStartKey();
    this.end = region.getEndKey();
    this.isUnbounded = isSalted;
  }

  /** Reads rows of delete markers only as well, where edits come in any order. */
  public RegionKeys ofOldRows(boolean comeInAnyOrder) {
    anyOrder = comeInAnyOrder;
    return this;
  }

  /**
   * Reads on, until the caller has enough.
   *
   * @param hasEnough is given each row; true where this is to be the last one for now
   * @return whether there may be more
   */
  public boolean read(Predicate<byte[]> hasEnough) throws IOException {
    if (isOver) {
      return false;
    }
    try (Table source = connection.getTable(table);
        ResultScanner scanner = source.getScanner(scan())) {
      for (Result result = scanner.next(); result != null; result = scanner.next()) {
        byte[] row = result.getRow();
        if (end.length > 0 && Arrays.compareUnsigned(row, end) >= 0) {
          break;
        }
        next = row;
        isAtItsStart = false;
        read++;
        if (hasEnough.test(row)) {
          return true;
        }
      }
    }
    isOver = true;
    return false;
  }

  private Scan scan() {
    // In salt mode a start that is excluded is not judged either.
    Scan scan = KeyScan.ofOldRows(CACHING, anyOrder).withStartRow(next, isAtItsStart);
    return isUnbounded || end.length == 0 ? scan : scan.withStopRow(end);
  }

  /** How many rows have been read. */
  public long count() {
    return read;
  }
}
