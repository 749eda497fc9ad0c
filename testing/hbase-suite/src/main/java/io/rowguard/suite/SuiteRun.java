package io.rowguard.suite;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.junit.runner.Description;
import org.junit.runner.JUnitCore;
import org.junit.runner.notification.Failure;
import org.junit.runner.notification.RunListener;

/**
 * Runs one class of HBase's tests and compares what fails with the known differences.
 *
 * <p>Arguments: {@code plain} or {@code salted}, the file of known differences, the file for the
 * report, and the name of the class. The class path has the folder of settings for that kind of
 * tables. Exit code 0: nothing differs but what is known. 1: something does, or the class has no
 * test. 2: the class could not be run.
 */
public final class SuiteRun {
  /** The first words of the reason of a test that passes and fails. */
  private static final String AT_TIMES = "at times";

  private final TableKind tables;
  private final KnownDifferences known;
  private final Class<?> testClass;
  private final Map<String, Throwable> failures = new TreeMap<>();
  private final List<String> finished = new ArrayList<>();
  private int ignored;

  private SuiteRun(TableKind tables, KnownDifferences known, Class<?> testClass) {
    this.tables = tables;
    this.known = known;
    this.testClass = testClass;
  }

  /** The program. */
  public static void main(String[] arguments) throws IOException {
    if (arguments.length != 4) {
      System.err.println("usage: SuiteRun plain|salted DIFFERENCES REPORT CLASS");
      System.exit(2);
    }
    Path report = Path.of(arguments[2]);
    int code;
    try {
      TableKind tables = TableKind.of(arguments[0]);
      // As hbase-site.xml would say it, of which HBase's tests have one of their own.
      Configuration.addDefaultResource("rowguard-suite.xml");
      SuiteRun run =
          new SuiteRun(
              tables,
              KnownDifferences.read(Path.of(arguments[1])),
              Class.forName(qualified(arguments[3])));
      code = run.run(report);
    } catch (ClassNotFoundException | IllegalArgumentException e) {
      Files.writeString(report, "It could not be run: " + e + "\n");
      code = 2;
    }
    // HBase leaves threads behind.
    System.exit(code);
  }

  /** The usual package may be left out. */
  private static String qualified(String name) {
    return name.indexOf('.') < 0 ? "org.apache.hadoop.hbase.client." + name : name;
  }

  private int run(Path report) throws IOException {
    JUnitCore junit = new JUnitCore();
    junit.addListener(
        new RunListener() {
          @Override
          public void testFinished(Description test) {
            finished.add(method(test));
          }

          @Override
          public void testIgnored(Description test) {
            ignored++;
          }

          @Override
          public void testFailure(Failure failure) {
            failures.merge(
                method(failure.getDescription()), failure.getException(), (first, next) -> first);
          }
        });
    junit.run(testClass);
    return report(report);
  }

  /** Without the parameters; that of the class itself has none. */
  private static String method(Description test) {
    String name = test.getMethodName();
    return name == null ? "class" : name.replaceAll("\\[.*", "");
  }

  private int report(Path file) throws IOException {
    String simpleName = testClass.getSimpleName();
    List<String> lines = new ArrayList<>();
    int differences = 0;
    int others = 0;
    for (Map.Entry<String, Throwable> failure : failures.entrySet()) {
      String reason = known.reason(tables, simpleName, failure.getKey());
      differences += reason == null ? 0 : 1;
      others += reason == null ? 1 : 0;
      lines.add(
          (reason == null ? "  OTHER  " : "  known  ")
              + simpleName
              + "."
              + failure.getKey()
              + ": "
              + (reason == null ? firstLine(failure.getValue()) : reason));
      if (reason == null) {
        StringWriter trace = new StringWriter();
        failure.getValue().printStackTrace(new PrintWriter(trace));
        System.out.println(trace);
      }
    }
    for (String method : finished.stream().distinct().sorted().toList()) {
      String reason = known.reason(tables, simpleName, method);
      if (reason != null && !failures.containsKey(method) && !reason.startsWith(AT_TIMES)) {
        lines.add("  passes  " + simpleName + "." + method + ": take it off the list");
      }
    }
    lines.add(
        0,
        simpleName
            + " on "
            + tables
            + " tables: "
            + finished.size()
            + " tests, "
            + (ignored == 0 ? "" : ignored + " that HBase ignores, ")
            + differences
            + " methods with known differences, "
            + others
            + " with others");
    Files.write(file, lines, StandardCharsets.UTF_8);
    boolean ran = finished.size() + ignored + differences > 0;
    return others == 0 && ran ? 0 : 1;
  }

  private static String firstLine(Throwable failure) {
    String text = failure.toString().lines().findFirst().orElse("");
    return text.length() > 160 ? text.substring(0, 160) + "..." : text;
  }
}
