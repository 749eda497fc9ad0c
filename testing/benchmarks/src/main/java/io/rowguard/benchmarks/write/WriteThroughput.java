package io.rowguard.benchmarks.write;

import io.rowguard.benchmarks.Benchmark;
import io.rowguard.benchmarks.BenchmarkCluster;
import io.rowguard.benchmarks.Lap;
import io.rowguard.benchmarks.MarkdownTable;
import io.rowguard.benchmarks.Quantiles;
import io.rowguard.benchmarks.Race;
import java.io.IOException;
import java.io.PrintStream;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.util.Bytes;

/** Measures what is left of a table's write throughput with each {@link Guard}. */
public final class WriteThroughput implements Benchmark {
  private static final int CLIENTS = 4;
  private static final String COUNT = "%,.0f";
  private static final String SHARE = "%.3f";
  private static final int INDEX_BLOCK_BYTES = 128 * 1024;
  private static final int REGION_BATCHES = 1_000;
  private static final int CLUSTER_BATCHES = 1_000;
  private static final byte[][] SPLITS = {
    Bytes.toBytes("4"), Bytes.toBytes("8"), Bytes.toBytes("c")
  };

  /** Made by name. */
  public WriteThroughput() {}

  @Override
  public void run(PrintStream out) throws Exception {
    try (BenchmarkCluster cluster = BenchmarkCluster.withIndexBlocksOf(INDEX_BLOCK_BYTES)) {
      out.printf("### One region, one thread, no client, no write-ahead log%n%n");
      report(out, regionRace(cluster), "processor time, ns per row");
      for (Durability durability : List.of(Durability.SKIP_WAL, Durability.USE_DEFAULT)) {
        String wal = durability == Durability.SKIP_WAL ? "without" : "with";
        out.printf("### Cluster, %d threads, %s write-ahead log%n%n", CLIENTS, wal);
        report(out, clusterRace(cluster, durability), "processor time of all, ns per row");
      }
    }
  }

  private static Race<Guard> regionRace(BenchmarkCluster cluster) throws Exception {
    WrittenRows rows = new WrittenRows(REGION_BATCHES);
    Map<Guard, HRegion> regions = new EnumMap<>(Guard.class);
    for (Map.Entry<Guard, TableName> table : create(cluster, "region-", null, rows).entrySet()) {
      regions.put(table.getKey(), cluster.regions(table.getValue()).get(0));
    }
    return new RegionWriter(regions, rows).race();
  }

  private static Race<Guard> clusterRace(BenchmarkCluster cluster, Durability durability)
      throws Exception {
    WrittenRows rows = new WrittenRows(CLUSTER_BATCHES);
    Map<Guard, TableName> tables = create(cluster, "cluster-" + durability + "-", SPLITS, rows);
    List<List<Put>> batches = rows.batches(durability);
    Map<Guard, ClusterWriter.Target<?>> targets = new EnumMap<>(Guard.class);
    tables.forEach(
        (guard, name) ->
            targets.put(guard, ClusterWriter.Target.of(name, Connection::getTable, batches)));
    try (ClusterWriter<Guard> writer = new ClusterWriter<>(cluster, targets, CLIENTS)) {
      return writer.race(Guard.EMPTY);
    }
  }

  private static Map<Guard, TableName> create(
      BenchmarkCluster cluster, String prefix, byte[][] splits, WrittenRows rows)
      throws IOException {
    Map<Guard, TableName> tables = new EnumMap<>(Guard.class);
    try (Admin admin = cluster.connection().getAdmin()) {
      for (Guard guard : Guard.values()) {
        TableName name = TableName.valueOf(prefix + guard.name());
        admin.createTable(guard.table(name), splits);
        tables.put(guard, name);
        try (Table table = cluster.connection().getTable(name)) {
          prove(guard, table, rows);
        }
      }
    }
    return tables;
  }

  /** A guard that is not there would be a fast one. */
  private static void prove(Guard guard, Table table, WrittenRows rows) {
    boolean refused = false;
    try {
      table.put(rows.bad());
    } catch (IOException e) {
      refused = true;
    }
    if (refused != guard.refuses()) {
      throw new IllegalStateException(guard + ": bad row refused=" + refused);
    }
  }

  private static void report(PrintStream out, Race<Guard> race, String cpu) {
    MarkdownTable table =
        new MarkdownTable(
            "table",
            "time, ns per row",
            "quartiles",
            cpu,
            "throughput against empty",
            "quartiles",
            "by processor time",
            "quartiles");
    for (Guard guard : Guard.values()) {
      Quantiles time = race.cost(guard, Lap::nanos);
      Quantiles ratio = race.ratio(guard, Lap::nanos);
      Quantiles cpuRatio = race.ratio(guard, Lap::cpuNanos);
      table.add(
          List.of(
              guard.toString(),
              time.median(COUNT),
              time.quartiles(COUNT),
              race.cost(guard, Lap::cpuNanos).median(COUNT),
              ratio.median(SHARE),
              ratio.quartiles(SHARE),
              cpuRatio.median(SHARE),
              cpuRatio.quartiles(SHARE)));
    }
    table.print(out);
    out.printf("%,d rounds.%n%n", race.rounds());
  }
}
