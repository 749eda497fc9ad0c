package io.rowguard.observer.peers;

import java.util.Collections;
import java.util.List;
import java.util.UUID;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;

/**
 * A write to one salted row, on its way there and in the end. Thread-safe: one thread waits for all
 * rows of its {@link ForwardedBatch}, others carry them.
 */
final class ForwardedRow {
  private final Row action;
  private final ForwardedBatch batch;
  private final List<UUID> clusters;
  private boolean over;
  private Throwable failure;

  /** The transfer that it travels in, which is told when it ends; null while it is in none. */
  private PeerQueue.Transfer transfer;

  /** One row of a batch. */
  ForwardedRow(Row action, ForwardedBatch batch) {
    this.action = action;
    this.batch = batch;
    this.clusters = clustersOf(action);
  }

  private static List<UUID> clustersOf(Row action) {
    Row one =
        action instanceof RowMutations ? ((RowMutations) action).getMutations().get(0) : action;
    return one instanceof Mutation ? ((Mutation) one).getClusterIds() : Collections.emptyList();
  }

  Row action() {
    return action;
  }

  ForwardedBatch batch() {
    return batch;
  }

  /** The clusters that it has been on, by replication; none for what a client has written. */
  List<UUID> clusters() {
    return clusters;
  }

  /** Enters a transfer; answers whether it still has to travel. */
  synchronized boolean enter(PeerQueue.Transfer own) {
    if (!over) {
      transfer = own;
    }
    return !over;
  }

  synchronized boolean isIn(PeerQueue.Transfer own) {
    return transfer == own;
  }

  /** Leaves a transfer without an end; answers whether it was in it. */
  synchronized boolean leave(PeerQueue.Transfer own) {
    boolean was = transfer == own;
    transfer = was ? null : transfer;
    return was;
  }

  /** Ends as stored, unless it had ended before. */
  void stored() {
    end(null);
  }

  /** Ends as failed, and is not tried any longer; likewise. */
  void failed(Throwable error) {
    end(error);
  }

  private void end(Throwable error) {
    PeerQueue.Transfer last;
    synchronized (this) {
      if (over) {
        return;
      }
      over = true;
      failure = error;
      last = transfer;
      transfer = null;
    }
    batch.ended();
    if (last != null) {
      last.left(error == null || PeerFailures.isFinal(error));
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
