package io.rowguard.benchmarks.group;

import io.rowguard.benchmarks.Benchmark;
import io.rowguard.benchmarks.BenchmarkCluster;
import io.rowguard.benchmarks.Lap;
import io.rowguard.benchmarks.MarkdownTable;
import io.rowguard.benchmarks.Quantiles;
import io.rowguard.benchmarks.Race;
import io.rowguard.benchmarks.write.ClusterWriter;
import io.rowguard.client.SaltedTable;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;

/**
 * Measures transactions of two rows of an entity group beside the same two rows written without
 * one, each way to a table of its own.
 */
public final class GroupCommits implements Benchmark {
  private static final String COUNT = "%,.0f";
  private static final String SHARE = "%.3f";
  private static final int CUSTOMERS = 4_000;
  private static final int CLIENTS = 32;
  private static final int SERVERS = 2;

  /** Made by name. */
  public GroupCommits() {}

  @Override
  public void run(PrintStream out) throws Exception {
    try (BenchmarkCluster cluster = BenchmarkCluster.ofServers(SERVERS)) {
      Map<Transfer, ClusterWriter.Target<?>> targets = new EnumMap<>(Transfer.class);
      List<List<Put>> transfers = Accounts.transfers(CUSTOMERS);
      for (Transfer way : Transfer.values()) {
        TableName name = TableName.valueOf("accounts-" + way.name());
        Accounts.create(cluster.connection(), name, CUSTOMERS);
        List<ClusterWriter.Call<Table>> calls = new ArrayList<>();
        transfers.forEach(both -> calls.add(table -> way.send(table, both)));
        targets.put(way, new ClusterWriter.Target<>(name, SaltedTable::open, calls, 2 * CUSTOMERS));
      }
      out.printf("### Two rows of a customer, %d threads%n%n", CLIENTS);
      try (ClusterWriter<Transfer> writer = new ClusterWriter<>(cluster, targets, CLIENTS)) {
        report(out, writer.race(Transfer.PUTS));
      }
      for (ClusterWriter.Target<?> target : targets.values()) {
        Accounts.prove(cluster.connection(), target.name(), CUSTOMERS);
      }
    }
  }

  private static void report(PrintStream out, Race<Transfer> race) {
    MarkdownTable table =
        new MarkdownTable(
            "way",
            "time, ns per pair of rows",
            "quartiles",
            "processor time of all, ns per pair",
            "throughput against two puts",
            "quartiles");
    for (Transfer way : Transfer.values()) {
      Quantiles time = race.cost(way, lap -> 2 * lap.nanos());
      Quantiles ratio = race.ratio(way, Lap::nanos);
      table.add(
          List.of(
              way.toString(),
              time.median(COUNT),
              time.quartiles(COUNT),
              race.cost(way, lap -> 2 * lap.cpuNanos()).median(COUNT),
              ratio.median(SHARE),
              ratio.quartiles(SHARE)));
    }
    table.print(out);
    out.printf("%,d rounds.%n%n", race.rounds());
  }
}
