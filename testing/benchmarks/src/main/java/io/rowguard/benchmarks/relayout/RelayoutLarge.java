package io.rowguard.benchmarks.relayout;

import io.rowguard.benchmarks.Benchmark;
import io.rowguard.benchmarks.MarkdownTable;
import io.rowguard.client.SaltedTable;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A large table from 16 to 64 buckets by the {@code rowguard} command, on an HBase in a process of
 * its own: how long each step took, and what <i>plan</i> had said. Its digest before is held
 * against that afterwards, and against that of a copy that keeps the old layout.
 *
 * <p>System properties, set by {@code run.sh}: {@code rowguard.benchmark.rows}, and those of {@link
 * RowguardProcess}. The {@code hbase-site.xml} is on the class path too.
 */
public final class RelayoutLarge implements Benchmark {
  private static final TableName NAME = TableName.valueOf("large");
  private static final TableName COPY = TableName.valueOf("large-copy");

  private final long rows = Long.getLong("rowguard.benchmark.rows", 10_000_000);
  private final MarkdownTable report = new MarkdownTable("step", "what it said or did", "seconds");

  /** Made by name. */
  public RelayoutLarge() {}

  @Override
  public void run(PrintStream out) throws Exception {
    String to = ChangingTable.layout(ChangingTable.BUCKETS_AFTER).toString();
    String regions = String.valueOf(ChangingTable.BUCKETS_AFTER);
    String digests = Path.of(System.getProperty("java.io.tmpdir"), "large.digest").toString();
    try (Connection connection = ConnectionFactory.createConnection(HBaseConfiguration.create())) {
      step("fill", () -> fill(connection));
      step("copy", () -> copy(connection));
      step("digest", () -> digest(NAME, "--output", digests));
      step("plan", () -> plan(rowguard("plan", "--regions", regions, "--to", to)));
      step("start", () -> start(rowguard("start", "--yes", "--regions", regions, "--to", to)));
      step("run", () -> moved(rowguard("run", "--slowdown", "none")));
      step("finish", () -> whole(rowguard("finish", "--yes"), "regions") + " regions counted");
      step("digest afterwards", () -> digest(NAME, "--against", digests));
      step("digest of the copy", () -> digest(COPY, "--against", digests));
      step("read", () -> read(connection));
    }
    report.print(out);
  }

  private void step(String name, Callable<String> work) throws Exception {
    long began = System.nanoTime();
    String said = work.call();
    double seconds = (System.nanoTime() - began) / 1e9;
    System.err.printf(Locale.ROOT, "%s: %s, %.1f s%n", name, said, seconds);
    report.add(List.of(name, said, String.format(Locale.ROOT, "%,.1f", seconds)));
  }

  private String fill(Connection connection) throws Exception {
    StoredIds.fill(connection, NAME, rows);
    return String.format(Locale.ROOT, "%,d rows of %,d bytes", rows, StoredIds.VALUE_BYTES);
  }

  private static String copy(Connection connection) throws IOException {
    String snapshot = "of-" + NAME;
    try (Admin admin = connection.getAdmin()) {
      admin.snapshot(snapshot, NAME);
      admin.cloneSnapshot(snapshot, COPY);
      admin.deleteSnapshot(snapshot);
    }
    return "a table of the same files";
  }

  /** The rows and their digest; fails where another table's is not the same. */
  private static String digest(TableName table, String... arguments)
      throws IOException, InterruptedException {
    return RowguardProcess.digest(table, arguments)
        .lines()
        .filter(line -> line.startsWith("rows ") || line.startsWith("digest "))
        .map(line -> line.replaceAll(" +", " "))
        .collect(Collectors.joining(", "));
  }

  private static String plan(String json) {
    double moving = RowguardProcess.number(json, "movingRows");
    double rate = RowguardProcess.number(json, "rowsPerSecond");
    return String.format(
        Locale.ROOT,
        "%,.0f rows will move, in %,.0f s at %,.0f a second",
        moving,
        moving / rate,
        rate);
  }

  private static String start(String json) {
    return whole(json, "regionsMade") + " regions made";
  }

  private static long whole(String json, String name) {
    return Math.round(RowguardProcess.number(json, name));
  }

  private static String moved(String json) {
    double moved = RowguardProcess.number(json, "moved");
    double seconds = RowguardProcess.number(json, "millis") / 1000;
    return String.format(
        Locale.ROOT,
        "%,.0f rows moved, in %,.0f s, %,.0f a second",
        moved,
        seconds,
        moved / seconds);
  }

  /** All of it, in the order of bare keys. */
  private String read(Connection connection) throws IOException {
    long read = 0;
    Scan scan = new Scan().setCaching(5_000).setFilter(new KeyOnlyFilter());
    try (Table table = SaltedTable.open(connection, NAME);
        ResultScanner scanner = table.getScanner(scan)) {
      for (Result result : scanner) {
        if (!Bytes.equals(ChangingTable.id(read), result.getRow())) {
          throw new IllegalStateException("read " + result + " where row " + read + " belongs");
        }
        read++;
      }
    }
    if (read != rows) {
      throw new IllegalStateException("read " + read + " rows of " + rows);
    }
    return String.format(Locale.ROOT, "all %,d rows, each once, in their order", read);
  }

  private static String rowguard(String step, String... arguments)
      throws IOException, InterruptedException {
    return RowguardProcess.step(NAME, step, arguments);
  }
}
