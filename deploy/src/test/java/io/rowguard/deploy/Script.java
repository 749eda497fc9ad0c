package io.rowguard.deploy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;

/** Runs a program and takes what it says. */
final class Script {
  private Script() {}

  /**
   * Outcome of a program that ran.
   *
   * @param text all that it printed, errors too
   */
  record ScriptResult(int status, String text) {}

  /** Runs a command until it ends, with nothing on its standard input. */
  static ScriptResult run(Path directory, Map<String, String> environment, String... command)
      throws IOException, InterruptedException {
    ProcessBuilder builder = builder(directory, environment, command).redirectErrorStream(true);
    Process process = builder.start();
    process.getOutputStream().close();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new ScriptResult(process.waitFor(), text);
  }

  /** A command to be run. */
  static ProcessBuilder builder(
      Path directory, Map<String, String> environment, String... command) {
    ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile());
    builder.environment().remove("HBASE_CONF_DIR");
    builder.environment().putAll(environment);
    return builder;
  }
}
