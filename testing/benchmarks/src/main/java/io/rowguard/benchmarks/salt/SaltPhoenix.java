package io.rowguard.benchmarks.salt;

import io.rowguard.benchmarks.Benchmark;
import io.rowguard.benchmarks.BenchmarkCluster;
import io.rowguard.benchmarks.Lap;
import io.rowguard.benchmarks.MarkdownTable;
import io.rowguard.benchmarks.Quantiles;
import io.rowguard.benchmarks.Race;
import java.io.PrintStream;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.regionserver.HRegion;

/**
 * Compares {@code SaltedTable} with a table of Apache Phoenix of as many buckets. Phoenix is on the
 * class path only when {@code run.sh salt-phoenix} runs this.
 */
public final class SaltPhoenix implements Benchmark {
  private static final int SERVERS = 2;
  private static final int BUCKETS = 16;
  private static final int ROWS = 100_000;
  private static final int RANGE = 1_000;
  private static final int WARM_UP_ROUNDS = 3;
  private static final int ROUNDS = 11;
  private static final int SHORT_ROUNDS = 101;
  private static final int TINY_ROUNDS = 1_001;

  private final Random random = new Random(1);

  private enum Way {
    PHOENIX,
    SALTED_TABLE
  }

  /** The measurement of a table, as one lap. */
  private interface Task {
    void run(ComparedTable table) throws Exception;
  }

  /** Made by name. */
  public SaltPhoenix() {}

  @Override
  public void run(PrintStream out) throws Exception {
    try (BenchmarkCluster cluster = BenchmarkCluster.ofServers(SERVERS);
        ComparedTable phoenix = PhoenixOrders.create(cluster.connection(), BUCKETS);
        ComparedTable salted = SaltedOrders.create(cluster.connection(), BUCKETS)) {
      Map<Way, ComparedTable> tables = new EnumMap<>(Map.of(Way.PHOENIX, phoenix));
      tables.put(Way.SALTED_TABLE, salted);
      List<byte[]> ids = Orders.sequential(ROWS);
      MarkdownTable report =
          new MarkdownTable(
              "",
              "Phoenix, ms",
              "quartiles",
              "`SaltedTable`, ms",
              "quartiles",
              "times as fast",
              "quartiles");
      add(report, "load of 100,000 rows", race(tables, ROUNDS, table -> table.load(ids)));
      for (ComparedTable table : tables.values()) {
        for (HRegion region : cluster.regions(TableName.valueOf(table.name()))) {
          region.flush(true);
          region.compact(true); // a flush of Phoenix's leaves all versions of a row
        }
      }
      add(report, "ordered scan of all", race(tables, ROUNDS, table -> table.scan(ids)));
      add(report, "its first row", race(tables, SHORT_ROUNDS, table -> table.first(ids.get(0))));
      add(
          report,
          "range of 1,000 rows",
          race(tables, TINY_ROUNDS, table -> table.range(some(ids))));
      add(
          report,
          "point get",
          race(tables, TINY_ROUNDS, table -> table.get(ids.get(random.nextInt(ROWS)))));
      report.print(out);
      out.printf(
          "%,d rounds, %,d of the first row, %,d of ranges and gets.%n",
          ROUNDS, SHORT_ROUNDS, TINY_ROUNDS);
    }
  }

  private List<byte[]> some(List<byte[]> ids) {
    int from = random.nextInt(ROWS - RANGE);
    return ids.subList(from, from + RANGE);
  }

  private static Race<Way> race(Map<Way, ComparedTable> tables, int rounds, Task task)
      throws Exception {
    Race<Way> race = new Race<>(Way.PHOENIX);
    Race.Runner<Way> runner =
        way -> {
          long began = System.nanoTime();
          task.run(tables.get(way));
          return new Lap((System.nanoTime() - began) / 1e6, 0);
        };
    Race<Way> warmUp = new Race<>(Way.PHOENIX);
    for (int i = 0; i < Math.max(WARM_UP_ROUNDS, rounds / 2); i++) {
      warmUp.round(runner);
    }
    System.gc();
    for (int i = 0; i < rounds; i++) {
      race.round(runner);
    }
    return race;
  }

  private static void add(MarkdownTable report, String what, Race<Way> race) {
    System.err.println("measured: " + what);
    Quantiles phoenix = race.cost(Way.PHOENIX, Lap::nanos);
    Quantiles salted = race.cost(Way.SALTED_TABLE, Lap::nanos);
    Quantiles ratio = race.ratio(Way.SALTED_TABLE, Lap::nanos);
    report.add(
        List.of(
            what,
            phoenix.median("%,.1f"),
            phoenix.quartiles("%,.1f"),
            salted.median("%,.1f"),
            salted.quartiles("%,.1f"),
            ratio.median("%.1f"),
            ratio.quartiles("%.1f")));
  }
}
