package io.rowguard.benchmarks.cost;

import io.rowguard.benchmarks.Benchmark;
import io.rowguard.benchmarks.MarkdownTable;
import io.rowguard.benchmarks.Quantiles;
import io.rowguard.benchmarks.cost.Contest.Calls;
import io.rowguard.split.LayoutRegionSplitPolicy;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.regionserver.RegionSplitPolicy;
import org.apache.hadoop.hbase.regionserver.SplitPolicyAccess;
import org.apache.hadoop.hbase.regionserver.SteppingSplitPolicy;

/** Measures {@code getSplitPoint} on regions of every {@link Shape}, HBase's own and Rowguard's. */
public final class SplitCost implements Benchmark {
  private static final String LAYOUT = "{country:text(2)}|{admin:text}|{id:digits(8)}";
  private static final String GROUP = "country";
  private static final double KILO = 1e3;

  private final MarkdownTable shapes =
      new MarkdownTable(
          "index",
          "files",
          "entries",
          "levels",
          "HBase, µs",
          "Rowguard, µs",
          "p10 to p90",
          "HBase, KB",
          "Rowguard, KB",
          "cold: HBase, µs",
          "cold: Rowguard, µs",
          "cold: Rowguard, KB",
          "cold: blocks read");

  /** Made by name. */
  public SplitCost() {}

  @Override
  public void run(PrintStream out) throws Exception {
    HBaseTestingUtility hbase = new HBaseTestingUtility();
    int number = 0;
    for (Shape shape : Shape.all()) {
      Path directory = hbase.getDataTestDir("region" + number++);
      long began = System.nanoTime();
      try (FilesRegion region = FilesRegion.create(directory, hbase.getConfiguration(), shape)) {
        measure(shape.what(), region);
      }
      hbase.getTestFileSystem().delete(directory, true);
      System.err.printf(
          "%s, %d files: %d s%n",
          shape.what(), shape.files(), (System.nanoTime() - began) / 1_000_000_000);
    }
    shapes.print(out);
  }

  private void measure(String what, FilesRegion region) {
    Configuration conf = new Configuration(region.region().getReadOnlyConfiguration());
    conf.set("rowguard.layout", LAYOUT);
    conf.set("rowguard.group", GROUP);
    RegionSplitPolicy hbase = new SteppingSplitPolicy();
    RegionSplitPolicy rowguard = new LayoutRegionSplitPolicy();
    for (RegionSplitPolicy policy : List.of(hbase, rowguard)) {
      policy.setConf(conf);
      SplitPolicyAccess.configureForRegion(policy, region.region());
    }
    Contest contest = new Contest(List.of(hbase, rowguard), region.cache());
    add(what, region, contest.warm(), contest.cold());
  }

  private void add(String what, FilesRegion region, List<Calls> warm, List<Calls> cold) {
    Quantiles time = warm.get(1).of(CallCost::nanos);
    shapes.add(
        List.of(
            what,
            count(region.files()),
            count(region.dataBlocks()),
            count(region.indexLevels()),
            thousands(warm.get(0).of(CallCost::nanos).median()),
            thousands(time.median()),
            thousands(time.at(0.1)) + " to " + thousands(time.at(0.9)),
            thousands(warm.get(0).of(CallCost::allocated).median()),
            thousands(warm.get(1).of(CallCost::allocated).median()),
            thousands(cold.get(0).of(CallCost::nanos).median()),
            thousands(cold.get(1).of(CallCost::nanos).median()),
            thousands(cold.get(1).of(CallCost::allocated).median()),
            count((long) cold.get(1).of(CallCost::reads).median())));
  }

  private static String count(long value) {
    return String.format(Locale.ROOT, "%,d", value);
  }

  private static String thousands(double value) {
    return String.format(Locale.ROOT, value < 100 * KILO ? "%,.1f" : "%,.0f", value / KILO);
  }
}
