package io.rowguard.client;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * Plans one operation anew, again and again until its time is over, because the layout of its table
 * changes. For one thread.
 *
 * <p>Where the table declares nothing new, a region has not reopened yet: then a pause comes first.
 */
final class Replanning {
  private static final long FIRST_PAUSE_MILLIS = 10;
  private static final long LONGEST_PAUSE_MILLIS = 1000;

  private final KnownLayouts layouts;
  private final long timeoutMillis;
  private final long begin = System.nanoTime();
  private long pauseMillis = FIRST_PAUSE_MILLIS;

  /**
   * @param timeoutMillis how long to go on after the first refusal
   */
  Replanning(KnownLayouts layouts, long timeoutMillis) {
    this.layouts = layouts;
    this.timeoutMillis = timeoutMillis;
  }

  /**
   * The layouts to plan with next.
   *
   * @param refused what was planned with
   * @param refusal what a server said to it
   * @throws IOException the refusal, when the time is over
   */
  TableLayouts next(TableLayouts refused, IOException refusal) throws IOException {
    TableLayouts next = layouts.after(refused);
    long left = timeoutMillis - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
    if (left <= 0) {
      refusal.addSuppressed(
          new IOException(
              "The layout of the table changes, and the time of the operation was over before its"
                  + " regions had agreed. millis="
                  + timeoutMillis
                  + " "
                  + refused));
      throw refusal;
    }
    if (next == refused) {
      pause(Math.min(left, pauseMillis));
      pauseMillis = Math.min(LONGEST_PAUSE_MILLIS, 2 * pauseMillis);
    }
    return next;
  }

  /** Half of it to all of it, so that clients come back at different times. */
  private void pause(long millis) throws InterruptedIOException {
    try {
      layouts.pause(millis / 2 + ThreadLocalRandom.current().nextLong(millis / 2 + 1));
    } catch (InterruptedException e) {
      throw (InterruptedIOException)
          new InterruptedIOException("Interrupted while the layout of the table changes")
              .initCause(e);
    }
  }
}
