package io.rowguard.workload;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;

/**
 * The rows that a table has, with the bytes of each, as one scan of all of it finds them. Keeps the
 * rows and not their values. Immutable.
 */
public final class ScannedRows {
  private static final int ROWS_PER_CALL = 5_000;

  private final List<byte[]> rows = new ArrayList<>();
  // The bytes of all rows up to and including each.
  private final List<Long> ends = new ArrayList<>();

  private ScannedRows() {}

  /**
   * Scans a whole table.
   *
   * @param progress is given the number of rows that were read, now and then
   */
  public static ScannedRows scan(Connection connection, TableName name, IntConsumer progress)
      throws IOException {
    try (Table table = connection.getTable(name)) {
      return scan(table, progress);
    }
  }

  /**
   * Scans a whole table as it shows itself.
   *
   * @param progress is given the number of rows that were read, now and then
   */
  public static ScannedRows scan(Table table, IntConsumer progress) throws IOException {
    ScannedRows scanned = new ScannedRows();
    Scan scan = new Scan().setCaching(ROWS_PER_CALL).setCacheBlocks(false);
    try (ResultScanner scanner = table.getScanner(scan)) {
      long bytes = 0;
      for (Result result : scanner) {
        for (Cell cell : result.rawCells()) {
          bytes += cell.getSerializedSize();
        }
        scanned.rows.add(result.getRow());
        scanned.ends.add(bytes);
        if (scanned.rows.size() % ROWS_PER_CALL == 0) {
          progress.accept(scanned.rows.size());
        }
      }
    }
    return scanned;
  }

  /** In byte order. */
  public List<byte[]> rows() {
    return rows;
  }

  /** The content of a region. */
  public RegionContent in(RegionInfo region) {
    RowRange range = RowRange.of(rows, region);
    return new RegionContent(
        region, rows.subList(range.from(), range.to()), before(range.to()) - before(range.from()));
  }

  private long before(int row) {
    return row == 0 ? 0 : ends.get(row - 1);
  }

  /**
   * The content of each region.
   *
   * @param regions all regions of the table, in the order of their keys
   * @throws IllegalStateException when some row is in none of them
   */
  public List<RegionContent> in(List<RegionInfo> regions) {
    List<RegionContent> contents = regions.stream().map(this::in).toList();
    int held = contents.stream().mapToInt(RegionContent::rowCount).sum();
    if (held != rows.size()) {
      throw new IllegalStateException(
          "The regions do not hold all rows. rows=" + rows.size() + " held=" + held);
    }
    return contents;
  }
}
