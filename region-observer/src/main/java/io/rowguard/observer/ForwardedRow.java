package io.rowguard.observer;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.hbase.client.Row;

/**
 * What is written to one salted row, on its way there, and what has become of it. Thread-safe: one
 * thread waits for all rows of its {@link Batch}, others carry them.
 */
final class ForwardedRow {
  private static final Object STORED = new Object();

  private final Row action;
  private final Batch batch;

  /** {@link #STORED}, or the Throwable it failed with; null while it is under way. */
  private final AtomicReference<Object> outcome = new AtomicReference<>();

  /** One row of a batch, of as many as that was made for. */
  ForwardedRow(Row action, Batch batch) {
    this.action = action;
    this.batch = batch;
  }

  Row action() {
    return action;
  }

  Batch batch() {
    return batch;
  }

  /** It has been stored, and safely; answers whether nobody had ended it before. */
  boolean stored() {
    return end(STORED);
  }

  /** It has failed, and nobody tries it any longer; likewise. */
  boolean failed(Throwable error) {
    return end(error);
  }

  private boolean end(Object how) {
    boolean first = outcome.compareAndSet(null, how);
    if (first) {
      batch.ended();
    }
    return first;
  }

  boolean isOver() {
    return outcome.get() != null;
  }

  boolean isStored() {
    return outcome.get() == STORED;
  }

  /** Why it was not stored; null also while it is under way. */
  Throwable failure() {
    Object how = outcome.get();
    return how == STORED ? null : (Throwable) how;
  }

  /** Whether nobody waits for it any more, so that it is better not sent. */
  boolean isAbandoned() {
    return batch.nanosLeft() <= 0;
  }

  /** Until when somebody waits for it. */
  long nanosLeft() {
    return batch.nanosLeft();
  }

  /** Rows that somebody waits for together. */
  static final class Batch {
    private final AtomicInteger left;
    private final CountDownLatch over = new CountDownLatch(1);
    private final Runnable whenOver;
    private final long until;
    private volatile boolean abandoned;

    /**
     * @param rows how many
     * @param nanos how long somebody will wait for them
     * @param whenOver runs when all of them have ended, which may be much later than that
     */
    Batch(int rows, long nanos, Runnable whenOver) {
      this.left = new AtomicInteger(rows);
      this.until = System.nanoTime() + nanos;
      this.whenOver = whenOver;
    }

    private void ended() {
      if (left.decrementAndGet() == 0) {
        whenOver.run();
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

    private long nanosLeft() {
      return abandoned ? 0 : until - System.nanoTime();
    }
  }
}
