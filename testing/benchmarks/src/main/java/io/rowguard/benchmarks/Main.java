package io.rowguard.benchmarks;

import io.rowguard.benchmarks.cost.SplitCost;
import io.rowguard.benchmarks.group.GroupCommits;
import io.rowguard.benchmarks.layout.BoundariesCost;
import io.rowguard.benchmarks.layout.CheckCost;
import io.rowguard.benchmarks.load.LoadCost;
import io.rowguard.benchmarks.pressure.SaltPressure;
import io.rowguard.benchmarks.quality.SplitQuality;
import io.rowguard.benchmarks.relayout.RelayoutCost;
import io.rowguard.benchmarks.relayout.RelayoutGap;
import io.rowguard.benchmarks.relayout.RelayoutLarge;
import io.rowguard.benchmarks.relayout.RelayoutPace;
import io.rowguard.benchmarks.relayout.RelayoutVerify;
import io.rowguard.benchmarks.salt.ChosenScans;
import io.rowguard.benchmarks.salt.PropertyWrites;
import io.rowguard.benchmarks.salt.SaltHashes;
import io.rowguard.benchmarks.salt.SaltPhoenix;
import io.rowguard.benchmarks.salt.SaltScans;
import io.rowguard.benchmarks.salt.SaltWrites;
import io.rowguard.benchmarks.salt.WriteSpread;
import io.rowguard.benchmarks.write.PerformanceEvaluations;
import io.rowguard.benchmarks.write.WriteThroughput;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** Runs the benchmark that its one argument names. For {@code testing/benchmarks/run.sh}. */
public final class Main {
  private static final Map<String, Benchmark> BENCHMARKS =
      Map.ofEntries(
          Map.entry("split-quality", new SplitQuality()),
          Map.entry("split-cost", new SplitCost()),
          Map.entry("boundaries", new BoundariesCost()),
          Map.entry("check", new CheckCost()),
          Map.entry("load-cost", new LoadCost()),
          Map.entry("write-throughput", new WriteThroughput()),
          Map.entry("pe", new PerformanceEvaluations()),
          Map.entry("groups", new GroupCommits()),
          Map.entry("salt-writes", new SaltWrites()),
          Map.entry("property-writes", new PropertyWrites()),
          Map.entry("salt-scans", new SaltScans()),
          Map.entry("salt-chosen", new ChosenScans()),
          Map.entry("salt-phoenix", new SaltPhoenix()),
          Map.entry("salt-pressure", new SaltPressure()),
          Map.entry("relayout-cost", new RelayoutCost()),
          Map.entry("relayout-gap", new RelayoutGap()),
          Map.entry("relayout-large", new RelayoutLarge()),
          Map.entry("relayout-pace", new RelayoutPace()),
          Map.entry("relayout-verify", new RelayoutVerify()),
          Map.entry("salt-spread", new WriteSpread()),
          Map.entry("salt-hashes", new SaltHashes()));

  private Main() {}

  /** Exits with 0 when the benchmark came to its end, whatever it measured. */
  @SuppressWarnings("SystemOut") // it is a command
  public static void main(String[] args) {
    PrintStream out =
        new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
    Benchmark benchmark = args.length == 1 ? BENCHMARKS.get(args[0]) : null;
    if (benchmark == null) {
      System.err.println("one of " + BENCHMARKS.keySet() + " is wanted");
      System.exit(2);
      return;
    }
    // HBase prints now and then, and this is a report.
    System.setOut(System.err);
    int status = 0;
    try {
      Surroundings.print(out);
      long began = System.nanoTime();
      benchmark.run(out);
      out.printf("%nMeasured in %,d s.%n", (System.nanoTime() - began) / 1_000_000_000);
    } catch (Exception | LinkageError e) {
      e.printStackTrace();
      status = 1;
    }
    // HBase leaves threads that are no daemons.
    System.exit(status);
  }
}
