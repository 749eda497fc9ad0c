package io.rowguard.benchmarks.salt;

import io.rowguard.benchmarks.Benchmark;
import io.rowguard.benchmarks.BenchmarkCluster;
import io.rowguard.benchmarks.Lap;
import io.rowguard.benchmarks.MarkdownTable;
import io.rowguard.benchmarks.Quantiles;
import io.rowguard.benchmarks.Race;
import io.rowguard.benchmarks.write.ClusterWriter;
import io.rowguard.client.SaltedAsyncConnection;
import io.rowguard.client.SaltedConnection;
import io.rowguard.layout.RowkeyLayout;
import java.io.IOException;
import java.io.PrintStream;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;

/**
 * Writes and reads of bare keys through the connections that properties name, against the same
 * client of HBase on rows that its user has salted.
 */
public final class PropertyWrites implements Benchmark {
  private static final int BUCKETS = 16;
  private static final int ROWS = 64_000;
  private static final int SINGLE_ROWS = 8_000;
  private static final int CLIENTS = 32;
  private static final int LARGE_BATCH = 1_000;
  private static final int SERVERS = 2;

  /** More than elsewhere: two rounds differ by more than two clients. */
  private static final int WRITE_ROUNDS = 160;

  private static final int READ_ROUNDS = 40;

  private static final RowkeyLayout LAYOUT = Orders.layout(BUCKETS);

  private final List<byte[]> ids = Orders.random(ROWS);
  private final List<byte[]> few = Orders.random(SINGLE_ROWS);

  /** Made by name. */
  public PropertyWrites() {}

  /** The connection that a client works with, and what its user makes. */
  private enum Way {
    OWN("HBase's, rows salted by its user"),
    BY_PROPERTY("Rowguard's, bare keys");

    private final String words;

    Way(String words) {
      this.words = words;
    }

    byte[] row(byte[] id) {
      return this == BY_PROPERTY ? id : LAYOUT.complete(id);
    }

    BufferedMutator buffer(Connection connection, TableName name) throws IOException {
      // A connection over another one is not closed: that would close the other, too.
      return (this == BY_PROPERTY ? SaltedConnection.over(connection) : connection)
          .getBufferedMutator(name);
    }

    AsyncTable<?> table(AsyncConnection connection, TableName name) {
      return (this == BY_PROPERTY ? SaltedAsyncConnection.over(connection) : connection)
          .getTable(name);
    }
  }

  /** How a way is made what is measured. */
  private interface Targets {
    ClusterWriter.Target<?> of(Way way);
  }

  @Override
  public void run(PrintStream out) throws Exception {
    try (BenchmarkCluster cluster = BenchmarkCluster.ofServers(SERVERS);
        AsyncConnection connection =
            ConnectionFactory.createAsyncConnection(cluster.connection().getConfiguration())
                .get()) {
      buffers(out, cluster, "buffer", Orders.BATCH);
      buffers(out, cluster, "large-buffer", LARGE_BATCH);
      batches(out, cluster, connection);
      singles(out, cluster, connection);
    }
  }

  private void buffers(PrintStream out, BenchmarkCluster cluster, String prefix, int flushed)
      throws Exception {
    create(cluster, prefix);
    print(
        out,
        String.format("`BufferedMutator`, flushed after %,d rows", flushed),
        race(
            cluster,
            table(prefix),
            WRITE_ROUNDS,
            way ->
                ClusterWriter.Target.of(
                    table(prefix),
                    way::buffer,
                    (buffer, batch) -> {
                      buffer.mutate(batch);
                      buffer.flush();
                    },
                    Orders.batches(ids, way::row, flushed)),
            ids));
  }

  private void batches(PrintStream out, BenchmarkCluster cluster, AsyncConnection connection)
      throws Exception {
    create(cluster, "async");
    print(
        out,
        String.format("`AsyncTable`, %,d rows at once", Orders.BATCH),
        race(
            cluster,
            table("async"),
            WRITE_ROUNDS,
            way ->
                ClusterWriter.Target.of(
                    table("async"),
                    (unused, name) -> way.table(connection, name),
                    (table, batch) -> table.putAll(batch).get(),
                    Orders.batches(ids, way::row, Orders.BATCH)),
            ids));
  }

