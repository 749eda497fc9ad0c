package io.rowguard.benchmarks.salt;

import io.rowguard.benchmarks.Benchmark;
import io.rowguard.benchmarks.BenchmarkCluster;
import io.rowguard.benchmarks.Lap;
import io.rowguard.benchmarks.MarkdownTable;
import io.rowguard.benchmarks.Quantiles;
import io.rowguard.benchmarks.Race;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Measures a query of the articles' event table: the events of one kind and day, from the buckets
 * of a random salt side by side, against one scan of a table without a salt.
 *
 * <p>The system property {@code rowguard.benchmark.rows} bounds the rows of the largest query.
 */
public final class ChosenScans implements Benchmark {
  /** How many rows the query finds. */
  private static final int[] ROWS = {1_000, 10_000, 100_000, 1_000_000};

  private static final int SERVERS = 2;
  private static final int[] BUCKETS = {4, 16, 64};
  private static final int WARM_UP_ROUNDS = 3;
  private static final int FEWEST_ROUNDS = 11;
  private static final int MOST_ROUNDS = 301;

  /** Of one way, in all rounds together. */
  private static final int ROWS_READ = 3_000_000;

  /** Made by name. */
  public ChosenScans() {}

  @Override
  public void run(PrintStream out) throws Exception {
    int most = Integer.getInteger("rowguard.benchmark.rows", Integer.MAX_VALUE);
    int[] rows = Arrays.stream(ROWS).map(each -> Math.min(each, most)).distinct().toArray();
    try (BenchmarkCluster cluster = BenchmarkCluster.ofServers(SERVERS)) {
      for (int buckets : BUCKETS) {
        System.err.println("writing " + buckets + " buckets");
        try (EventTables events = EventTables.write(cluster, buckets, rows)) {
          out.printf("### %d buckets%n%n", buckets);
          MarkdownTable table =
              new MarkdownTable(
                  "rows",
                  "read from",
                  "time, ns per row",
                  "quartiles",
                  "processor time of all, ns per row",
                  "speed against one scan of one region",
                  "quartiles");
          for (int event = 0; event < rows.length; event++) {
            report(table, rows[event], measured(events, event, rows[event]));
          }
          table.print(out);
          out.println();
        }
      }
    }
  }

  private static Race<EventWay> measured(EventTables events, int event, int rows) throws Exception {
    Race.Runner<EventWay> runner = way -> events.read(way, event, rows);
    Race<EventWay> warmUp = new Race<>(EventWay.ONE_REGION);
    for (int i = 0; i < WARM_UP_ROUNDS; i++) {
      warmUp.round(runner);
    }
    Race<EventWay> race = new Race<>(EventWay.ONE_REGION);
    int rounds = Math.max(FEWEST_ROUNDS, Math.min(MOST_ROUNDS, ROWS_READ / rows));
    for (int i = 0; i < rounds; i++) {
      race.round(runner);
    }
    return race;
  }

  private static void report(MarkdownTable table, int rows, Race<EventWay> race) {
    for (EventWay way : EventWay.values()) {
      Quantiles time = race.cost(way, Lap::nanos);
      Quantiles ratio = race.ratio(way, Lap::nanos);
      table.add(
          List.of(
              String.format(Locale.ROOT, "%,d", rows),
              way.toString(),
              time.median("%,.0f"),
              time.quartiles("%,.0f"),
              race.cost(way, Lap::cpuNanos).median("%,.0f"),
              ratio.median("%.2f"),
              ratio.quartiles("%.2f")));
    }
  }
}
