package io.rowguard.benchmarks.layout;

import io.rowguard.benchmarks.Benchmark;
import io.rowguard.benchmarks.MarkdownTable;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Runs {@link BoundariesBenchmark} in JVMs of its own, and reports it as the others are. */
public final class BoundariesCost implements Benchmark {
  private static final String ALLOCATED = "gc.alloc.rate.norm";

  @Override
  public void run(PrintStream out) throws Exception {
    MarkdownTable table =
        new MarkdownTable("boundaries of", "call", "time, ns", "±, 99.9 %", "allocated, bytes");
    for (RunResult result :
        new Runner(
                new OptionsBuilder()
                    .include(BoundariesBenchmark.class.getName())
                    .addProfiler(GCProfiler.class)
                    .verbosity(VerboseMode.SILENT)
                    .build())
            .run()) {
      Result<?> time = result.getPrimaryResult();
      table.add(
          List.of(
              result.getParams().getParam("kind").replace("|", "\\|"),
              time.getLabel(),
              String.format(Locale.ROOT, "%,.0f", time.getScore()),
              String.format(Locale.ROOT, "%,.0f", time.getScoreError()),
              String.format(Locale.ROOT, "%,.0f", allocated(result))));
    }
    table.print(out);
  }

  private static double allocated(RunResult result) {
    return result.getSecondaryResults().keySet().stream()
        .filter(label -> label.endsWith(ALLOCATED))
        .mapToDouble(label -> result.getSecondaryResults().get(label).getScore())
        .findFirst()
        .orElse(Double.NaN);
  }
}
