package io.rowguard.benchmarks.salt;

import io.rowguard.benchmarks.Benchmark;
import io.rowguard.benchmarks.BenchmarkCluster;
import io.rowguard.benchmarks.Lap;
import io.rowguard.benchmarks.MarkdownTable;
import io.rowguard.benchmarks.Quantiles;
import io.rowguard.benchmarks.Race;
import io.rowguard.benchmarks.write.ClusterWriter;
import io.rowguard.client.SaltedTable;
import io.rowguard.layout.RowkeyLayout;
import java.io.IOException;
import java.io.PrintStream;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.regionserver.HRegion;

/** Measures what it costs to let another salt the keys, against a writer that does it itself. */
public final class SaltWrites implements Benchmark {
  private static final String COUNT = "%,.0f";
  private static final String SHARE = "%.3f";
  private static final int BUCKETS = 16;
  private static final int ROWS = 64_000;
  private static final int SINGLE_ROWS = 8_000;
  private static final int CLIENTS = 32;
  private static final int LARGE_BATCH = 1_000;
  private static final int SERVERS = 2;
  private static final RowkeyLayout LAYOUT = Orders.layout(BUCKETS);

  /** The side that salts. */
  private enum Way {
    WRITER("the writer"),
    CLIENT("`SaltedTable`"),
    SERVER("the servers");

    private final String words;

    Way(String words) {
      this.words = words;
    }

    /** The table of its own. */
    TableName table(String prefix) {
      return TableName.valueOf(prefix + "-" + name());
    }

    /** The row that is written. */
    byte[] row(byte[] id) {
      return this == WRITER ? LAYOUT.complete(id) : id;
    }

    Table open(Connection connection, TableName name) throws IOException {
      return this == CLIENT ? SaltedTable.open(connection, name) : connection.getTable(name);
    }
  }

  /** Made by name. */
  public SaltWrites() {}

  @Override
  public void run(PrintStream out) throws Exception {
    try (BenchmarkCluster cluster = BenchmarkCluster.ofServers(SERVERS)) {
      List<byte[]> random = Orders.random(ROWS);
      List<byte[]> few = random.subList(0, SINGLE_ROWS);
      out.printf("### Ids in their order%n%n");
      report(out, race(cluster, "sequential", Orders.sequential(ROWS), Orders.BATCH));
      out.printf("### Ids from anywhere%n%n");
      report(out, race(cluster, "random", random, Orders.BATCH));
      out.printf("### Ids from anywhere, %,d rows at once%n%n", LARGE_BATCH);
      report(out, race(cluster, "large", random, LARGE_BATCH));
      out.printf("### Ids from anywhere, one by one%n%n");
      report(out, race(cluster, "single", few, 1));
      compact(cluster, "single");
      out.printf("### Gets of ids from anywhere, one by one%n%n");
      report(out, race(cluster, "single", way -> Orders.gets(few, way::row), few));
      out.printf("### Deletes of ids from anywhere%n%n");
      report(out, race(cluster, "large", way -> Orders.deletes(random, way::row), List.of()));
    }
  }

  private static Race<Way> race(
      BenchmarkCluster cluster, String prefix, List<byte[]> ids, int batch) throws Exception {
    try (Admin admin = cluster.connection().getAdmin()) {
      for (Way way : Way.values()) {
        admin.createTable(Orders.salted(way.table(prefix), BUCKETS), Orders.bucketSplits(BUCKETS));
      }
    }
    return race(cluster, prefix, way -> Orders.batches(ids, way::row, batch), ids);
  }

  /** On tables that are there; in the end they have the rows of these ids. */
  private static Race<Way> race(
      BenchmarkCluster cluster,
      String prefix,
      Function<Way, List<? extends List<? extends Row>>> batches,
      List<byte[]> left)
      throws Exception {
    Map<Way, ClusterWriter.Target<?>> targets = new EnumMap<>(Way.class);
    for (Way way : Way.values()) {
      targets.put(way, ClusterWriter.Target.of(way.table(prefix), way::open, batches.apply(way)));
    }
    try (ClusterWriter<Way> writer = new ClusterWriter<>(cluster, targets, CLIENTS)) {
      Race<Way> race = writer.race(Way.WRITER);
      for (ClusterWriter.Target<?> target : targets.values()) {
        WrittenOrders.prove(cluster.connection(), target.name(), LAYOUT, left);
      }
      return race;
    }
  }

  /**
   * Leaves one file of each region: every lap of writes left one, and a Get would read them all.
   */
  private static void compact(BenchmarkCluster cluster, String prefix) throws IOException {
    for (Way way : Way.values()) {
      for (HRegion region : cluster.regions(way.table(prefix))) {
        region.flush(true);
        region.compact(true);
      }
    }
  }

  private static void report(PrintStream out, Race<Way> race) {
    MarkdownTable table =
        new MarkdownTable(
            "who salts",
            "time, ns per row",
            "quartiles",
            "processor time of all, ns per row",
            "throughput against the writer's own",
            "quartiles");
    for (Way way : Way.values()) {
      Quantiles time = race.cost(way, Lap::nanos);
      Quantiles ratio = race.ratio(way, Lap::nanos);
      table.add(
          List.of(
              way.words,
              time.median(COUNT),
              time.quartiles(COUNT),
              race.cost(way, Lap::cpuNanos).median(COUNT),
              ratio.median(SHARE),
              ratio.quartiles(SHARE)));
    }
    table.print(out);
    out.printf("%,d rounds.%n%n", race.rounds());
  }
}
