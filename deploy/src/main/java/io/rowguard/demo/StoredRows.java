package io.rowguard.demo;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/** The rows that a table has, with the bytes of each: one scan's worth of truth. */
final class StoredRows {
  private static final int ROWS_PER_CALL = 5_000;

  private final List<byte[]> rows = new ArrayList<>();
  private final List<Integer> bytes = new ArrayList<>();

  private StoredRows() {}

  /** Scans the whole table. */
  static StoredRows scan(Connection connection, TableName name, Progress progress)
      throws IOException {
    try (Table table = connection.getTable(name)) {
      return scan(table, progress);
    }
  }

  /** Scans the whole table as it shows itself. */
  static StoredRows scan(Table table, Progress progress) throws IOException {
    StoredRows stored = new StoredRows();
    try (ResultScanner scanner = table.getScanner(new Scan().setCaching(ROWS_PER_CALL))) {
      for (Result result : scanner) {
        int size = 0;
        for (Cell cell : result.rawCells()) {
          size += cell.getSerializedSize();
        }
        stored.rows.add(result.getRow());
        stored.bytes.add(size);
        if (stored.rows.size() % ROWS_PER_CALL == 0) {
          progress.at("read " + Screen.count(stored.rows.size()));
        }
      }
    }
    return stored;
  }

  /** In byte order. */
  List<byte[]> rows() {
    return rows;
  }

  /**
   * What each region holds.
   *
   * @param regions all regions of the table, in the order of their keys
   */
  List<RegionContent> in(List<RegionInfo> regions) {
    List<RegionContent> contents = new ArrayList<>(regions.size());
    int next = 0;
    for (RegionInfo region : regions) {
      int first = next;
      long sum = 0;
      while (next < rows.size() && region.containsRow(rows.get(next))) {
        sum += bytes.get(next);
        next++;
      }
      contents.add(new RegionContent(region, rows.subList(first, next), sum));
    }
    if (next < rows.size()) {
      throw new IllegalStateException(
          "no region holds the row \"" + Bytes.toStringBinary(rows.get(next)) + "\"");
    }
    return contents;
  }
}
