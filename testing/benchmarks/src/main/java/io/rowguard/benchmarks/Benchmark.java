package io.rowguard.benchmarks;

import java.io.PrintStream;

/** Something that is measured, and reported in Markdown. */
public interface Benchmark {
  /**
   * Measures and reports.
   *
   * @param out where the report goes; progress goes to standard error
   * @throws Exception when it cannot be measured: then there is nothing to report
   */
  void run(PrintStream out) throws Exception;
}
