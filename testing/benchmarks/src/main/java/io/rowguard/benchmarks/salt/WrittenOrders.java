package io.rowguard.benchmarks.salt;

import io.rowguard.layout.RowkeyLayout;
import java.io.IOException;
import java.util.List;
import java.util.TreeSet;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.util.Bytes;

/** The rows of a table in the end: a writer that loses rows would be a fast one. */
final class WrittenOrders {
  private static final int CACHING = 10_000;

  private WrittenOrders() {}

  /**
   * Holds a table to what was written to it.
   *
   * @throws IllegalStateException unless it has the salted rows of these ids and no other row
   */
  static void prove(Connection connection, TableName name, RowkeyLayout layout, List<byte[]> ids)
      throws IOException {
    TreeSet<byte[]> missing = new TreeSet<>(Bytes.BYTES_COMPARATOR);
    ids.forEach(id -> missing.add(layout.complete(id)));
    Scan scan = new Scan().setCaching(CACHING).setFilter(new FirstKeyOnlyFilter());
    try (Table table = connection.getTable(name);
        ResultScanner scanner = table.getScanner(scan)) {
      for (Result result : scanner) {
        if (!missing.remove(result.getRow())) {
          throw new IllegalStateException(
              "table=" + name + " unexpected row=" + Bytes.toStringBinary(result.getRow()));
        }
      }
    }
    if (!missing.isEmpty()) {
      throw new IllegalStateException("table=" + name + " missing rows=" + missing.size());
    }
  }
}
