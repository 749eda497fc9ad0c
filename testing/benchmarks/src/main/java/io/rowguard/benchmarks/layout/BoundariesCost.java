package io.rowguard.benchmarks.layout;

import io.rowguard.benchmarks.Benchmark;
import io.rowguard.benchmarks.JmhRuns;
import io.rowguard.benchmarks.MarkdownTable;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;

/** Runs {@link BoundariesBenchmark} in JVMs of its own, and reports it as the others are. */
public final class BoundariesCost implements Benchmark {
  @Override
  public void run(PrintStream out) throws Exception {
    MarkdownTable table =
        new MarkdownTable("boundaries of", "call", "time, ns", "±, 99.9 %", "allocated, bytes");
    for (RunResult result :
        new Runner(JmhRuns.quiet().include(BoundariesBenchmark.class.getName()).build()).run()) {
      Result<?> time = result.getPrimaryResult();
      table.add(
          List.of(
              result.getParams().getParam("kind").replace("|", "\\|"),
              time.getLabel(),
              String.format(Locale.ROOT, "%,.0f", time.getScore()),
              String.format(Locale.ROOT, "%,.0f", time.getScoreError()),
              String.format(Locale.ROOT, "%,.0f", JmhRuns.allocated(result))));
    }
    table.print(out);
  }
}
