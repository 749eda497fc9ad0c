package io.rowguard.deploy;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.util.concurrent.TimeUnit;

/**
 * A session in HBase's shell, in a process of its own: it takes ten seconds to start, so that all
 * that is to be tried in a shell goes through one. Not thread-safe.
 */
final class HBaseShell implements AutoCloseable {
  private final Process process;
  private final Writer input;
  private final BufferedReader output;
  private int commands;

  /** Starts a session; the builder's command is a shell that reads standard input. */
  HBaseShell(ProcessBuilder shell) throws IOException {
    process = shell.redirectErrorStream(true).start();
    input = process.outputWriter();
    output = process.inputReader();
  }

  /** Executes a command and returns all that it printed, which an error does not end. */
  String run(String command) throws IOException {
    commands++;
    // The shell echoes what it reads: the end's mark must not stand in the command that prints it.
    input.write(command + "\nputs 'end of ' + '" + commands + "'\n");
    input.flush();
    StringBuilder text = new StringBuilder();
    for (String line = output.readLine(); line != null; line = output.readLine()) {
      if (line.contains("end of " + commands)) {
        // Something that was printed without a line's end, or a warning, may stand before it.
        return text.append(line, 0, line.indexOf("end of " + commands)).toString();
      }
      text.append(line).append('\n');
    }
    throw new IOException("The shell ended. command=" + command + " output=" + text);
  }

  /** Ends the session. */
  @Override
  public void close() throws IOException {
    try (input;
        output) {
      input.write("exit\n");
      input.flush();
      if (!process.waitFor(30, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
