package io.rowguard.mapreduce.relayout;

import java.util.concurrent.TimeUnit;

/**
 * How fast rows are moved: not faster than a limit, slower while servers say that they are busy,
 * and not at all while all movers rest or the relayout is paused. Shared by all who move rows in
 * one process; thread-safe.
 *
 * <p>After an answer "busy" all movers pause before the next batch, twice as long each time, up to
 * five seconds; each batch that goes well takes a quarter of the pause away. After an answer
 * "paused" only one batch is sent every three seconds, which learns whether that is over.
 */
public final class MovePace {
  private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
  private static final long LONGEST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(5);
  private static final long LEAST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
  private static final long TRIAL_NANOS = TimeUnit.SECONDS.toNanos(3);

  /** The longest wait between two signs of life. */
  private static final long LONGEST_WAIT_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** A mover that wakes up late by less makes up for it. */
  private static final long CATCH_UP_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private static final long LEAST_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private final double most;
  private final Runnable signOfLife;
  private double rowsPerSecond;
  private long nextNanos = System.nanoTime() - CATCH_UP_NANOS;
  private long pauseNanos;
  private long trialNanos;
  private boolean isResting;
  private boolean isPaused;
  private boolean isRefused;
  private int underWay;
  private long sent;
  private long busyAnswers;
  private boolean isOver;

  private MovePace(double rowsPerSecond, Runnable signOfLife) {
    this.most = rowsPerSecond;
    this.rowsPerSecond = rowsPerSecond;
    this.signOfLife = signOfLife;
  }

  /**
   * A pace.
   *
   * @param rowsPerSecond the limit, over all who share this; 0 for none
   */
  public static MovePace of(double rowsPerSecond) {
    return new MovePace(rowsPerSecond, () -> {});
  }

  /**
   * The same for a process that is ended when it gives no sign of life.
   *
   * @param signOfLife is called, quick, at least every ten seconds while something waits here
   */
  static MovePace of(double rowsPerSecond, Runnable signOfLife) {
    return new MovePace(rowsPerSecond, signOfLife);
  }

  /**
   * Waits until a batch may be sent; {@link #done} says when it has been answered.
   *
   * @return whether it may; false once {@link #end} has been called
   */
  public synchronized boolean await(int rows) throws InterruptedException {
    long earliest = System.nanoTime() + pauseNanos;
    while (!isOver) {
      long now = System.nanoTime();
      long left = Math.max(earliest - now, nextNanos - now);
      if (isRefused) {
        left = Math.max(left, trialNanos - now);
      }
      boolean isHeld = isResting || isPaused;
      if (left <= 0 && !isHeld) {
        take(rows, now);
        return true;
      }
      long wait = isHeld ? LONGEST_WAIT_NANOS : Math.min(left, LONGEST_WAIT_NANOS);
      TimeUnit.NANOSECONDS.timedWait(this, Math.max(wait, LEAST_WAIT_NANOS));
      signOfLife.run();
    }
    return false;
  }

  private void take(int rows, long now) {
    underWay++;
    sent += rows;
    trialNanos = now + TRIAL_NANOS;
    long from = now - nextNanos < CATCH_UP_NANOS ? nextNanos : now;
    nextNanos =
        rowsPerSecond > 0
            ? from + (long) (rows / rowsPerSecond * TimeUnit.SECONDS.toNanos(1))
            : now;
  }

  /** A batch that was awaited is not under way any more, whatever has come of it. */
  public synchronized void done() {
    underWay--;
  }

  /** Whether no batch is under way. */
  public synchronized boolean isIdle() {
    return underWay == 0;
  }

  /** How many rows it has let through, in all. */
  public synchronized long rows() {
    return sent;
  }

  /**
   * Sets another limit, from the next batch on.
   *
   * @param limit in rows a second; what {@link #of} was given stays the highest; 0 for that
   */
  public synchronized void slowTo(double limit) {
    rowsPerSecond = limit > 0 && (most == 0 || limit < most) ? limit : most;
    notifyAll();
  }

  /** Has all movers wait until further notice, or go on. */
  public synchronized void rest(boolean resting) {
    isResting = resting;
    notifyAll();
  }

  /** Whether all movers wait, by {@link #rest}. */
  public synchronized boolean isResting() {
    return isResting;
  }

  /** Has all movers wait until further notice, or go on, since the relayout is paused. */
  public synchronized void pause(boolean paused) {
    isPaused = paused;
    isRefused = isRefused && paused;
    notifyAll();
  }

  /**
   * A region has answered a batch.
   *
   * @param refused whether it says that the relayout is paused
   */
  synchronized void answered(boolean refused) {
    if (refused != isRefused) {
      trialNanos = System.nanoTime() + TRIAL_NANOS;
      isRefused = refused;
      notifyAll();
    }
  }

  /** Whether the relayout is paused, as far as is known. */
  public synchronized boolean isPaused() {
    return isPaused || isRefused;
  }

  /** A server has said that it cannot for now. */
  public synchronized void busy() {
    busyAnswers++;
    pauseNanos = Math.min(LONGEST_PAUSE_NANOS, Math.max(FIRST_PAUSE_NANOS, 2 * pauseNanos));
  }

  /** How many batches were answered so, in all. */
  public synchronized long busyAnswers() {
    return busyAnswers;
  }

  /** A batch went well. */
  public synchronized void well() {
    pauseNanos -= pauseNanos / 4;
    if (pauseNanos < LEAST_PAUSE_NANOS) {
      pauseNanos = 0;
    }
  }

  /** How long all movers pause before a batch at the moment, in milliseconds. */
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
