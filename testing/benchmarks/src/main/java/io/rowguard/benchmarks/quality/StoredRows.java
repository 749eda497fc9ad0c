package io.rowguard.benchmarks.quality;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/** Compares what a table's regions hold with what they ought to, by reading all of it. */
final class StoredRows {
  private StoredRows() {}

  /**
   * Reads each region.
   *
   * @throws IOException when one does not hold exactly the rows of its range, each with its bytes:
   *     then whatever was measured is worth nothing
   */
  static void requireAll(Connection connection, List<RegionInfo> regions, TableRows rows)
      throws IOException {
    try (Table table = connection.getTable(regions.get(0).getTable())) {
      int next = 0;
      for (RegionInfo region : regions) {
        RowRange expected = rows.in(region);
        requireEqual(region, next, expected.from());
        next = read(table, region, rows, expected);
        requireEqual(region, next, expected.to());
      }
      requireEqual(regions.get(regions.size() - 1), next, rows.all().to());
    }
  }

  private static int read(Table table, RegionInfo region, TableRows rows, RowRange expected)
      throws IOException {
    Scan scan = new Scan().withStartRow(region.getStartKey()).withStopRow(region.getEndKey());
    int next = expected.from();
    long bytes = 0;
    try (ResultScanner scanner = table.getScanner(scan.setCacheBlocks(false))) {
      for (Result result : scanner) {
        if (next == expected.to() || !Bytes.equals(result.getRow(), rows.key(next))) {
          throw new IOException("an unexpected row in " + region + ": " + result);
        }
        for (Cell cell : result.rawCells()) {
          bytes += cell.getSerializedSize();
        }
        next++;
      }
    }
    requireEqual(region, bytes, rows.bytes(expected));
    return next;
  }

  private static void requireEqual(RegionInfo region, long found, long expected)
      throws IOException {
    if (found != expected) {
      throw new IOException(region + " found=" + found + " expected=" + expected);
    }
  }
}
