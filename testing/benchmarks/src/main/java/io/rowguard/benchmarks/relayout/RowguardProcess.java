package io.rowguard.benchmarks.relayout;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.TableName;

/**
 * A {@code rowguard} command in a process of its own.
 *
 * <p>System properties, set by {@code run.sh}: {@code rowguard.launcher} and {@code rowguard.site},
 * the {@code hbase-site.xml}.
 */
final class RowguardProcess {
  private final List<String> words;
  private final Process process;

  private RowguardProcess(List<String> words, Process process) {
    this.words = words;
    this.process = process;
  }

  private static RowguardProcess start(List<String> words, String... arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of(System.getProperty("rowguard.launcher")));
    command.addAll(words);
    command.addAll(List.of("--site", System.getProperty("rowguard.site")));
    command.addAll(Arrays.asList(arguments));
    return new RowguardProcess(
        words, new ProcessBuilder(command).redirectError(Redirect.INHERIT).start());
  }

  /** Starts a step of a relayout, which answers JSON. */
  static RowguardProcess startStep(TableName table, String step, String... arguments)
      throws IOException {
    return start(List.of("relayout", step, table.getNameAsString(), "--json"), arguments);
  }

  /** Takes a step of a relayout; gives the JSON that it answers. */
  static String step(TableName table, String step, String... arguments)
      throws IOException, InterruptedException {
    return startStep(table, step, arguments).end();
  }

  /**
   * Digests a table; gives the lines that it prints.
   *
   * @throws IllegalStateException also when it differs from another one that the arguments name
   */
  static String digest(TableName table, String... arguments)
      throws IOException, InterruptedException {
    return start(List.of("digest", table.getNameAsString()), arguments).end();
  }

  private String end() throws IOException, InterruptedException {
    String answer = answer();
    if (process.waitFor() != 0) {
      throw new IllegalStateException(words + " failed: " + answer);
    }
    return answer;
  }

  /**
   * Asks it to stop, as Ctrl-C does; gives what it answers.
   *
   * @throws IllegalStateException when it has ended before
   */
  String stop() throws IOException {
    if (!process.isAlive()) {
      throw new IllegalStateException(words + " has ended too early: " + answer());
    }
    process.toHandle().destroy();
    return answer();
  }

  private String answer() throws IOException {
    return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  /** Ends it without further ado. */
  void kill() {
    process.destroyForcibly();
  }

  /** The first number of this name in a step's JSON. */
  static double number(String json, String name) {
    Matcher matcher = Pattern.compile('"' + name + "\": ([0-9.E]+)").matcher(json);
    if (!matcher.find()) {
      throw new IllegalStateException("no " + name + " in " + json);
    }
    return Double.parseDouble(matcher.group(1));
  }
}
