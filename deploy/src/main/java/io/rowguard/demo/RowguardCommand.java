package io.rowguard.demo;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The {@code rowguard} command as an operator has it: a process of its own, on the cluster of the
 * demo. {@code deploy/demo.sh} says in system properties where it is.
 */
final class RowguardCommand {
  private final Screen screen;
  private final String launcher = System.getProperty("rowguard.demo.launcher");
  private final String site = System.getProperty("rowguard.demo.site");

  RowguardCommand(Screen screen) {
    this.screen = screen;
  }

  /**
   * Shows a command line, runs it, and shows what it prints, line by line.
   *
   * @param arguments none has a blank in it
   * @throws IOException when it does not exit with 0
   */
  void run(String... arguments) throws IOException, InterruptedException {
    screen.blank();
    screen.say("$ rowguard " + shown(arguments));
    List<String> command = new ArrayList<>(List.of(launcher));
    command.addAll(Arrays.asList(arguments));
    command.addAll(List.of("--site", site));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.redirectInput(new File("/dev/null"));
    // With the HBase of this demo, whichever else there is on this machine.
    builder.environment().keySet().removeIf(name -> name.matches("(HBASE|HADOOP|ROWGUARD)_.*"));
    Process process = builder.start();
    String last = "";
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        screen.quoteLine(line);
        last = line;
      }
    }
    int status = process.waitFor();
    if (status != 0) {
      throw new IOException("rowguard " + shown(arguments) + " ended with " + status + ": " + last);
    }
  }

  /** As in a shell: a layout has braces and bars. */
  private static String shown(String... arguments) {
    List<String> words =
        Arrays.stream(arguments)
            .map(word -> word.startsWith("{") ? "'" + word + "'" : word)
            .toList();
    return String.join(" ", words);
  }
}
