package io.rowguard.benchmarks.salt;

import com.sun.management.OperatingSystemMXBean;
import io.rowguard.benchmarks.BenchmarkCluster;
import io.rowguard.benchmarks.Lap;
import io.rowguard.client.SaltedTable;
import io.rowguard.layout.RowkeyLayout;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The event table of many articles, {@code random salt + event + date + offset}, and one without
 * the salt. The kinds of event have different numbers of rows, all of one day.
 */
final class EventTables implements AutoCloseable {
  private static final String BARE = "{event:digits(4)}{date:digits(8)}{offset:digits(10)}";
  private static final String DAY = "20251120";
  private static final int CACHING = 1_000;
  private static final int BATCH = 1_000;
  private static final OperatingSystemMXBean SYSTEM =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

  private final BenchmarkCluster cluster;
  private final Connection connection;
  private final RowkeyLayout layout;
  private final int buckets;
  private final TableName salted;
  private final TableName unsalted;
  private final ExecutorService threads;

  private EventTables(BenchmarkCluster cluster, int buckets) throws IOException {
    this.cluster = cluster;
    this.connection = cluster.connection();
    this.layout = RowkeyLayout.parse("{salt:digits(2)=any of " + buckets + "}" + BARE);
    this.buckets = buckets;
    this.salted = TableName.valueOf("chosen-" + buckets);
    this.unsalted = TableName.valueOf("events-" + buckets);
    this.threads = Executors.newFixedThreadPool(buckets);
  }

  /**
   * Writes both tables, one region a bucket, and one where there is no salt.
   *
   * @param rows how many rows the first kind of event has, the second, and so on
   */
  static EventTables write(BenchmarkCluster cluster, int buckets, int... rows) throws IOException {
    EventTables events = new EventTables(cluster, buckets);
    try (Admin admin = events.connection.getAdmin()) {
      admin.createTable(
          Orders.described(events.salted, events.layout.toString()),
          IntStream.range(1, buckets).mapToObj(EventTables::salt).toArray(byte[][]::new));
      admin.createTable(Orders.unsalted(events.unsalted));
    }
    for (int event = 0; event < rows.length; event++) {
      int kind = event;
      events.fill(
          events.salted, rows[event], row -> events.layout.completeIfBare(key(kind, row), row));
      events.fill(events.unsalted, rows[event], row -> key(kind, row));
    }
    for (TableName table : List.of(events.salted, events.unsalted)) {
      for (HRegion region : cluster.regions(table)) {
        region.flush(true);
      }
    }
    return events;
  }

  private static byte[] salt(int bucket) {
    return Bytes.toBytes(String.format(Locale.ROOT, "%02d", bucket));
  }

  private static byte[] key(int event, int row) {
    return Bytes.toBytes(String.format(Locale.ROOT, "%04d%s%010d", event, DAY, row));
  }

  private void fill(TableName name, int rows, IntFunction<byte[]> key) throws IOException {
    byte[] value = Orders.value();
    try (Table table = connection.getTable(name)) {
      for (int from = 0; from < rows; from += BATCH) {
        List<Put> puts = new ArrayList<>(BATCH);
        for (int row = from; row < Math.min(rows, from + BATCH); row++) {
          puts.add(new Put(key.apply(row)).addColumn(Orders.FAMILY, Orders.QUALIFIER, value));
        }
        table.put(puts);
      }
    }
  }

  /**
   * Reads all events of one kind and day.
   *
   * @param rows how many there are
   */
  Lap read(EventWay way, int event, int rows) throws Exception {
    long cpu = SYSTEM.getProcessCpuTime();
    long began = System.nanoTime();
    int found =
        switch (way) {
          case ONE_REGION -> readPrefix(connection.getTable(unsalted), prefix("", event));
          case THREADS -> readBuckets(event);
          case MERGED -> readPrefix(SaltedTable.open(connection, salted), prefix("", event));
        };
    double nanos = System.nanoTime() - began;
    if (found != rows) {
      throw new IllegalStateException(way + ": found=" + found + " written=" + rows);
    }
    return new Lap(nanos / rows, (SYSTEM.getProcessCpuTime() - cpu) / (double) rows);
  }

  private int readBuckets(int event) throws Exception {
    List<Future<Integer>> scans = new ArrayList<>();
    for (int bucket = 0; bucket < buckets; bucket++) {
      byte[] prefix = prefix(Bytes.toString(salt(bucket)), event);
      scans.add(threads.submit(() -> readPrefix(connection.getTable(salted), prefix)));
    }
    int found = 0;
    for (Future<Integer> scan : scans) {
      found += scan.get();
    }
    return found;
  }

  private static byte[] prefix(String salt, int event) {
    return Bytes.toBytes(String.format(Locale.ROOT, "%s%04d%s", salt, event, DAY));
  }

  private static int readPrefix(Table opened, byte[] prefix) throws IOException {
    int found = 0;
    Scan scan = new Scan().setStartStopRowForPrefixScan(prefix).setCaching(CACHING);
    try (Table table = opened;
        ResultScanner scanner = table.getScanner(scan)) {
      for (Result result : scanner) {
        found += result.isEmpty() ? 0 : 1;
      }
    }
    return found;
  }

  @Override
  public void close() throws IOException {
    threads.shutdown();
    cluster.drop(salted);
    cluster.drop(unsalted);
  }
}
