package io.rowguard.benchmarks.load;

import io.rowguard.benchmarks.Benchmark;
import io.rowguard.benchmarks.JmhRuns;
import io.rowguard.benchmarks.MarkdownTable;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;

/** Runs {@link LoadBenchmark} with one thread and with eight, in JVMs of its own. */
public final class LoadCost implements Benchmark {
  private static final int[] THREADS = {1, 8};

  @Override
  public void run(PrintStream out) throws Exception {
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
}
