package io.rowguard.observer;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.client.Row;

/** Rows that are forwarded, and that somebody waits for together. Thread-safe. */
final class ForwardedBatch {
  /** So long after nobody waits any more, rows end that nobody else has ended. */
  private static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final List<ForwardedRow> rows;
  private final AtomicInteger left;
  private final CountDownLatch over = new CountDownLatch(1);
  private final Consumer<ForwardedBatch> whenOver;
  private final long bytes;
  private final long limitNanos;
  private final long until;
  private volatile boolean abandoned;

  /**
   * @param actions one per row
   * @param bytes what they take on the heap
   * @param limitNanos how long somebody will wait for them
   * @param whenOver gets this when all of them have ended, which may be later than that
   */
  ForwardedBatch(
      List<Row> actions, long bytes, long limitNanos, Consumer<ForwardedBatch> whenOver) {
    this.bytes = bytes;
    this.limitNanos = limitNanos;
    this.until = System.nanoTime() + limitNanos;
    this.whenOver = whenOver;
    this.left = new AtomicInteger(actions.size());
    this.rows = new ArrayList<>(actions.size());
    for (Row action : actions) {
      rows.add(new ForwardedRow(action, this));
    }
  }

  /** The rows, in the order of the actions. */
  List<ForwardedRow> rows() {
    return rows;
  }

  /** What a row takes on the heap, on average. */
  long bytesOfRow() {
    return bytes / rows.size();
  }

  /** How long somebody was going to wait in the beginning. */
  long limitNanos() {
    return limitNanos;
  }

  /** How long somebody still waits; 0 or less when nobody does, so that it is better not sent. */
  long nanosLeft() {
    return abandoned ? 0 : until - System.nanoTime();
  }

  /** One row has ended. */
  void ended() {
    if (left.decrementAndGet() == 0) {
      whenOver.accept(this);
      over.countDown();
    }
  }

  /** Waits for all rows, as long as it was said; what is not sent by then never is. */
  void await() throws InterruptedException {
    try {
      if (!over.await(nanosLeft(), TimeUnit.NANOSECONDS)) {
        abandoned = true;
      }
    } catch (InterruptedException e) {
      abandoned = true;
      throw e;
    }
  }

  /** Ends what should have ended by itself long ago: whoever carried it has forgotten it. */
  void endIfOverdue() {
    if (System.nanoTime() - until > GRACE_NANOS) {
      fail(new IOException("Nobody has said what became of it."));
    }
  }

  /** Ends all rows that are under way. */
  void fail(Throwable error) {
    for (ForwardedRow row : rows) {
      row.failed(error);
    }
  }
}
