package io.rowguard.observer.peers;

import io.rowguard.observer.metrics.WriteMetrics;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/**
 * The rows of one table that go to the same place, a server or a region of this very server: those
 * that come while a call is under way travel together in the next, but for those that replication
 * has brought from other clusters. Thread-safe.
 *
 * <p>One call at a time makes the largest calls, but one that hangs must not hold up the others: so
 * the next one also begins when the last has been under way for twice as long as calls usually take
 * (between {@link #LEAST_PACE_NANOS} and {@link #MOST_PACE_NANOS}), up to {@link #MOST_CALLS} of
 * them. And a place that does not answer at all must not hold up all handlers of this server: when
 * it has been silent for a quarter of what a batch may wait, or all rows of a call have failed, one
 * call at a time is let through to see, and the rest refused at once.
 */
final class PeerQueue {
  /** The way of rows to the peer. */
  interface Writer {
    /** Carries rows; each of them ends at some time, also when nothing can be done for it. */
    void write(List<ForwardedRow> rows, Transfer call);
  }

  private static final int MOST_ROWS = 2_000;
  private static final long MOST_BYTES = 4L << 20;
  private static final int MOST_CALLS = 16;
  private static final long LEAST_PACE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
  private static final long MOST_PACE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  private final String place;
  private final Writer writer;
  private final PeerThreads threads;
  private final Executor first;
  private final Executor next;
  private final WriteMetrics metrics;
  private final LongSupplier clock;

  private final ArrayDeque<ForwardedRow> waiting = new ArrayDeque<>();
  private int unanswered;
  private int underWay;
  private long lastBegan;
  private long lastHeard;
  private long usualNanos;
  private boolean failing;
  private boolean wakeUpDue;

  /**
   * @param place for messages
   * @param first where a call begins that need not wait for another
   * @param next where one begins that had to
   * @param clock in nanoseconds, such as {@link System#nanoTime}
   */
  PeerQueue(
      String place,
      Writer writer,
      PeerThreads threads,
      Executor first,
      Executor next,
      WriteMetrics metrics,
      LongSupplier clock) {
    this.place = place;
    this.writer = writer;
    this.threads = threads;
    this.first = first;
    this.next = next;
    this.metrics = metrics;
    this.clock = clock;
  }

