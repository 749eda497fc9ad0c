package io.rowguard.benchmarks.relayout;

import io.rowguard.benchmarks.Benchmark;
import io.rowguard.benchmarks.MarkdownTable;
import io.rowguard.benchmarks.Quantiles;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;

/**
 * Clients beside {@code rowguard relayout run}, on an HBase in a process of its own: how long their
 * Gets and puts take while nothing runs, beside a run without a target, and beside runs that are
 * held to one. Each run is ended in the middle. Between two there is a time without one, since
 * clients become slower by what has moved, too: a row that has not is looked for at two places.
 *
 * <p>System properties, set by {@code run.sh}: {@code rowguard.benchmark.rows}, and those of {@link
 * RowguardProcess}.
 */
public final class RelayoutPace implements Benchmark {
  private static final TableName NAME = TableName.valueOf("paced");

  /** Until a process has started, learned, and found its pace. */
  private static final long SETTLING_SECONDS = 25;

  private static final long MEASURED_SECONDS = 40;

  /** Until what a run has left to do for HBase is done. */
  private static final long AFTER_SECONDS = 10;

  private final long rows = Long.getLong("rowguard.benchmark.rows", 5_000_000);
  private final MarkdownTable report =
      new MarkdownTable(
          "beside",
          "Gets: median, ms",
          "99 of 100",
          "puts: median, ms",
          "99 of 100",
          "rows moved a second");

  /** Made by name. */
  public RelayoutPace() {}

  @Override
  public void run(PrintStream out) throws Exception {
    String to = ChangingTable.layout(ChangingTable.BUCKETS_AFTER).toString();
    String regions = String.valueOf(ChangingTable.BUCKETS_AFTER);
    try (Connection connection = ConnectionFactory.createConnection(HBaseConfiguration.create())) {
      StoredIds.fill(connection, NAME, rows);
      RowguardProcess.step(NAME, "start", "--yes", "--regions", regions, "--to", to);
      try (PacedClients clients = PacedClients.start(connection, NAME, rows)) {
        TimeUnit.SECONDS.sleep(SETTLING_SECONDS);
        report("no run", clients.measure(MEASURED_SECONDS), "");
        for (String slowdown : List.of("none", "20%", "100%")) {
          beside(clients, slowdown);
          TimeUnit.SECONDS.sleep(AFTER_SECONDS);
          report("no run", clients.measure(MEASURED_SECONDS), "");
        }
      }
    }
    report.print(out);
  }

  private void beside(PacedClients clients, String slowdown) throws Exception {
    RowguardProcess run = RowguardProcess.startStep(NAME, "run", "--slowdown", slowdown);
    try {
      TimeUnit.SECONDS.sleep(SETTLING_SECONDS);
      PacedClients.Times times = clients.measure(MEASURED_SECONDS);
      String json = run.stop();
      double moved = RowguardProcess.number(json, "moved");
      double seconds = RowguardProcess.number(json, "millis") / 1000;
      report(
          "run --slowdown " + slowdown,
          times,
          String.format(Locale.ROOT, "%,.0f", moved / seconds));
    } finally {
      run.kill();
    }
  }

  private void report(String beside, PacedClients.Times times, String moved) {
    Quantiles gets = times.gets();
    Quantiles puts = times.puts();
    report.add(
        List.of(
            beside,
            gets.median("%,.2f"),
            String.format(Locale.ROOT, "%,.1f", gets.at(0.99)),
            puts.median("%,.2f"),
            String.format(Locale.ROOT, "%,.1f", puts.at(0.99)),
            moved));
    System.err.println(beside + " " + moved);
  }
}
