package io.rowguard.demo;

import java.io.PrintStream;
import java.util.Locale;

/**
 * Shows that something goes on: one line painted over and over on a terminal, a line every few
 * seconds elsewhere (a log, a pipe). Not thread-safe.
 */
final class DemoProgress implements AutoCloseable {
  private static final long TERMINAL_NANOS = 100_000_000L;
  private static final long ELSEWHERE_NANOS = 5_000_000_000L;

  private final PrintStream out;
  private final String what;
  private final boolean terminal;
  private final long began = System.nanoTime();
  private long painted;
  private int columns;

  DemoProgress(PrintStream out, String what, boolean terminal) {
    this.out = out;
    this.what = what;
    this.terminal = terminal;
    this.painted = began;
    if (terminal) {
      paint(what + " ...");
    }
  }

  /** Shows how far it is, unless that was shown just now. */
  void at(String state) {
    long now = System.nanoTime();
    if (now - painted < (terminal ? TERMINAL_NANOS : ELSEWHERE_NANOS)) {
      return;
    }
    painted = now;
    if (terminal) {
      paint(what + ": " + state);
    } else {
      out.println(what + ": " + state + " ...");
    }
  }

  /** Shows how many rows were read by now, unless that was shown just now. */
  void read(int rows) {
    at("read " + Screen.count(rows));
  }

  /** Ends it: wipes the line that was painted over, and says how long it took. */
  @Override
  public void close() {
    if (terminal) {
      out.print("\r" + " ".repeat(columns) + "\r");
    }
    double seconds = (System.nanoTime() - began) / 1e9;
    out.println(String.format(Locale.ROOT, "%s: %.1f s", what, seconds));
  }

  private void paint(String line) {
    out.print("\r" + line + " ".repeat(Math.max(0, columns - line.length())));
    out.flush();
    columns = line.length();
  }
}
