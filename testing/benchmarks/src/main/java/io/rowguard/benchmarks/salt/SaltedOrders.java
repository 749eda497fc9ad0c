package io.rowguard.benchmarks.salt;

import io.rowguard.client.SaltedTable;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;

/** A table of orders behind {@link SaltedTable}. */
final class SaltedOrders implements ComparedTable {
  private final SaltedTable table;

  private SaltedOrders(SaltedTable table) {
    this.table = table;
  }

  static SaltedOrders create(Connection connection, int buckets) throws IOException {
    TableName name = TableName.valueOf("salted");
    try (Admin admin = connection.getAdmin()) {
      admin.createTable(Orders.salted(name, buckets), Orders.bucketSplits(buckets));
    }
    return new SaltedOrders(SaltedTable.open(connection, name));
  }

  @Override
  public String name() {
    return table.getName().getNameAsString();
  }

  @Override
  public void load(List<byte[]> ids) throws IOException {
    for (List<Put> batch : Orders.batches(ids, UnaryOperator.identity(), BATCH)) {
      table.put(batch);
    }
  }

  @Override
  public void scan(List<byte[]> ids) throws IOException {
    read(new Scan(), ids);
  }

  @Override
  public void first(byte[] id) throws IOException {
    read(new Scan().setLimit(1), List.of(id));
  }

  @Override
  public void range(List<byte[]> ids) throws IOException {
    Scan scan = new Scan().withStartRow(ids.get(0)).withStopRow(ids.get(ids.size() - 1), true);
    read(scan, ids);
  }

  private void read(Scan scan, List<byte[]> ids) throws IOException {
    try (ResultScanner scanner = table.getScanner(scan)) {
      for (byte[] id : ids) {
        Result result = scanner.next();
        if (result == null || !Arrays.equals(id, result.getRow())) {
          throw new IllegalStateException("wanted=" + Bytes.toString(id) + " found=" + result);
        }
      }
      if (scanner.next() != null) {
        throw new IllegalStateException("more than " + ids.size());
      }
    }
  }

  @Override
  public void get(byte[] id) throws IOException {
    if (table.get(new Get(id)).getValue(Orders.FAMILY, Orders.QUALIFIER) == null) {
      throw new IllegalStateException("missing: " + Bytes.toString(id));
    }
  }

  @Override
  public void close() throws IOException {
    table.close();
  }
}