  /** Sends rows, now or with the next call. */
  void send(List<ForwardedRow> rows) {
    Transfer call = null;
    IOException refusal = null;
    synchronized (this) {
      long now = clock.getAsLong();
      long silence = rows.get(0).batch().limitNanos() / 4;
      boolean tried = now - lastBegan <= silence || unanswered >= MOST_CALLS;
      boolean silent = unanswered > 0 && now - lastHeard > silence && tried;
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

  private static void begin(Transfer call, Executor executor) {
    if (call != null) {
      try {
        executor.execute(call);
      } catch (Throwable e) {
        call.fail(e); // no thread to be had, or the last region that forwards has closed
      }
    }
  }

  /** The next transfer, if it may begin; else a wake-up is due. */
  private Transfer next(long now) {
    if (waiting.isEmpty()) {
      return null;
    }
    Transfer call = null;
    if (unanswered == 0 || (now - lastBegan >= pace() && unanswered < MOST_CALLS)) {
      List<ForwardedRow> rows = new ArrayList<>(Math.min(waiting.size(), MOST_ROWS));
      long bytes = 0;
      // HBase ships all of a batch to other clusters as it does the first of it (hbase-facts.md).
      List<UUID> clusters = waiting.element().clusters();
      while (rows.size() < MOST_ROWS
          && bytes < MOST_BYTES
          && !waiting.isEmpty()
          && waiting.element().clusters().equals(clusters)) {
        ForwardedRow row = waiting.poll();
        bytes += row.batch().bytesOfRow();
        rows.add(row);
      }
      metrics.forwardsWaiting(-rows.size());
      call = transferOf(rows, now);
    }
    if (!waiting.isEmpty() && !wakeUpDue && unanswered < MOST_CALLS) {
      wakeUpDue = threads.later(this::wakeUp, pace() - (now - lastBegan));
    }
    return call;
  }

  private Transfer transferOf(List<ForwardedRow> rows, long now) {
    Transfer call = new Transfer(rows, now);
    if (unanswered == 0) {
      lastHeard = now;
    }
    unanswered++;
    underWay++;
    lastBegan = now;
    return call;
  }

  private long pace() {
    return Math.min(MOST_PACE_NANOS, Math.max(LEAST_PACE_NANOS, 2 * usualNanos));
  }

  private void wakeUp() {
    Transfer call;
    synchronized (this) {
      wakeUpDue = false;
      call = next(clock.getAsLong());
    }
    begin(call, next);
  }

  /** Sends rows again, each batch by itself. */
  private void sendApart(List<ForwardedRow> rows) {
    Map<ForwardedBatch, List<ForwardedRow>> byBatch = new LinkedHashMap<>();
    for (ForwardedRow row : rows) {
      byBatch.computeIfAbsent(row.batch(), batch -> new ArrayList<>()).add(row);
    }
    for (List<ForwardedRow> some : byBatch.values()) {
      Transfer call;
      synchronized (this) {
        call = transferOf(some, clock.getAsLong());
      }
      begin(call, next);
    }
  }

  private void heard(Transfer of, boolean isFirst, boolean isLast, boolean well, boolean anyWell) {
    Transfer call;
    synchronized (this) {
      lastHeard = clock.getAsLong();
      if (isFirst) {
        unanswered--;
        usualNanos += (lastHeard - of.began - usualNanos) / 8;
      }
      underWay -= isLast ? 1 : 0;
      failing = !well && (failing || (isLast && !anyWell));
      call = isFirst ? next(lastHeard) : null;
    }
    begin(call, next);
  }

  /** Rows that travel together, in one call. */
  final class Transfer implements Runnable {
    private final List<ForwardedRow> rows;
    private final long began;
    private final boolean mixed;
    private final List<ForwardedRow> suspects = new ArrayList<>();
    private final AtomicInteger entered = new AtomicInteger();
    private int left;
    private boolean anyWell;

    private Transfer(List<ForwardedRow> rows, long began) {
      this.rows = rows;
      this.began = began;
      this.left = rows.size();
      ForwardedBatch batch = rows.get(0).batch();
      this.mixed = rows.stream().anyMatch(row -> row.batch() != batch);
    }

    @Override
    public void run() {
      try {
        enter();
        List<ForwardedRow> wanted = new ArrayList<>(rows.size());
        for (ForwardedRow row : rows) {
          if (row.batch().nanosLeft() <= 0) {
            row.failed(new IOException("It was not sent in time. place=" + place));
          } else if (row.isIn(this)) {
            wanted.add(row);
          }
        }
        if (!wanted.isEmpty()) {
          metrics.forwardCall();
          writer.write(wanted, this);
        }
      } catch (Throwable e) {
        fail(e);
      }
    }

    /** Enters each row once, also where an executor that fails runs the transfer all the same. */
    private void enter() {
      int next = entered.getAndIncrement();
      while (next < rows.size()) {
        if (!rows.get(next).enter(this)) {
          left(true);
        }
        next = entered.getAndIncrement();
      }
    }

    /** Fails all rows: the handlers have to see the error, not this thread. */
    private void fail(Throwable error) {
      enter();
      for (ForwardedRow row : rows) {
        if (row.isIn(this)) {
          row.failed(error);
        }
      }
    }

    /**
     * A row has ended, unless it is refused for what another batch may be the reason of: another
     * coprocessor's hook for one row fails all that HBase writes with it.
     *
     * @param error null where it was stored
     */
    void ended(ForwardedRow row, Throwable error) {
      if (error == null) {
        row.stored();
      } else if (!mixed || !PeerFailures.isFinal(error)) {
        row.failed(error);
      } else if (row.leave(this)) {
        synchronized (this) {
          suspects.add(row);
        }
        left(true);
      }
    }

    /** Hands a row over to another transfer, unless it has ended. */
    void handOver(ForwardedRow row) {
      if (row.leave(this)) {
        left(true);
      }
    }

    /** A row has left this call, each once; whether that was well. */
    void left(boolean well) {
      boolean isFirst;
      boolean isLast;
      boolean any;
      synchronized (this) {
        isFirst = left == rows.size();
        left--;
        isLast = left == 0;
        if (!isFirst && !isLast && anyWell) {
          return;
        }
        anyWell |= well;
        any = anyWell;
      }
      heard(this, isFirst, isLast, well, any);
      if (isLast && !suspects.isEmpty()) {
        sendApart(suspects);
      }
    }
  }
}
