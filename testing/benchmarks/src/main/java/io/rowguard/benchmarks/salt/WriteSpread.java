package io.rowguard.benchmarks.salt;

import io.rowguard.benchmarks.Benchmark;
import io.rowguard.benchmarks.BenchmarkCluster;
import io.rowguard.benchmarks.MarkdownTable;
import io.rowguard.benchmarks.Quantiles;
import io.rowguard.client.SaltedTable;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.LongStream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.regionserver.HRegion;

/**
 * Shows where writes of sequential ids go, as time passes: in an unsalted table that is divided as
 * well as can be, and through {@link SaltedTable}. Regions count their own write requests.
 */
public final class WriteSpread implements Benchmark {
  private static final int REGIONS = 16;
  private static final int WINDOWS = 64;
  private static final int ROWS_OF_A_WINDOW = 2_000;
  private static final int ROWS = WINDOWS * ROWS_OF_A_WINDOW;
  private static final int SERVERS = 2;

  /** Made by name. */
  public WriteSpread() {}

  @Override
  public void run(PrintStream out) throws Exception {
    TableName unsalted = TableName.valueOf("unsalted");
    TableName salted = TableName.valueOf("salted");
    try (BenchmarkCluster cluster = BenchmarkCluster.ofServers(SERVERS)) {
      try (Admin admin = cluster.connection().getAdmin()) {
        admin.createTable(Orders.unsalted(unsalted), Orders.idSplits(ROWS, REGIONS));
        admin.createTable(Orders.salted(salted, REGIONS), Orders.bucketSplits(REGIONS));
      }
      long[][] plain;
      long[][] spread;
      try (Table table = cluster.connection().getTable(unsalted)) {
        plain = write(table, regions(cluster, unsalted));
      }
      try (Table table = SaltedTable.open(cluster.connection(), salted)) {
        spread = write(table, regions(cluster, salted));
      }
      report(out, plain, spread);
      Path pictures = Path.of("target", "pictures");
      SpreadPicture.save(pictures.resolve("salt-spread-unsalted.png"), "Unsalted table", plain);
      SpreadPicture.save(pictures.resolve("salt-spread-salted.png"), "SaltedTable", spread);
      System.err.println("pictures are in " + pictures.toAbsolutePath());
    }
  }

  private static List<HRegion> regions(BenchmarkCluster cluster, TableName table) {
    return cluster.regions(table).stream()
        .sorted(Comparator.comparing(HRegion::getRegionInfo, RegionInfo.COMPARATOR))
        .toList();
  }

  /** Writes all ids in their order; write requests by window and region. */
  private static long[][] write(Table table, List<HRegion> regions) throws IOException {
    List<byte[]> ids = Orders.sequential(ROWS);
    long[][] writes = new long[WINDOWS][];
    for (int window = 0; window < WINDOWS; window++) {
      long[] before = regions.stream().mapToLong(HRegion::getWriteRequestsCount).toArray();
      int from = window * ROWS_OF_A_WINDOW;
      for (List<Put> batch : Orders.batches(ids.subList(from, from + ROWS_OF_A_WINDOW), id -> id)) {
        table.put(batch);
      }
      writes[window] = new long[regions.size()];
      for (int i = 0; i < regions.size(); i++) {
        writes[window][i] = regions.get(i).getWriteRequestsCount() - before[i];
      }
      long sum = LongStream.of(writes[window]).sum();
      if (sum != ROWS_OF_A_WINDOW) {
        throw new IllegalStateException("written=" + ROWS_OF_A_WINDOW + " counted=" + sum);
      }
    }
    return writes;
  }

  private static void report(PrintStream out, long[][] plain, long[][] spread) {
    MarkdownTable table =
        new MarkdownTable(
            "table",
            "regions that get writes, in a window",
            "hottest region's share of a window: median",
            "most",
            "fullest region's share in the end");
    table.add(row("unsalted, pre-split evenly", plain));
    table.add(row("salted, through `SaltedTable`", spread));
    table.print(out);
    out.printf(
        "%,d sequential ids, %d regions, %d windows of %,d rows.%n",
        ROWS, REGIONS, WINDOWS, ROWS_OF_A_WINDOW);
  }

  private static List<String> row(String words, long[][] writes) {
    double[] busy = new double[writes.length];
    double[] hottest = new double[writes.length];
    long[] total = new long[writes[0].length];
    for (int window = 0; window < writes.length; window++) {
      busy[window] = LongStream.of(writes[window]).filter(count -> count > 0).count();
      hottest[window] = share(writes[window]);
      for (int region = 0; region < total.length; region++) {
        total[region] += writes[window][region];
      }
    }
    Quantiles shares = Quantiles.of(hottest);
    return List.of(
        words,
        String.format(Locale.ROOT, "%.0f", Quantiles.of(busy).median()),
        percent(shares.median()),
        percent(shares.at(1)),
        percent(share(total)));
  }

  private static double share(long[] counts) {
    return LongStream.of(counts).max().orElseThrow() / (double) LongStream.of(counts).sum();
  }

  private static String percent(double share) {
    return String.format(Locale.ROOT, "%.1f %%", 100 * share);
  }
}
