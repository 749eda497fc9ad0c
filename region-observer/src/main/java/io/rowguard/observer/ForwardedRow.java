package io.rowguard.observer;

import org.apache.hadoop.hbase.client.Row;

/**
 * What is written to one salted row, on its way there, and what has become of it. Thread-safe: one
 * thread waits for all rows of its {@link ForwardedBatch}, others carry them.
 */
final class ForwardedRow {
  private final Row action;
  private final ForwardedBatch batch;
  private boolean over;
  private Throwable failure;

  /** The call that it travels in, which is told when it ends; null while it is in none. */
  private Lane.Call call;

  /** One row of a batch. */
  ForwardedRow(Row action, ForwardedBatch batch) {
    this.action = action;
    this.batch = batch;
  }

  Row action() {
    return action;
  }

  ForwardedBatch batch() {
    return batch;
  }

  /** It travels in a call from now on; answers whether it still has to. */
  synchronized boolean enter(Lane.Call own) {
    if (!over) {
      call = own;
    }
    return !over;
  }

  synchronized boolean isIn(Lane.Call own) {
    return call == own;
  }

  /** It travels in that call no longer, without an end; answers whether it did. */
  synchronized boolean leave(Lane.Call own) {
    boolean was = call == own;
    call = was ? null : call;
    return was;
  }

  /** It has been stored, and safely, unless it had ended before. */
  void stored() {
    end(null);
  }

  /** It has failed, and nobody tries it any longer; likewise. */
  void failed(Throwable error) {
    end(error);
  }

  private void end(Throwable error) {
    Lane.Call last;
    synchronized (this) {
      if (over) {
        return;
      }
      over = true;
      failure = error;
      last = call;
      call = null;
    }
    batch.ended();
    if (last != null) {
      last.left(error == null || Failures.isFinal(error));
    }
  }

  synchronized boolean isStored() {
    return over && failure == null;
  }

  /** Why it was not stored; null also while it is under way. */
  synchronized Throwable failure() {
    return failure;
  }
}
