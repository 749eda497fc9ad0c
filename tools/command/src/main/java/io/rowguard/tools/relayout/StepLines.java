package io.rowguard.tools.relayout;

import io.rowguard.tools.cli.Terminal;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * Tells on standard error what a step is doing: sentences as notes, and how far something is as a
 * line that is painted over, or where that cannot be as a note every half minute.
 */
final class StepLines implements StepListener {
  private static final long PAINT_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
  private static final long NOTE_NANOS = TimeUnit.SECONDS.toNanos(30);

  private final Terminal terminal;
  private String what = "";
  private long beganNanos;
  private long shownNanos;
  private int columns;

  StepLines(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public void doing(String sentence) {
    end();
    terminal.note(sentence);
  }

  @Override
  public void counting(String counted, long done, long all) {
    long now = System.nanoTime();
    if (!counted.equals(what)) {
      end();
      what = counted;
      beganNanos = now;
      shownNanos = now;
    }
    long pause = terminal.isLive() ? PAINT_NANOS : NOTE_NANOS;
    if (now - shownNanos >= pause) {
      shownNanos = now;
      String line = line(done, all, (now - beganNanos) / 1e9);
      if (terminal.isLive()) {
        terminal.err().print("\r" + line + " ".repeat(Math.max(0, columns - line.length())));
        terminal.err().flush();
        columns = line.length();
      } else {
        terminal.note(line);
      }
    }
  }

  private String line(long done, long all, double seconds) {
    StringBuilder line = new StringBuilder(what).append(": ").append(Terminal.count(done));
    if (all > 0) {
      line.append(" of ").append(what.startsWith("rows") ? "about " : "");
      line.append(Terminal.count(all));
    }
    double rate = done / Math.max(seconds, 0.001);
    if (what.startsWith("rows")) {
      line.append(String.format(Locale.ROOT, ", %,.0f a second", rate));
    }
    if (done > 0 && all > done) {
      line.append(", ").append(time(Math.round((all - done) / rate))).append(" left");
    }
    return line.toString();
  }

  /** A number of seconds as people say it. */
  static String time(long seconds) {
    if (seconds < 120) {
      return seconds + " s";
    }
    long minutes = Math.round(seconds / 60.0);
    return minutes < 120
        ? minutes + " min"
        : String.format(Locale.ROOT, "%d h %02d min", minutes / 60, minutes % 60);
  }

  /** Wipes the line away. */
  void end() {
    if (columns > 0) {
      terminal.err().print("\r" + " ".repeat(columns) + "\r");
      terminal.err().flush();
      columns = 0;
    }
    what = "";
  }
}
