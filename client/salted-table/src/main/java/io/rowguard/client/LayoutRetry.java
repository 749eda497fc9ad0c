package io.rowguard.client;

import io.rowguard.config.OtherRowException;
import io.rowguard.config.StaleLayoutException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.net.SocketTimeoutException;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;

/**
 * The retries of one operation whose table changes its layout: each after a refusal, with the
 * layouts that the table declares by then, until the operation's time is over. For one thread.
 *
 * <p>A refusal is a {@link StaleLayoutException} or an {@link OtherRowException}; such a request
 * was not carried out. It is the failure itself, a cause, or in a batch of HBase 2 the cause of one
 * of its actions.
 *
 * <p>Where the table declares nothing new, a region has not reopened yet: then a pause comes first.
 */
final class LayoutRetry {
  private static final long FIRST_PAUSE_MILLIS = 10;
  private static final long LONGEST_PAUSE_MILLIS = 1000;

  private final LayoutCache layouts;
  private final long timeoutMillis;
  private boolean begun;
  private long beginNanos;
  private long pauseMillis = FIRST_PAUSE_MILLIS;

  /**
   * @param timeoutMillis how long to go on after the first refusal
   */
  LayoutRetry(LayoutCache layouts, long timeoutMillis) {
    this.layouts = layouts;
    this.timeoutMillis = timeoutMillis;
  }

  /** Whether a failure says that the layout of the table is another. */
  static boolean isRefusal(Throwable failure) {
    return isOtherRow(failure) || has(failure, one -> one instanceof StaleLayoutException, seen());
  }

  /** Whether a failure says that a write belongs to the other row of its bare key. */
  static boolean isOtherRow(Throwable failure) {
    return has(failure, OtherRowException::isSaidBy, seen());
  }

  private static Set<Throwable> seen() {
    return Collections.newSetFromMap(new IdentityHashMap<>());
  }

  /**
   * @param seen so that causes in a circle come to an end
   */
  private static boolean has(Throwable failure, Predicate<Throwable> type, Set<Throwable> seen) {
    for (Throwable one = failure; one != null && seen.add(one); one = one.getCause()) {
      if (type.test(one)) {
        return true;
      }
      if (one instanceof RetriesExhaustedWithDetailsException) {
        for (Throwable cause : ((RetriesExhaustedWithDetailsException) one).getCauses()) {
          if (has(cause, type, seen)) {
            return true;
          }
        }
      }
    }
    return false;
  }

  /** The next try: the layouts to plan it with, and how long to wait first. Immutable. */
  static final class NextTry {
    private final TableLayouts layouts;
    private final long pauseMillis;

    private NextTry(TableLayouts layouts, long pauseMillis) {
      this.layouts = layouts;
      this.pauseMillis = pauseMillis;
    }

    TableLayouts layouts() {
      return layouts;
    }

    long pauseMillis() {
      return pauseMillis;
    }
  }

  /**
   * The layouts to plan with next, when the time to send again has come.
   *
   * @param refused the layouts of the plan that failed
   * @param failure of the request
   * @throws IOException the failure, when it is no refusal, or the time is over
   */
  TableLayouts next(TableLayouts refused, IOException failure) throws IOException {
    NextTry next = nextTry(refused, failure);
    pause(next.pauseMillis());
    return next.layouts();
  }

  /** As {@link #next}, for those who wait in another way. Reads the table's descriptor. */
  NextTry nextTry(TableLayouts refused, IOException failure) throws IOException {
    if (!refused.isStamped() || !isRefusal(failure)) {
      throw failure;
    }
    if (!begun) {
      begun = true;
      beginNanos = System.nanoTime();
    }
    TableLayouts next = layouts.after(refused, left());
    long left = left();
    if (left <= 0) {
      failure.addSuppressed(
          new IOException(
              "The layout of the table changes, and the time of the operation was over before its"
                  + " regions had agreed. millis="
                  + timeoutMillis
                  + " "
                  + refused));
      throw failure;
    }
    if (next != refused) {
      return new NextTry(next, 0);
    }
    // Half of it to all of it, so that clients come back at different times.
    long half = Math.min(left, pauseMillis) / 2;
    pauseMillis = Math.min(LONGEST_PAUSE_MILLIS, 2 * pauseMillis);
    return new NextTry(next, half + ThreadLocalRandom.current().nextLong(half + 1));
  }

  private long left() {
    return timeoutMillis - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beginNanos);
  }

  /** Whether a failure says that its thread was interrupted, and not that a time is over. */
  static boolean isInterruption(IOException failure) {
    return failure instanceof InterruptedIOException
        && !(failure instanceof SocketTimeoutException);
  }

  /** For methods that declare no exception; an interruption is not lost by that. */
  static UncheckedIOException unchecked(IOException failure) {
    if (isInterruption(failure)) {
      Thread.currentThread().interrupt();
    }
    return new UncheckedIOException(failure);
  }

  /** Sleeps, but for no time. */
  void pause(long millis) throws InterruptedIOException {
    if (millis <= 0) {
      return;
    }
    try {
      layouts.pause(millis);
    } catch (InterruptedException e) {
      throw (InterruptedIOException)
          new InterruptedIOException("Interrupted while the layout of the table changes")
              .initCause(e);
    }
  }
}
