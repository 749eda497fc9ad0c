package io.rowguard.tools.cli;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * A line on standard error that shows how far a long work is, painted over by a thread of its own
 * ten times a second. Only where standard error is a terminal; elsewhere it shows nothing.
 */
public final class ProgressLine {
  private static final int BAR = 30;
  private static final long PAINT_MILLIS = 100;

  private final Terminal terminal;
  private final String what;
  private final long total;
  private final LongSupplier done;
  private final long began = System.nanoTime();
  private final Thread painter;
  private volatile boolean isOver;
  private int columns;

  private ProgressLine(Terminal terminal, String what, long total, LongSupplier done) {
    this.terminal = terminal;
    this.what = what;
    this.total = total;
    this.done = done;
    this.painter = terminal.isLive() ? new Thread(this::paintOn, "progress") : null;
  }

  /**
   * Does a work and shows meanwhile how far it is.
   *
   * @param total how much there is to do; 0 when unknown
   * @param done how much is done; called from another thread
   */
  public static <T> T during(
      Terminal terminal, String what, long total, LongSupplier done, Supplier<T> work) {
    ProgressLine progress = new ProgressLine(terminal, what, total, done);
    progress.begin();
    try {
      return work.get();
    } finally {
      progress.end();
    }
  }

  private void begin() {
    if (painter != null) {
      painter.setDaemon(true);
      painter.start();
    }
  }

  private void paintOn() {
    try {
      while (!isOver) {
        paint(line());
        TimeUnit.MILLISECONDS.sleep(PAINT_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private String line() {
    long now = done.getAsLong();
    double seconds = (System.nanoTime() - began) / 1e9;
    String rate = Terminal.count(Math.round(now / Math.max(seconds, 0.001))) + "/s";
    if (total == 0) {
      return what + " " + Terminal.count(now) + "  " + rate;
    }
    double share = (double) now / total;
    String bar = terminal.bar(share, 1, BAR);
    long left = share > 0 ? Math.round(seconds / share - seconds) : 0;
    return what
        + " |"
        + bar
        + " ".repeat(BAR - Math.min(BAR, bar.length()))
        + "| "
        + Terminal.percent(share)
        + "  "
        + rate
        + "  "
        + left
        + " s left";
  }

  private void paint(String line) {
    terminal.err().print("\r" + line + " ".repeat(Math.max(0, columns - line.length())));
    terminal.err().flush();
    columns = line.length();
  }

  /** Wipes the line away. */
  private void end() {
    if (painter == null) {
      return;
    }
    isOver = true;
    painter.interrupt();
    try {
      painter.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    terminal.err().print("\r" + " ".repeat(columns) + "\r");
    terminal.err().flush();
  }
}
