package io.rowguard.benchmarks.salt;

import com.sun.management.OperatingSystemMXBean;
import io.rowguard.benchmarks.BenchmarkCluster;
import io.rowguard.benchmarks.Lap;
import io.rowguard.client.SaltedAsyncConnection;
import io.rowguard.client.SaltedTable;
import java.io.Closeable;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.function.UnaryOperator;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.util.Bytes;

/** The same rows in a salted and in an unsalted table, in store files, and the scans of them. */
final class ScannedOrders {
  private static final int CACHING = 1_000;
  private static final OperatingSystemMXBean SYSTEM =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

  private final Connection connection;
  private final AsyncConnection async;
  private final int rows;
  private final int buckets;
  private final TableName salted;
  private final TableName unsalted;

  private ScannedOrders(Connection connection, AsyncConnection async, int rows, int buckets) {
    this.connection = connection;
    this.async = async;
    this.rows = rows;
    this.buckets = buckets;
    this.salted = TableName.valueOf("salted-" + buckets);
    this.unsalted = TableName.valueOf("unsalted-" + buckets);
  }

  /** Writes both tables, with as many regions as there are buckets. */
  static ScannedOrders write(
      BenchmarkCluster cluster, AsyncConnection async, List<byte[]> ids, int buckets)
      throws IOException {
    ScannedOrders orders = new ScannedOrders(cluster.connection(), async, ids.size(), buckets);
    try (Admin admin = cluster.connection().getAdmin()) {
      admin.createTable(Orders.salted(orders.salted, buckets), Orders.bucketSplits(buckets));
      admin.createTable(Orders.unsalted(orders.unsalted), Orders.idSplits(ids.size(), buckets));
    }
    orders.fill(orders.salted, ids, Orders.layout(buckets)::complete);
    orders.fill(orders.unsalted, ids, UnaryOperator.identity());
    for (TableName table : orders.tables()) {
      for (HRegion region : cluster.regions(table)) {
        region.flush(true);
      }
    }
    return orders;
  }

  List<TableName> tables() {
    return List.of(salted, unsalted);
  }

  /** Reads all rows one way. */
  Lap scan(ScanWay way) throws IOException {
    System.gc();
    long cpu = SYSTEM.getProcessCpuTime();
    long began = System.nanoTime();
    try (Scanned table = open(way)) {
      if (way == ScanWay.ONE_BY_ONE) {
        readBuckets(table);
      } else {
        readAll(table, scanOf(way));
      }
    }
    double nanos = System.nanoTime() - began;
    return new Lap(nanos / rows, (SYSTEM.getProcessCpuTime() - cpu) / (double) rows);
  }

  /**
   * Reads the first rows only, and closes the scan, which is a part of it.
   *
   * @param limited whether the scan is told that there will be no more
   */
  Lap firstRows(ScanWay way, int count, boolean limited) throws IOException {
    try (Scanned table = open(way)) {
      Scan scan = scanOf(way).setLimit(limited ? count : -1);
      long began = System.nanoTime();
      try (ResultScanner scanner = table.scan(scan)) {
        for (int i = 0; i < count; i++) {
          if (scanner.next() == null) {
            throw new IllegalStateException(way + ": no row " + i);
          }
        }
      }
      return new Lap(System.nanoTime() - began, 0);
    }
  }

  /** A table as far as it is scanned. */
  private record Scanned(Opener opener, Closeable table) implements Closeable {
    interface Opener {
      ResultScanner open(Scan scan) throws IOException;
    }

    static Scanned of(Table table) {
      return new Scanned(table::getScanner, table);
    }

    static Scanned of(AsyncTable<?> table) {
      return new Scanned(table::getScanner, () -> {});
    }

    ResultScanner scan(Scan scan) throws IOException {
      return opener.open(scan);
    }

    @Override
    public void close() throws IOException {
      table.close();
    }
  }

  private Scanned open(ScanWay way) throws IOException {
    return switch (way) {
      case PLAIN, PREFETCHING -> Scanned.of(connection.getTable(unsalted));
      case ASYNC -> Scanned.of(async.getTable(unsalted));
      case SALTED -> Scanned.of(SaltedTable.open(connection, salted));
      case SALTED_ASYNC -> Scanned.of(SaltedAsyncConnection.over(async).getTable(salted));
      case ONE_BY_ONE -> Scanned.of(connection.getTable(salted));
    };
  }

  private static Scan scanOf(ScanWay way) {
    return new Scan().setCaching(CACHING).setAsyncPrefetch(way == ScanWay.PREFETCHING);
  }

  private void readAll(Scanned table, Scan scan) throws IOException {
    int found = 0;
    byte[] last = {};
    try (ResultScanner scanner = table.scan(scan)) {
      for (Result result : scanner) {
        byte[] row = result.getRow();
        if (Bytes.compareTo(last, row) >= 0) {
          throw new IllegalStateException("out of order: " + Bytes.toStringBinary(row));
        }
        last = row;
        found++;
      }
    }
    expect(found);
  }

  private void readBuckets(Scanned table) throws IOException {
    byte[][] starts = Orders.bucketSplits(buckets);
    int found = 0;
    for (int bucket = 0; bucket < buckets; bucket++) {
      Scan scan = scanOf(ScanWay.ONE_BY_ONE);
      scan.withStartRow(bucket == 0 ? new byte[0] : starts[bucket - 1]);
      scan.withStopRow(bucket == buckets - 1 ? new byte[0] : starts[bucket]);
      try (ResultScanner scanner = table.scan(scan)) {
        for (Result result : scanner) {
          found += result.isEmpty() ? 0 : 1;
        }
      }
    }
    expect(found);
  }

  private void expect(int found) {
    if (found != rows) {
      throw new IllegalStateException("found=" + found + " written=" + rows);
    }
  }

  private void fill(TableName name, List<byte[]> ids, UnaryOperator<byte[]> row)
      throws IOException {
    int slice = 100_000;
    try (Table table = connection.getTable(name)) {
      for (int from = 0; from < ids.size(); from += slice) {
        List<byte[]> some = ids.subList(from, Math.min(ids.size(), from + slice));
        for (List<Put> batch : Orders.batches(some, row)) {
          table.put(batch);
        }
      }
    }
  }
}
