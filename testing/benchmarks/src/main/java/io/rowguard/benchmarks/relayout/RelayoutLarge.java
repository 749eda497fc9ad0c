package io.rowguard.benchmarks.relayout;

import io.rowguard.benchmarks.Benchmark;
import io.rowguard.benchmarks.MarkdownTable;
import io.rowguard.client.SaltedTable;
import io.rowguard.config.Guards;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A large table from 16 to 64 buckets by the {@code rowguard} command, on an HBase in a process of
 * its own: how long each step took, and what <i>plan</i> had said.
 *
 * <p>System properties, set by {@code run.sh}: {@code rowguard.benchmark.rows}, {@code
 * rowguard.launcher} and {@code rowguard.site}, the {@code hbase-site.xml}, which is on the class
 * path too.
 */
public final class RelayoutLarge implements Benchmark {
  private static final TableName NAME = TableName.valueOf("large");
  private static final int WRITERS = 4;
  private static final int ROWS_OF_A_BATCH = 1_000;
  private static final byte[] VALUE = new byte[100];

  private final long rows = Long.getLong("rowguard.benchmark.rows", 10_000_000);
  private final MarkdownTable report = new MarkdownTable("step", "what it said or did", "seconds");

  /** Made by name. */
  public RelayoutLarge() {}

  @Override
  public void run(PrintStream out) throws Exception {
    String to = ChangingTable.layout(ChangingTable.BUCKETS_AFTER).toString();
    String regions = String.valueOf(ChangingTable.BUCKETS_AFTER);
    try (Connection connection = ConnectionFactory.createConnection(HBaseConfiguration.create())) {
      step("fill", () -> fill(connection));
      step("plan", () -> plan(rowguard("plan", "--regions", regions, "--to", to)));
      step("start", () -> start(rowguard("start", "--yes", "--regions", regions, "--to", to)));
      step("run", () -> moved(rowguard("run")));
      step("finish", () -> number(rowguard("finish", "--yes"), "regions") + " regions counted");
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

  /** Ids in their order, as a database hands them out, by several writers. */
  private String fill(Connection connection) throws Exception {
    try (Admin admin = connection.getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(NAME)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(ChangingTable.FAMILY))
              .setCoprocessor(Guards.OBSERVER)
              .setRegionSplitPolicyClassName(Guards.POLICY)
              .setValue(
                  "rowguard.layout", ChangingTable.layout(ChangingTable.BUCKETS_BEFORE).toString())
              .build(),
          IntStream.range(1, ChangingTable.BUCKETS_BEFORE)
              .mapToObj(salt -> Bytes.toBytes(String.format(Locale.ROOT, "%02d-", salt)))
              .toArray(byte[][]::new));
      ExecutorService threads = Executors.newFixedThreadPool(WRITERS);
      try {
        List<Future<Void>> writers = new ArrayList<>();
        for (int i = 0; i < WRITERS; i++) {
          long from = rows * i / WRITERS;
          long to = rows * (i + 1) / WRITERS;
          writers.add(threads.submit(() -> fill(connection, from, to)));
        }
        for (Future<Void> writer : writers) {
          writer.get();
        }
      } finally {
        threads.shutdownNow();
      }
      admin.flush(NAME);
      return String.format(Locale.ROOT, "%,d rows of %,d bytes", rows, VALUE.length);
    }
  }

  private static Void fill(Connection connection, long from, long to) throws IOException {
    try (Table table = SaltedTable.open(connection, NAME)) {
      for (long first = from; first < to; first += ROWS_OF_A_BATCH) {
        table.put(
            LongStream.range(first, Math.min(to, first + ROWS_OF_A_BATCH))
                .mapToObj(
                    id ->
                        new Put(ChangingTable.id(id))
                            .addColumn(ChangingTable.FAMILY, ChangingTable.QUALIFIER, VALUE))
                .collect(Collectors.toList()));
      }
    }
    return null;
  }

  private static String plan(String json) {
    double moving = Double.parseDouble(number(json, "movingRows"));
    double rate = Double.parseDouble(number(json, "rowsPerSecond"));
    return String.format(
        Locale.ROOT,
        "%,.0f rows will move, in %,.0f s at %,.0f a second",
        moving,
        moving / rate,
        rate);
  }

  private static String start(String json) {
    return number(json, "regionsMade") + " regions made";
  }

  private static String moved(String json) {
    double moved = Double.parseDouble(number(json, "moved"));
    double seconds = Double.parseDouble(number(json, "millis")) / 1000;
    return String.format(
        Locale.ROOT,
        "%,.0f rows moved, in %,.0f s, %,.0f a second",
        moved,
        seconds,
        moved / seconds);
  }

  /** The first number of this name in a step's JSON. */
  private static String number(String json, String name) {
    Matcher matcher = Pattern.compile('"' + name + "\": ([0-9.E]+)").matcher(json);
    if (!matcher.find()) {
      throw new IllegalStateException("no " + name + " in " + json);
    }
    return matcher.group(1);
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

  /** A step of the change, in a process of its own. */
  private static String rowguard(String step, String... arguments)
      throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(
            List.of(
                System.getProperty("rowguard.launcher"),
                "relayout",
                step,
                NAME.getNameAsString(),
                "--json",
                "--site",
                System.getProperty("rowguard.site")));
    command.addAll(Arrays.asList(arguments));
    Process process = new ProcessBuilder(command).redirectError(Redirect.INHERIT).start();
    String json = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IllegalStateException(step + " failed: " + json);
    }
    return json;
  }
}
