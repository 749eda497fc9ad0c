package io.rowguard.tools.relayout;

import io.rowguard.tools.cli.Terminal;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * Tells on standard error what a step is doing: sentences as notes, and how far something is as a
 * line that is painted over, or where that cannot be as a note every half minute; of rows that move
 * every minute.
 */
final class StepLines implements StepListener {
  private static final long PAINT_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
  private static final long NOTE_NANOS = TimeUnit.SECONDS.toNanos(30);
  private static final long MOVING_NOTE_NANOS = TimeUnit.MINUTES.toNanos(1);
  private static final String MOVED = "rows moved";
  private static final int BAR = 30;
  private static final int SHORTEST_BAR = 10;

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
    if (isDue(counted, NOTE_NANOS)) {
      show(line(done, all));
    }
  }

  @Override
  public void moving(long moved, TableProgress progress, Pace pace) {
    if (isDue(MOVED, MOVING_NOTE_NANOS)) {
      show(moved(moved, progress, pace));
    }
  }

  /** Whether it is time to show something of a kind, on a terminal or as a note. */
  private boolean isDue(String counted, long noteNanos) {
    long now = System.nanoTime();
    if (!counted.equals(what)) {
      end();
      what = counted;
      beganNanos = now;
      shownNanos = now;
    }
    boolean isDue = now - shownNanos >= (terminal.isLive() ? PAINT_NANOS : noteNanos);
    shownNanos = isDue ? now : shownNanos;
    return isDue;
  }

  private void show(String line) {
    if (terminal.isLive()) {
      terminal.err().print("\r" + line + " ".repeat(Math.max(0, columns - line.length())));
      terminal.err().flush();
      columns = line.length();
    } else {
      terminal.note(line);
    }
  }

  private String line(long done, long all) {
    double seconds = (System.nanoTime() - beganNanos) / 1e9;
    StringBuilder line = new StringBuilder(what).append(": ").append(Terminal.count(done));
    if (all > 0) {
      line.append(" of ").append(Terminal.count(all));
    }
    if (done > 0 && all > done) {
      double rate = done / Math.max(seconds, 0.001);
      line.append(", ").append(time(Math.round((all - done) / rate))).append(" left");
    }
    return line.toString();
  }

  /** With a bar where a terminal has room for it; never longer than its line. */
  String moved(long moved, TableProgress progress, Pace pace) {
    if (progress == null || progress.percent() == null) {
      return MOVED
          + ": "
          + Terminal.count(moved)
          + (progress == null ? "" : "; " + uncounted(progress.uncountedRegions()))
          + held(progress, pace);
    }
    String text =
        percent(progress)
            + (progress.secondsLeft() == null ? "" : ", " + time(progress.secondsLeft()) + " left")
            + ": "
            + Terminal.count(progress.moved())
            + " of "
            + Terminal.count(progress.rows())
            + " rows moved, "
            + speed(progress)
            + held(progress, pace);
    if (!terminal.isLive()) {
      return text;
    }
    int room = Math.min(BAR, terminal.columns() - text.length() - 4);
    String bar = room < SHORTEST_BAR ? "" : terminal.bar(progress.percent(), 100, room);
    String line =
        room < SHORTEST_BAR ? text : "|" + bar + " ".repeat(room - bar.length()) + "| " + text;
    return line.substring(0, Math.min(line.length(), terminal.columns() - 1));
  }

  private static String held(TableProgress progress, Pace pace) {
    if (progress != null && progress.isPaused()) {
      return "; paused";
    }
    return pace != null && pace.isSlowed() ? "; " + pace.text() : "";
  }

  /** The share that has moved, in per cent. */
  static String percent(TableProgress progress) {
    return String.format(Locale.ROOT, "%.1f %%", progress.percent());
  }

  /** How fast rows move. */
  static String speed(TableProgress progress) {
    return progress.rowsPerSecond() == 0
        ? "none in the last minute"
        : String.format(Locale.ROOT, "%,.0f a second", progress.rowsPerSecond());
  }

  /** Why no share is known. */
  static String uncounted(int regions) {
    return Terminal.count(regions)
        + (regions == 1 ? " region has" : " regions have")
        + " not counted the rest yet";
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
