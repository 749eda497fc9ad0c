package io.rowguard.observer;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * The rows of one table that go to the same place, a server or a region of this very server: those
 * that come while a call is under way travel together in the next. Thread-safe.
 *
 * <p>One call at a time makes the largest calls, but one that hangs must not hold up the others: so
 * the next one also begins when the last has been under way for {@link #SLOW_NANOS}, up to {@link
 * #MOST_CALLS} of them. And a place that does not answer at all must not hold up all handlers of
 * this server: when it has been silent for a quarter of what a batch may wait, or all rows of a
 * call have failed, what comes is refused at once while something is under way there.
 */
final class Lane {
  /** How rows get to the place. */
  interface Carrier {
    /** Carries rows; each of them ends at some time, also when nothing can be done for it. */
    void carry(List<ForwardedRow> rows, Call call);
  }

  private static final int MOST_ROWS = 2_000;
  private static final int MOST_CALLS = 16;
  private static final long SLOW_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private final String place;
  private final Carrier carrier;
  private final ForwardThreads threads;
  private final Executor first;
  private final Executor next;
  private final long silenceNanos;
  private final WriteMetrics metrics;

  private final ArrayDeque<ForwardedRow> waiting = new ArrayDeque<>();
  private int unanswered;
  private int underWay;
  private long lastBegan;
  private long lastHeard;
  private boolean failing;
  private boolean wakeUpDue;

  /**
   * @param place for messages
   * @param first where a call begins that need not wait for another
   * @param next where one begins that had to
   * @param timeoutMillis how long a batch may wait
   */
  Lane(
      String place,
      Carrier carrier,
      ForwardThreads threads,
      Executor first,
      Executor next,
      long timeoutMillis,
      WriteMetrics metrics) {
    this.place = place;
    this.carrier = carrier;
    this.threads = threads;
    this.first = first;
    this.next = next;
    this.silenceNanos = TimeUnit.MILLISECONDS.toNanos(timeoutMillis) / 4;
    this.metrics = metrics;
  }

  /** Sends rows, now or with the next call. */
  void send(List<ForwardedRow> rows) {
    Call call = null;
    IOException refusal = null;
    synchronized (this) {
      long now = System.nanoTime();
      boolean silent = unanswered > 0 && now - lastHeard > silenceNanos;
      if (silent || (failing && underWay > 0)) {
        refusal =
            new IOException(
                "It does not answer. place="
                    + place
                    + " silentMillis="
                    + TimeUnit.NANOSECONDS.toMillis(now - lastHeard));
      } else {
        waiting.addAll(rows);
        metrics.forwardsWaiting(rows.size());
        call = next(now);
      }
    }
    if (refusal != null) {
      for (ForwardedRow row : rows) {
        row.failed(refusal);
      }
    } else if (call != null) {
      first.execute(call);
    }
  }

  /** The next call, if it may begin; else sees to it that it is asked for again. */
  private Call next(long now) {
    if (waiting.isEmpty()) {
      return null;
    }
    if (unanswered > 0 && (now - lastBegan < SLOW_NANOS || unanswered >= MOST_CALLS)) {
      if (!wakeUpDue && unanswered < MOST_CALLS) {
        wakeUpDue = true;
        threads.later(this::wakeUp, SLOW_NANOS - (now - lastBegan));
      }
      return null;
    }
    List<ForwardedRow> rows = new ArrayList<>(Math.min(waiting.size(), MOST_ROWS));
    while (rows.size() < MOST_ROWS && !waiting.isEmpty()) {
      rows.add(waiting.poll());
    }
    metrics.forwardsWaiting(-rows.size());
    if (unanswered == 0) {
      lastHeard = now;
    }
    unanswered++;
    underWay++;
    lastBegan = now;
    return new Call(rows);
  }

  private void wakeUp() {
    Call call;
    synchronized (this) {
      wakeUpDue = false;
      call = next(System.nanoTime());
    }
    if (call != null) {
      next.execute(call);
    }
  }

  private void heard(boolean isFirst, boolean isLast, boolean well, boolean anyWell) {
    Call call;
    synchronized (this) {
      lastHeard = System.nanoTime();
      unanswered -= isFirst ? 1 : 0;
      underWay -= isLast ? 1 : 0;
      failing = !well && (failing || (isLast && !anyWell));
      call = isFirst ? next(lastHeard) : null;
    }
    if (call != null) {
      next.execute(call);
    }
  }

  /** Rows that travel together. */
  final class Call implements Runnable {
    private final List<ForwardedRow> rows;
    private int left;
    private boolean anyWell;

    private Call(List<ForwardedRow> rows) {
      this.rows = rows;
      this.left = rows.size();
    }

    @Override
    public void run() {
      List<ForwardedRow> wanted = new ArrayList<>(rows.size());
      for (ForwardedRow row : rows) {
        if (row.isAbandoned()) {
          ended(row, new IOException("It was not sent in time. place=" + place));
        } else {
          wanted.add(row);
        }
      }
      if (wanted.isEmpty()) {
        return;
      }
      metrics.forwardCall();
      try {
        carrier.carry(wanted, this);
      } catch (Throwable e) {
        // Whatever it is, the handlers have to see it, not this thread.
        for (ForwardedRow row : wanted) {
          ended(row, e);
        }
      }
    }

    /**
     * A row has ended, or is somebody else's from now on.
     *
     * @param error null where it was stored
     */
    void ended(ForwardedRow row, Throwable error) {
      if (error == null ? row.stored() : row.failed(error)) {
        left(error == null || Failures.isFinal(error));
      }
    }

    /** A row has left this lane; whether that was well. */
    void left(boolean well) {
      boolean isFirst;
      boolean isLast;
      synchronized (this) {
        isFirst = left == rows.size();
        left--;
        isLast = left == 0;
        if (!isFirst && !isLast && anyWell) {
          return;
        }
        anyWell |= well;
      }
      heard(isFirst, isLast, well, anyWell);
    }
  }
}
