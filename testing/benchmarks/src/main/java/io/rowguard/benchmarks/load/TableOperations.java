package io.rowguard.benchmarks.load;

import java.io.IOException;
import java.util.EnumMap;
import java.util.Map;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Table;

/** Writes to tables and reads them with HBase's client. */
final class TableOperations implements SampledOperations {
  private static final int PUTS_AT_ONCE = 100;
  private static final int PUTS = 2_000;
  private static final int GETS = 200;
  private static final int SCANNED = 20_000;

  private final Connection connection;
  private final Map<SampleRate, Table> tables;
  private final SampledRows rows;

  TableOperations(Connection connection, Map<SampleRate, Table> tables, SampledRows rows) {
    this.connection = connection;
    this.tables = new EnumMap<>(tables);
    this.rows = rows;
  }

  @Override
  public int put(SampleRate sampling) throws IOException {
    for (int count = 0; count < PUTS; count += PUTS_AT_ONCE) {
      tables.get(sampling).put(rows.puts(PUTS_AT_ONCE));
    }
    return PUTS;
  }

  @Override
  public int get(SampleRate sampling) throws IOException {
    for (int i = 0; i < GETS; i++) {
      if (tables.get(sampling).get(rows.get()).isEmpty()) {
        throw new IllegalStateException("a row is missing");
      }
    }
    return GETS;
  }

  @Override
  public int scan(SampleRate sampling) throws IOException {
    try (ResultScanner scanner =
        tables.get(sampling).getScanner(rows.scan(SCANNED).setLimit(SCANNED))) {
      int count = 0;
      while (scanner.next() != null) {
        count++;
      }
      if (count != SCANNED) {
        throw new IllegalStateException("rows are missing: only " + count);
      }
    }
    return SCANNED;
  }

  @Override
  public void flush() throws IOException {
    try (Admin admin = connection.getAdmin()) {
      for (Table table : tables.values()) {
        admin.flush(table.getName());
      }
    }
  }
}
