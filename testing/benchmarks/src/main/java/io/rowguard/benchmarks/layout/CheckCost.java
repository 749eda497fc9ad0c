package io.rowguard.benchmarks.layout;

import io.rowguard.benchmarks.Benchmark;
import io.rowguard.benchmarks.JmhRuns;
import io.rowguard.benchmarks.MarkdownTable;
import io.rowguard.benchmarks.Quantiles;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;

/**
 * Runs {@link CheckBenchmark}, everything once in a JVM of its own and then all over again, so that
 * whatever else the machine does hits all of it alike.
 */
public final class CheckCost implements Benchmark {
  private static final int ROUNDS = 2;
  private static final String AMONG_OTHERS = "check among others";

  private final Map<String, List<Double>> nanos = new TreeMap<>();
  private final Map<String, Double> allocated = new TreeMap<>();

  /** Made by name. */
  public CheckCost() {}

  @Override
  public void run(PrintStream out) throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      for (String method : List.of("emptyLoop", "check", "refused", "regex")) {
        measure(method, method, use -> true, false);
      }
      measure(AMONG_OTHERS, "check", use -> true, true);
      measure("structure", "structure", use -> use.layout().hasDerivedSegments(), false);
      measure("constraint", "constraint", use -> use.constraint().isPresent(), false);
      System.err.println("round " + round);
    }
    times(out);
    againstPlainSalt(out);
    against(out);
  }

  private void measure(
      String what, String method, Predicate<CookbookLayout> of, boolean amongOthers)
      throws RunnerException {
    ChainedOptionsBuilder options =
        JmhRuns.quiet()
            .include(CheckBenchmark.class.getName() + "." + method + "$")
            .param(
                "use",
                Stream.of(CookbookLayout.values())
                    .filter(of)
                    .map(Enum::name)
                    .toArray(String[]::new))
            .param("amongOthers", Boolean.toString(amongOthers));
    for (RunResult result : new Runner(options.build()).run()) {
      String key = key(what, CookbookLayout.valueOf(result.getParams().getParam("use")));
      List<Double> all = nanos.computeIfAbsent(key, absent -> new ArrayList<>());
      for (BenchmarkResult fork : result.getBenchmarkResults()) {
        for (IterationResult iteration : fork.getIterationResults()) {
          all.add(iteration.getPrimaryResult().getScore());
        }
      }
      allocated.merge(key, JmhRuns.allocated(result), Math::max);
    }
  }

  private static String key(String what, CookbookLayout use) {
    return what + " " + use.name();
  }

  private void times(PrintStream out) {
    MarkdownTable table =
        new MarkdownTable(
            "layout",
            "bytes",
            "empty loop, ns",
            "Rowguard, ns",
            "quartiles",
            "among others, ns",
            "refused, ns",
            "allocated, bytes");
    for (CookbookLayout use : CookbookLayout.values()) {
      Quantiles check = quantiles("check", use);
      table.add(
          List.of(
              use.toString(),
              Integer.toString(use.rowLength()),
              time(quantiles("emptyLoop", use).median()),
              time(check.median()),
              time(check.at(0.25)) + " to " + time(check.at(0.75)),
              time(quantiles(AMONG_OTHERS, use).median()),
              time(quantiles("refused", use).median()),
              bytes(
                  Stream.of("check", AMONG_OTHERS, "refused")
                      .map(what -> allocated.get(key(what, use)))
                      .toList())));
    }
    table.print(out);
  }

  /** The goal: at most 1.3 times. */
  private void againstPlainSalt(PrintStream out) {
    MarkdownTable table = new MarkdownTable("layout", "ns", "quartiles", "times the plain salt");
    double plain = quantiles("check", CookbookLayout.PLAIN_SALT).median();
    for (CookbookLayout use : List.of(CookbookLayout.K_OF_N, CookbookLayout.STEP)) {
      Quantiles check = quantiles("check", use);
      table.add(
          List.of(
              use.toString(),
              time(check.median()),
              time(check.at(0.25)) + " to " + time(check.at(0.75)),
              String.format(Locale.ROOT, "%.2f", check.median() / plain)));
    }
    table.print(out);
  }

  private void against(PrintStream out) {
    MarkdownTable table =
        new MarkdownTable(
            "layout",
            "regex, ns",
            "quartiles",
            "Rowguard, structure only, ns",
            "times",
            "constraint, ns",
            "quartiles",
            "constraint, bytes",
            "Rowguard, whole, ns",
            "times");
    for (CookbookLayout use : CookbookLayout.values()) {
      Quantiles regex = quantiles("regex", use);
      Quantiles whole = quantiles("check", use);
      Quantiles structure = use.layout().hasDerivedSegments() ? quantiles("structure", use) : whole;
      List<String> cells = new ArrayList<>();
      cells.add(use.toString());
      cells.add(time(regex.median()));
      cells.add(time(regex.at(0.25)) + " to " + time(regex.at(0.75)));
      cells.add(time(structure.median()));
      cells.add(time(regex.median() / structure.median()));
      if (use.constraint().isPresent()) {
        Quantiles constraint = quantiles("constraint", use);
        cells.add(time(constraint.median()));
        cells.add(time(constraint.at(0.25)) + " to " + time(constraint.at(0.75)));
        cells.add(bytes(List.of(allocated.get(key("constraint", use)))));
        cells.add(time(whole.median()));
        cells.add(time(constraint.median() / whole.median()));
      } else {
        cells.addAll(List.of("", "", "", time(whole.median()), ""));
      }
      table.add(cells);
    }
    table.print(out);
  }

  private Quantiles quantiles(String what, CookbookLayout use) {
    return Quantiles.of(
        nanos.get(key(what, use)).stream().mapToDouble(Double::doubleValue).toArray());
  }

  private static String time(double nanos) {
    return String.format(Locale.ROOT, nanos < 100 ? "%.1f" : "%,.0f", nanos);
  }

  private static String bytes(Collection<Double> values) {
    double most = values.stream().mapToDouble(Double::doubleValue).max().orElseThrow();
    return String.format(Locale.ROOT, "%,.0f", most);
  }
}
