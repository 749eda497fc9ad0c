package io.rowguard.benchmarks.salt;

import io.rowguard.benchmarks.Benchmark;
import io.rowguard.benchmarks.BenchmarkCluster;
import io.rowguard.benchmarks.Lap;
import io.rowguard.benchmarks.MarkdownTable;
import io.rowguard.benchmarks.Quantiles;
import io.rowguard.benchmarks.Race;
import java.io.PrintStream;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.ConnectionFactory;

/** Measures scans of all rows in the order of their ids, salted and not. */
public final class SaltScans implements Benchmark {
  private static final int ROWS = 1_000_000;
  private static final int SERVERS = 2;
  private static final int[] BUCKETS = {4, 16, 64};
  private static final int WARM_UP_ROUNDS = 2;
  private static final int ROUNDS = 11;
  private static final int FIRST_ROWS = 10;
  private static final int FIRST_ROW_ROUNDS = 301;

  /** Made by name. */
  public SaltScans() {}

  @Override
  public void run(PrintStream out) throws Exception {
    try (BenchmarkCluster cluster = BenchmarkCluster.ofServers(SERVERS);
        AsyncConnection async =
            ConnectionFactory.createAsyncConnection(cluster.connection().getConfiguration())
                .get()) {
      List<byte[]> ids = Orders.sequential(ROWS);
      for (int buckets : BUCKETS) {
        System.err.println("writing " + buckets + " buckets");
        ScannedOrders orders = ScannedOrders.write(cluster, async, ids, buckets);
        out.printf("### %d buckets%n%n", buckets);
        Race<ScanWay> whole = new Race<>(ScanWay.PLAIN);
        rounds(new Race<>(ScanWay.PLAIN), WARM_UP_ROUNDS, orders::scan);
        rounds(whole, ROUNDS, orders::scan);
        report(out, whole, firstRows(orders, false), firstRows(orders, true));
        for (TableName table : orders.tables()) {
          cluster.drop(table);
        }
      }
    }
  }

  private static Race<ScanWay> firstRows(ScannedOrders orders, boolean limited) throws Exception {
    Race.Runner<ScanWay> runner = way -> orders.firstRows(way, FIRST_ROWS, limited);
    rounds(new Race<>(ScanWay.PLAIN), FIRST_ROW_ROUNDS, runner);
    Race<ScanWay> race = new Race<>(ScanWay.PLAIN);
    rounds(race, FIRST_ROW_ROUNDS, runner);
    return race;
  }

  private static void rounds(Race<ScanWay> race, int count, Race.Runner<ScanWay> runner)
      throws Exception {
    for (int i = 0; i < count; i++) {
      race.round(runner);
    }
  }

  private static void report(
      PrintStream out, Race<ScanWay> whole, Race<ScanWay> stopped, Race<ScanWay> limited) {
    MarkdownTable table =
        new MarkdownTable(
            "scan",
            "time, ns per row",
            "quartiles",
            "processor time of all, ns per row",
            "speed against the plain scan",
            "quartiles",
            "10 rows, then closed, after, µs",
            "quartiles",
            "limit of 10 after, µs",
            "quartiles");
    for (ScanWay way : ScanWay.values()) {
      Quantiles time = whole.cost(way, Lap::nanos);
      Quantiles ratio = whole.ratio(way, Lap::nanos);
      Quantiles stop = stopped.cost(way, lap -> lap.nanos() / 1_000);
      Quantiles limit = limited.cost(way, lap -> lap.nanos() / 1_000);
      table.add(
          List.of(
              way.toString(),
              time.median("%,.0f"),
              time.quartiles("%,.0f"),
              whole.cost(way, Lap::cpuNanos).median("%,.0f"),
              ratio.median("%.2f"),
              ratio.quartiles("%.2f"),
              stop.median("%,.0f"),
              stop.quartiles("%,.0f"),
              limit.median("%,.0f"),
              limit.quartiles("%,.0f")));
    }
    table.print(out);
    out.printf(
        "%,d rounds of whole scans, %,d of first rows.%n%n", whole.rounds(), limited.rounds());
  }
}
