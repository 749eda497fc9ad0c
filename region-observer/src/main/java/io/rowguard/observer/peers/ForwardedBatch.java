package io.rowguard.observer.peers;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.client.Row;

/** Rows that are forwarded and waited for together. Thread-safe. */
final class ForwardedBatch {
  /** Time after the wait is over after which rows end that have not ended by themselves. */
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
   * @param limitNanos how long they are waited for
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

  /** The heap size of a row, on average. */
  long bytesOfRow() {
    return bytes / rows.size();
  }

  /** How long the rows were to be waited for in the beginning. */
  long limitNanos() {
    return limitNanos;
  }

  /** How long the rows are still waited for; at 0 or less they are better not sent. */
  long nanosLeft() {
    return abandoned ? 0 : until - System.nanoTime();
  }

  /** Counts one row that has ended. */
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

  /** Ends what should have ended by itself long ago: its call has been lost. */
  void endIfOverdue() {
    if (System.nanoTime() - until > GRACE_NANOS) {
      fail(new IOException("It was forgotten."));
    }
  }

  /** Ends all rows that are under way. */
  void fail(Throwable error) {
    for (ForwardedRow row : rows) {
      row.failed(error);
    }
  }
}
