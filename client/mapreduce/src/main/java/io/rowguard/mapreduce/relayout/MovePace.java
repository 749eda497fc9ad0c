package io.rowguard.mapreduce.relayout;

import java.util.concurrent.TimeUnit;

/**
 * How fast rows are moved: not faster than a limit, and slower while servers say that they are
 * busy. Shared by all who move rows in one process; thread-safe.
 *
 * <p>After an answer "busy" everybody pauses before the next batch, twice as long each time, up to
 * five seconds; each batch that goes well takes a quarter of the pause away.
 */
public final class MovePace {
  private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
  private static final long LONGEST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(5);
  private static final long LEAST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  private final double rowsPerSecond;
  private long nextNanos = System.nanoTime();
  private long pauseNanos;
  private boolean isOver;

  private MovePace(double rowsPerSecond) {
    this.rowsPerSecond = rowsPerSecond;
  }

  /**
   * A pace.
   *
   * @param rowsPerSecond the limit, over all who share this; 0 for none
   */
  public static MovePace of(double rowsPerSecond) {
    return new MovePace(rowsPerSecond);
  }

  /**
   * Waits until a batch may be sent.
   *
   * @return whether it may; false once {@link #end} has been called
   */
  public boolean await(int rows) throws InterruptedException {
    long until = reserved(rows);
    synchronized (this) {
      while (!isOver) {
        long left = until - System.nanoTime();
        if (left <= 0) {
          return true;
        }
        TimeUnit.NANOSECONDS.timedWait(this, Math.max(left, TimeUnit.MILLISECONDS.toNanos(1)));
      }
      return false;
    }
  }

  private synchronized long reserved(int rows) {
    long now = System.nanoTime();
    long turn = now;
    if (rowsPerSecond > 0) {
      turn = Math.max(now, nextNanos);
      nextNanos = turn + (long) (rows / rowsPerSecond * TimeUnit.SECONDS.toNanos(1));
    }
    return turn + pauseNanos;
  }

  /** A server has said that it cannot for now. */
  public synchronized void busy() {
    pauseNanos = Math.min(LONGEST_PAUSE_NANOS, Math.max(FIRST_PAUSE_NANOS, 2 * pauseNanos));
  }

  /** A batch went well. */
  public synchronized void well() {
    pauseNanos -= pauseNanos / 4;
    if (pauseNanos < LEAST_PAUSE_NANOS) {
      pauseNanos = 0;
    }
  }

  /** How long everybody pauses before a batch at the moment, in milliseconds. */
  public synchronized long pauseMillis() {
    return TimeUnit.NANOSECONDS.toMillis(pauseNanos);
  }

  /** Nothing more is to be sent: whoever waits, or comes, is told so. */
  public synchronized void end() {
    isOver = true;
    notifyAll();
  }

  /** Whether nothing more is to be sent. */
  public synchronized boolean isOver() {
    return isOver;
  }
}
