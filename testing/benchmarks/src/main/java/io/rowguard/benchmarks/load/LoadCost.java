package io.rowguard.benchmarks.load;

import io.rowguard.benchmarks.Benchmark;
import io.rowguard.benchmarks.BenchmarkCluster;
import io.rowguard.benchmarks.JmhRuns;
import io.rowguard.benchmarks.Lap;
import io.rowguard.benchmarks.MarkdownTable;
import io.rowguard.benchmarks.Race;
import io.rowguard.benchmarks.layout.CookbookLayout;
import io.rowguard.benchmarks.layout.SampleRows;
import java.io.IOException;
import java.io.PrintStream;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.util.Bytes;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;

/**
 * Measures the counting of a region's load three ways: a call by {@link LoadBenchmark}, with one
 * thread and with eight, in JVMs of its own; operations of a region with each {@link SampleRate},
 * by turns; and a reading of the figures of a server with many regions.
 */
public final class LoadCost implements Benchmark {
  private static final int[] THREADS = {1, 8};
  private static final CookbookLayout ROWS = CookbookLayout.TENANT_DATA;
  private static final int ROW_LENGTH = 32;
  private static final int ROW_COUNT = 100_000;
  private static final long SEED = 1;
  private static final byte[] FAMILY = {'f'};
  private static final int REGIONS = 200;
  private static final int REGION_ROUNDS = 2_000;
  private static final int TABLE_ROUNDS = 1_000;

  /** Made by name. */
  public LoadCost() {}

  @Override
  public void run(PrintStream out) throws Exception {
    calls(out);
    List<byte[]> rows = new SampleRows(ROWS.layout(), ROW_LENGTH, SEED).conforming(ROW_COUNT);
    try (BenchmarkCluster cluster = BenchmarkCluster.ofServers(1)) {
      operations(out, cluster, rows);
      figures(out, cluster, rows);
    }
  }

  private static void calls(PrintStream out) throws Exception {
    out.printf("### One call%n%n");
    MarkdownTable table =
        new MarkdownTable("call", "threads", "time, ns", "±, 99.9 %", "allocated, bytes");
    for (int threads : THREADS) {
      for (RunResult result :
          new Runner(
                  JmhRuns.quiet().include(LoadBenchmark.class.getName()).threads(threads).build())
              .run()) {
        Result<?> time = result.getPrimaryResult();
        table.add(
            List.of(
                time.getLabel(),
                Integer.toString(threads),
                String.format(Locale.ROOT, "%,.1f", time.getScore()),
                String.format(Locale.ROOT, "%,.1f", time.getScoreError()),
                String.format(Locale.ROOT, "%,.0f", JmhRuns.allocated(result))));
      }
    }
    table.print(out);
  }

  private static void operations(PrintStream out, BenchmarkCluster cluster, List<byte[]> rows)
      throws Exception {
    Map<SampleRate, HRegion> regions = new EnumMap<>(SampleRate.class);
    Map<SampleRate, Table> tables = new EnumMap<>(SampleRate.class);
    for (SampleRate sampling : SampleRate.values()) {
      TableName name = TableName.valueOf("sampled-" + sampling.name());
      create(cluster, name, sampling, null);
      write(cluster, name, rows);
      HRegion region = cluster.regions(name).get(0);
      region.flush(true);
      regions.put(sampling, region);
      tables.put(sampling, cluster.connection().getTable(name));
    }
    SampledRows sampled = new SampledRows(rows, FAMILY);
    OperationRaces ofRegions =
        new OperationRaces(new RegionOperations(regions, sampled), REGION_ROUNDS);
    OperationRaces ofTables =
        new OperationRaces(
            new TableOperations(cluster.connection(), tables, sampled), TABLE_ROUNDS);
    // Reads before writes: they find the same files in each region.
    MarkdownTable byRegion = table();
    report(byRegion, "Gets", ofRegions.gets());
    report(byRegion, "rows of scans", ofRegions.scans());
    MarkdownTable byClient = table();
    report(byClient, "Gets", ofTables.gets());
    report(byClient, "rows of scans", ofTables.scans());
    report(byRegion, "puts in batches of 100", ofRegions.puts());
    report(byClient, "puts in batches of 100", ofTables.puts());
    out.printf("### One region, one thread, no client, no write-ahead log%n%n");
    byRegion.print(out);
    out.printf("### The same by HBase's client, one thread%n%n");
    byClient.print(out);
    for (Table table : tables.values()) {
      table.close();
      cluster.drop(table.getName());
    }
  }

  private static MarkdownTable table() {
    return new MarkdownTable(
        "operations, and how many are counted",
        "time, ns per row",
        "quartiles",
        "throughput against none counted",
        "quartiles");
  }

  private static void report(MarkdownTable table, String what, Race<SampleRate> race) {
    for (SampleRate sampling : SampleRate.values()) {
      table.add(
          List.of(
              what + ": " + sampling,
              race.cost(sampling, Lap::nanos).median("%,.0f"),
              race.cost(sampling, Lap::nanos).quartiles("%,.0f"),
              race.ratio(sampling, Lap::nanos).median("%.3f"),
              race.ratio(sampling, Lap::nanos).quartiles("%.3f")));
    }
  }

  private static void figures(PrintStream out, BenchmarkCluster cluster, List<byte[]> rows)
      throws Exception {
    TableName name = TableName.valueOf("figures");
    byte[][] splits = new byte[REGIONS - 1][];
    for (int i = 0; i < splits.length; i++) {
      splits[i] = Bytes.toBytes(String.format(Locale.ROOT, "%02x", i + 1));
    }
    create(cluster, name, SampleRate.EACH, splits);
    write(cluster, name, rows);
    LoadFigures.Readings readings = new LoadFigures().read();
    out.printf("### A reading of %,d regions%n%n", readings.regions());
    MarkdownTable table = new MarkdownTable("figures", "time of all regions, ms", "quartiles");
    table.add(
        List.of("worked out", readings.anew().median("%,.1f"), readings.anew().quartiles("%,.1f")));
    table.add(
        List.of(
            "kept of late", readings.again().median("%,.1f"), readings.again().quartiles("%,.1f")));
    table.print(out);
  }

  private static void create(
      BenchmarkCluster cluster, TableName name, SampleRate sampling, byte[][] splits)
      throws IOException {
    try (Admin admin = cluster.connection().getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(name)
              .setCompactionEnabled(false)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
              .setCoprocessor(BenchmarkCluster.observer())
              .setValue("rowguard.layout", ROWS.layout().toString())
              .setValue("rowguard.load.sample", Integer.toString(sampling.sample()))
              .build(),
          splits);
    }
  }

  private static void write(BenchmarkCluster cluster, TableName name, List<byte[]> rows)
      throws IOException {
    try (Table table = cluster.connection().getTable(name)) {
      for (int first = 0; first < rows.size(); first += 1_000) {
        table.put(
            rows.subList(first, first + 1_000).stream()
                .map(row -> new Put(row).addColumn(FAMILY, row, row))
                .toList());
      }
    }
  }
}
