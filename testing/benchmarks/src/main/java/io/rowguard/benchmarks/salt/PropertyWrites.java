package io.rowguard.benchmarks.salt;

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

/**
 * Writes and reads of bare keys through the connections that properties name, against the same
 * client of HBase on rows that its user has salted.
 */
final class PropertyWrites {
  private static final int BUCKETS = 16;
  private static final int CLIENTS = 32;
  private static final int LARGE_BATCH = 1_000;

  /** More than elsewhere: the differences are small. */
  private static final int ROUNDS = 40;

  private static final RowkeyLayout LAYOUT = Orders.layout(BUCKETS);

  private final BenchmarkCluster cluster;
  private final List<byte[]> ids;
  private final List<byte[]> few;

  /**
   * @param ids of rows that are written many at once
   * @param few of rows that are written and read one by one
   */
  PropertyWrites(BenchmarkCluster cluster, List<byte[]> ids, List<byte[]> few) {
    this.cluster = cluster;
    this.ids = ids;
    this.few = few;
  }

  /** The connection that a client works with, and what its user makes. */
  private enum Way {
    OWN("HBase's, rows salted by its user"),
    BY_PROPERTY("Rowguard's, bare keys");

    private final String words;

    Way(String words) {
      this.words = words;
    }

    TableName table(String prefix) {
      return TableName.valueOf("property-" + prefix + "-" + name());
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

  void report(PrintStream out) throws Exception {
    buffers(out, "buffer", Orders.BATCH);
    buffers(out, "large-buffer", LARGE_BATCH);
    try (AsyncConnection connection =
        ConnectionFactory.createAsyncConnection(cluster.connection().getConfiguration()).get()) {
      batches(out, connection);
      singles(out, connection);
    }
  }

  private void buffers(PrintStream out, String prefix, int flushed) throws Exception {
    create(prefix);
    print(
        out,
        String.format("`BufferedMutator`, flushed after %,d rows", flushed),
        race(
            way ->
                ClusterWriter.Target.of(
                    way.table(prefix),
                    way::buffer,
                    (buffer, batch) -> {
                      buffer.mutate(batch);
                      buffer.flush();
                    },
                    Orders.batches(ids, way::row, flushed)),
            ids));
  }

  private void batches(PrintStream out, AsyncConnection connection) throws Exception {
    create("async");
    print(
        out,
        String.format("`AsyncTable`, %,d rows at once", Orders.BATCH),
        race(
            way ->
                ClusterWriter.Target.of(
                    way.table("async"),
                    (unused, name) -> way.table(connection, name),
                    (table, batch) -> table.putAll(batch).get(),
                    Orders.batches(ids, way::row, Orders.BATCH)),
            ids));
  }

  private void singles(PrintStream out, AsyncConnection connection) throws Exception {
    create("single-async");
    print(
        out,
        "`AsyncTable`, one by one",
        race(
            way ->
                ClusterWriter.Target.of(
                    way.table("single-async"),
                    (unused, name) -> way.table(connection, name),
                    (AsyncTable<?> table, List<Put> one) -> table.put(one.get(0)).get(),
                    Orders.batches(few, way::row, 1)),
            few));
    print(
        out,
        "`AsyncTable`, Gets one by one",
        race(
            way ->
                ClusterWriter.Target.of(
                    way.table("single-async"),
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

  private void create(String prefix) throws Exception {
    try (Admin admin = cluster.connection().getAdmin()) {
      for (Way way : Way.values()) {
        admin.createTable(Orders.salted(way.table(prefix), BUCKETS), Orders.bucketSplits(BUCKETS));
      }
    }
  }

  /**
   * @param left the ids of the rows that the tables have in the end
   */
  private Race<Way> race(Targets of, List<byte[]> left) throws Exception {
    Map<Way, ClusterWriter.Target<?>> targets = new EnumMap<>(Way.class);
    for (Way way : Way.values()) {
      targets.put(way, of.of(way));
    }
    try (ClusterWriter<Way> writer = new ClusterWriter<>(cluster, targets, CLIENTS)) {
      Race<Way> race = writer.race(Way.OWN, ROUNDS);
      for (ClusterWriter.Target<?> target : targets.values()) {
        WrittenOrders.prove(cluster.connection(), target.name(), LAYOUT, left);
      }
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
