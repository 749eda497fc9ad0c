package io.rowguard.benchmarks.relayout;

import io.rowguard.benchmarks.BenchmarkCluster;
import io.rowguard.client.SaltedTable;
import io.rowguard.config.Guards;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/** Makes and fills a guarded table of ids of {@link ChangingTable#BUCKETS_BEFORE} buckets. */
final class StoredIds {
  static final int VALUE_BYTES = 100;

  private static final int WRITERS = 4;
  private static final int ROWS_OF_A_BATCH = 1_000;

  private StoredIds() {}

  /** Ids from 0 in their order, as a database hands them out, by several writers; flushed. */
  static void fill(Connection connection, TableName name, long rows) throws Exception {
    try (Admin admin = connection.getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(name)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(ChangingTable.FAMILY))
              .setCoprocessor(BenchmarkCluster.observer())
              .setRegionSplitPolicyClassName(Guards.POLICY)
              .setValue(
                  "rowguard.layout", ChangingTable.layout(ChangingTable.BUCKETS_BEFORE).toString())
              .build(),
          IntStream.range(1, ChangingTable.BUCKETS_BEFORE)
              .mapToObj(salt -> Bytes.toBytes(String.format(Locale.ROOT, "%02d-", salt)))
              .toArray(byte[][]::new));
      ExecutorService threads = Executors.newFixedThreadPool(WRITERS);
      try {
        List<Future<Void>> writers = new ArrayList<>();
        for (int i = 0; i < WRITERS; i++) {
          long from = rows * i / WRITERS;
          long to = rows * (i + 1) / WRITERS;
          writers.add(threads.submit(() -> fill(connection, name, from, to)));
        }
        for (Future<Void> writer : writers) {
          writer.get();
        }
      } finally {
        threads.shutdownNow();
      }
      admin.flush(name);
    }
  }

  private static Void fill(Connection connection, TableName name, long from, long to)
      throws IOException {
    byte[] value = new byte[VALUE_BYTES];
    try (Table table = SaltedTable.open(connection, name)) {
      for (long first = from; first < to; first += ROWS_OF_A_BATCH) {
        table.put(
            LongStream.range(first, Math.min(to, first + ROWS_OF_A_BATCH))
                .mapToObj(
                    id ->
                        new Put(ChangingTable.id(id))
                            .addColumn(ChangingTable.FAMILY, ChangingTable.QUALIFIER, value))
                .collect(Collectors.toList()));
      }
    }
    return null;
  }
}
