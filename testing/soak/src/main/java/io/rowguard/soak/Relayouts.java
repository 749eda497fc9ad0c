package io.rowguard.soak;

import io.rowguard.checker.NaiveLayout;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * An operator who changes a table's layout to and fro with the {@code rowguard} command, each time
 * the step that {@code status} names. For one thread.
 */
final class Relayouts {
  private static final int LAST_STEPS = 30;

  private final Path command;
  private final Path site;
  private final SoakTable table;
  private final Events events;
  private int finished;

  /**
   * An operator.
   *
   * @param command the launcher {@code deploy/rowguard}
   * @param site the cluster's {@code hbase-site.xml}
   */
  Relayouts(Path command, Path site, SoakTable table, Events events) {
    this.command = command;
    this.site = site;
    this.table = table;
    this.events = events;
  }

  private record Answer(int status, String text) {
    /** The word after "Next: rowguard relayout". */
    String next() {
      return text.lines()
          .filter(line -> line.startsWith("Next: rowguard relayout "))
          .map(line -> line.split(" ", 5)[3])
          .findFirst()
          .orElse("");
    }

    String lastLine() {
      return text.lines().reduce("", (a, b) -> b);
    }

    /** The codes of what is in the way, and the last line. */
    String reason() {
      String codes =
          text.lines()
              .dropWhile(line -> !line.equals("In the way"))
              .filter(line -> line.matches("  [a-z_]+"))
              .map(String::strip)
              .collect(Collectors.joining(", "));
      return codes.isEmpty() ? lastLine() : codes + ": " + lastLine();
    }
  }

  /** How many relayouts have been finished. */
  int finished() {
    return finished;
  }

  /** Takes the step that {@code status} names, and starts another relayout if there is none. */
  void next() throws IOException, InterruptedException {
    Answer status = run("status");
    switch (status.next()) {
      case "plan", "start" -> {
        // A start that was interrupted goes on to the layout that it has declared.
        boolean toMany =
            status.text.contains("to       " + NaiveLayout.salted(64).declaration())
                || status.text.contains("layout   " + NaiveLayout.salted(16).declaration());
        NaiveLayout to = NaiveLayout.salted(toMany ? 64 : 16);
        step("start", "--yes", "--to", to.declaration());
      }
      case "run" -> step("run", "--slowdown", "none"); // its clients leave nothing to be spared
      case "finish" -> {
        if (step("finish", "--yes")) {
          finished++;
        }
      }
      default -> events.say("relayout status names no step: " + status.lastLine());
    }
  }

  /**
   * Finishes what is under way.
   *
   * @throws IOException if that does not succeed
   */
  void finish() throws IOException, InterruptedException {
    for (int i = 0; i < LAST_STEPS; i++) {
      Answer status = run("status");
      if (status.status == 0 && status.next().equals("plan")) {
        return;
      }
      next();
      TimeUnit.SECONDS.sleep(1);
    }
    throw new IOException("The relayout of " + table.name() + " does not come to an end.");
  }

  private boolean step(String... arguments) throws IOException, InterruptedException {
    Answer answer = run(arguments);
    boolean isDone = answer.status == 0;
    events.say(
        "relayout "
            + arguments[0]
            + (isDone ? "" : " failed, and will be tried again: " + answer.reason()));
    return isDone;
  }

  private Answer run(String... arguments) throws IOException, InterruptedException {
    List<String> line = new ArrayList<>();
    line.addAll(List.of(command.toString(), "relayout", arguments[0], table.name().toString()));
    line.addAll(List.of(arguments).subList(1, arguments.length));
    line.addAll(List.of("--site", site.toString(), "--timeout", "60"));
    Process process =
        new ProcessBuilder(line)
            .redirectErrorStream(true)
            .redirectInput(new File("/dev/null"))
            .start();
    try {
      String text =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      return new Answer(process.waitFor(), text);
    } finally {
      process.destroy();
    }
  }
}
