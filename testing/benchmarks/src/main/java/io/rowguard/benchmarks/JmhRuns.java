package io.rowguard.benchmarks;

import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.VerboseMode;

/** How benchmarks are run by JMH and what is read off them. */
public final class JmhRuns {
  private static final String ALLOCATED = "gc.alloc.rate.norm";

  private JmhRuns() {}

  /** Quiet runs that also count what is allocated. */
  public static ChainedOptionsBuilder quiet() {
    return new OptionsBuilder().addProfiler(GCProfiler.class).verbosity(VerboseMode.SILENT);
  }

  /** The bytes that an operation allocates. */
  public static double allocated(RunResult result) {
    return result.getSecondaryResults().keySet().stream()
        .filter(label -> label.endsWith(ALLOCATED))
        .mapToDouble(label -> result.getSecondaryResults().get(label).getScore())
        .findFirst()
        .orElse(Double.NaN);
  }
}