  private void singles(PrintStream out, BenchmarkCluster cluster, AsyncConnection connection)
      throws Exception {
    create(cluster, "single-async");
    print(
        out,
        "`AsyncTable`, one by one",
        race(
            cluster,
            table("single-async"),
            WRITE_ROUNDS,
            way ->
                ClusterWriter.Target.of(
                    table("single-async"),
                    (unused, name) -> way.table(connection, name),
                    (AsyncTable<?> table, List<Put> one) -> table.put(one.get(0)).get(),
                    Orders.batches(few, way::row, 1)),
            few));
    create(cluster, "gets");
    try (Table table = cluster.connection().getTable(table("gets"))) {
      for (List<Put> batch : Orders.batches(few, LAYOUT::complete)) {
        table.put(batch);
      }
    }
    print(
        out,
        "`AsyncTable`, Gets one by one",
        race(
            cluster,
            table("gets"),
            READ_ROUNDS,
            way ->
                ClusterWriter.Target.of(
                    table("gets"),
                    (unused, name) -> way.table(connection, name),
                    (AsyncTable<?> table, List<Get> one) -> get(table, one),
                    Orders.gets(few, way::row)),
            few));
  }

  private static void get(AsyncTable<?> table, List<Get> one) throws Exception {
    if (table.get(one.get(0)).get().isEmpty()) {
      throw new IllegalStateException("no row " + one);
    }
  }

  private static TableName table(String prefix) {
    return TableName.valueOf("property-" + prefix);
  }

  /** One for all ways, which write the same rows: two tables would differ by more than two ways. */
  private static void create(BenchmarkCluster cluster, String prefix) throws Exception {
    try (Admin admin = cluster.connection().getAdmin()) {
      admin.createTable(Orders.salted(table(prefix), BUCKETS), Orders.bucketSplits(BUCKETS));
    }
  }

  /**
   * @param left the ids of the rows that the table has in the end, which is dropped then
   */
  private static Race<Way> race(
      BenchmarkCluster cluster, TableName name, int rounds, Targets of, List<byte[]> left)
      throws Exception {
    Map<Way, ClusterWriter.Target<?>> targets = new EnumMap<>(Way.class);
    for (Way way : Way.values()) {
      targets.put(way, of.of(way));
    }
    try (ClusterWriter<Way> writer = new ClusterWriter<>(cluster, targets, CLIENTS)) {
      Race<Way> race = writer.race(Way.OWN, rounds);
      WrittenOrders.prove(cluster.connection(), name, LAYOUT, left);
      cluster.drop(name); // each round leaves a file a region open
      return race;
    }
  }

  private static void print(PrintStream out, String heading, Race<Way> race) {
    out.printf("### %s%n%n", heading);
    MarkdownTable table =
        new MarkdownTable(
            "connection",
            "time, ns per row",
            "quartiles",
            "processor time of all, ns per row",
            "throughput against HBase's",
            "quartiles",
            "the same by processor time",
            "quartiles");
    for (Way way : Way.values()) {
      Quantiles time = race.cost(way, Lap::nanos);
      Quantiles ratio = race.ratio(way, Lap::nanos);
      Quantiles cpuRatio = race.ratio(way, Lap::cpuNanos);
      table.add(
          List.of(
              way.words,
              time.median("%,.0f"),
              time.quartiles("%,.0f"),
              race.cost(way, Lap::cpuNanos).median("%,.0f"),
              ratio.median("%.3f"),
              ratio.quartiles("%.3f"),
              cpuRatio.median("%.3f"),
              cpuRatio.quartiles("%.3f")));
    }
    table.print(out);
    out.printf("%,d rounds.%n%n", race.rounds());
  }
}
