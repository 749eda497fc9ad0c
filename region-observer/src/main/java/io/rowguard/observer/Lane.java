package io.rowguard.observer;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
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
    } else {
      begin(call, first);
    }
  }

  private static void begin(Call call, Executor executor) {
    if (call != null) {
      try {
        executor.execute(call);
      } catch (RejectedExecutionException e) {
        call.fail(e); // the last region that forwards has closed
      }
    }
  }

  /** The next call, if it may begin; else sees to it that it is asked for again. */
  private Call next(long now) {
    if (waiting.isEmpty()) {
      return null;
    }
    Call call = null;
    if (unanswered == 0 || (now - lastBegan >= SLOW_NANOS && unanswered < MOST_CALLS)) {
      List<ForwardedRow> rows = new ArrayList<>(Math.min(waiting.size(), MOST_ROWS));
      while (rows.size() < MOST_ROWS && !waiting.isEmpty()) {
        rows.add(waiting.poll());
      }
      metrics.forwardsWaiting(-rows.size());
      call = callOf(rows, now);
    }
    if (!waiting.isEmpty() && !wakeUpDue && unanswered < MOST_CALLS) {
      wakeUpDue = true;
      threads.later(this::wakeUp, SLOW_NANOS - (now - lastBegan));
    }
    return call;
  }

  private Call callOf(List<ForwardedRow> rows, long now) {
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
    begin(call, next);
  }

  /** Sends rows again, each batch by itself. */
  private void sendApart(List<ForwardedRow> rows) {
    Map<ForwardedRow.Batch, List<ForwardedRow>> byBatch = new LinkedHashMap<>();
    for (ForwardedRow row : rows) {
      byBatch.computeIfAbsent(row.batch(), batch -> new ArrayList<>()).add(row);
    }
    for (List<ForwardedRow> some : byBatch.values()) {
      Call call;
      synchronized (this) {
        call = callOf(some, System.nanoTime());
      }
      begin(call, next);
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
    begin(call, next);
  }

  /** Rows that travel together. */
  final class Call implements Runnable {
    private final List<ForwardedRow> rows;
    private final boolean mixed;
    private final List<ForwardedRow> suspects = new ArrayList<>();
    private int left;
    private boolean anyWell;

    private Call(List<ForwardedRow> rows) {
      this.rows = rows;
      this.left = rows.size();
      ForwardedRow.Batch batch = rows.get(0).batch();
      this.mixed = rows.stream().anyMatch(row -> row.batch() != batch);
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
        fail(e);
      }
    }

    /** Whatever it is, the handlers have to see it, not this thread. */
    private void fail(Throwable error) {
      for (ForwardedRow row : rows) {
        ended(row, error);
      }
    }

    /**
     * A row has ended, unless it fails for what another batch may be the reason of: another
     * coprocessor's hook for one row fails all that HBase writes with it.
     *
     * @param error null where it was stored
     */
    void ended(ForwardedRow row, Throwable error) {
      if (row.isOver()) {
        return;
      }
      if (error != null && mixed && Failures.mayBeOfAnother(error)) {
        synchronized (this) {
          suspects.add(row);
        }
        left(true);
      } else if (error == null ? row.stored() : row.failed(error)) {
        left(error == null || Failures.isFinal(error));
      }
    }

    /** A row has left this call; whether that was well. */
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
      if (isLast && !suspects.isEmpty()) {
        sendApart(suspects);
      }
    }
  }
}
