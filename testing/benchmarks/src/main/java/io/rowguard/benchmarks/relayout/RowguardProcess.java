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
 * A step of {@code rowguard relayout} in a process of its own, which answers JSON.
 *
 * <p>System properties, set by {@code run.sh}: {@code rowguard.launcher} and {@code rowguard.site},
 * the {@code hbase-site.xml}.
 */
final class RelayoutProcess {
  private final String step;
  private final Process process;

  private RelayoutProcess(String step, Process process) {
    this.step = step;
    this.process = process;
  }

  /** Starts a step. */
  static RelayoutProcess start(TableName table, String step, String... arguments)
      throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                System.getProperty("rowguard.launcher"),
                "relayout",
                step,
                table.getNameAsString(),
                "--json",
                "--site",
                System.getProperty("rowguard.site")));
    command.addAll(Arrays.asList(arguments));
    return new RelayoutProcess(
        step, new ProcessBuilder(command).redirectError(Redirect.INHERIT).start());
  }

  /** Takes a step; gives what it answers. */
  static String run(TableName table, String step, String... arguments)
      throws IOException, InterruptedException {
    RelayoutProcess running = start(table, step, arguments);
    String json = running.answer();
    if (running.process.waitFor() != 0) {
      throw new IllegalStateException(step + " failed: " + json);
    }
    return json;
  }

  /**
   * Asks it to stop, as Ctrl-C does; gives what it answers.
   *
   * @throws IllegalStateException when it has ended before
   */
  String stop() throws IOException {
    if (!process.isAlive()) {
      throw new IllegalStateException(step + " has ended too early: " + answer());
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
