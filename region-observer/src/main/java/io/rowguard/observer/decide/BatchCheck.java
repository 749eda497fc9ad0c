package io.rowguard.observer.decide;

import io.rowguard.observer.request.BatchKind;
import io.rowguard.observer.request.InternalMutations;
import io.rowguard.observer.request.OpenBatches;
import io.rowguard.observer.request.RegionFeature;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.wal.WALKey;
import org.apache.hadoop.hbase.wal.WALKeyImpl;

/**
 * Judges batches, and has what belongs elsewhere delivered when they are over. Thread-safe.
 *
 * <p>Also judged are the rows that other coprocessors add to a batch ({@code
 * MiniBatchOperationInProgress#addOperationsFromCP}), such as those of a Phoenix local index. HBase
 * takes them when all coprocessors have been asked ({@code
 * HRegion.MutationBatchOperation#checkAndMergeCPMutations}), so {@link #judge} sees those of
 * coprocessors with a smaller priority only. All of them are there in {@code preWALAppend}, which
 * comes in the same thread and before anything is stored, but is not told the batch. A batch
 * without a write-ahead log has no such moment: rows that are added later are stored then, and
 * counted; while the layout changes every batch has a log.
 *
 * <p>A refused row of these fails its whole batch. HBase has it that added rows go with the
 * mutation at their index, but Phoenix puts the index rows of all mutations at the first: to leave
 * that one out would store the others without theirs.
 */
public final class BatchCheck {
  /** HBase adds a stack trace to each row that is refused for now; more than so many fail whole. */
  private static final int MOST_BUSY = 32;

  private static final Mutation[] NONE = {};

  private final RegionInfo region;
  private final WriteCheck writes;
  private final VersionCheck versions;
  private final InternalMutations own;
  private final Delivery delivery;
  private final List<RegionFeature> features;
  private final RegionFeature[] writing;
  private final OpenBatches open;

  public BatchCheck(
      RegionInfo region,
      WriteCheck writes,
      VersionCheck versions,
      InternalMutations own,
      Delivery delivery,
      List<RegionFeature> features,
      OpenBatches open) {
    this.region = region;
    this.writes = writes;
    this.versions = versions;
    this.own = own;
    this.delivery = delivery;
    this.features = features;
    this.writing = RegionFeature.overriding(features, "writing", Mutation.class);
    this.open = open;
  }

  /**
   * Judges the mutations of a batch before it is stored, and sets the status of those that are not.
   *
   * @throws IOException when the batch fails whole
   */
  public void judge(MiniBatchOperationInProgress<Mutation> batch) throws IOException {
    int conforming = 0;
    int forwards = 0;
    int busy = 0;
    BatchKind kind = null;
    for (int i = 0; i < batch.size(); i++) {
      Mutation mutation = batch.getOperation(i);
      if (!OpenBatches.isNotRun(batch, i) || own.isOwn(mutation)) {
        continue;
      }
      if (RepeatCheck.hasNonce(mutation)) {
        versions.check(mutation); // not before: HBase has looked at its nonce meanwhile
      }
      Decision decision = writes.judge(mutation);
      if (decision.isStored()) {
        conforming += decision == Decision.WRITE ? 1 : 0;
        for (RegionFeature feature : writing) {
          feature.writing(mutation);
        }
        continue;
      }
      kind = kind == null ? BatchKind.of(batch, region) : kind;
      if (decision.kind() == Decision.Kind.FORWARD) {
        if (kind == BatchKind.WHOLE) {
          throw decision.refusal().exception();
        }
        forwards++;
      } else {
        Refusal refusal = decision.refusal();
        if (kind != BatchKind.ROW_BY_ROW) {
          throw versions.repeats().failure(batch, mutation, refusal);
        }
        if (refusal.isBusy() && ++busy > MOST_BUSY) {
          throw refusal.exception();
        }
      }
      batch.setOperationStatus(i, DecidedStatus.of(decision));
    }
    if (forwards > 0) {
      delivery.requireRoom(forwards);
    }
    for (RegionFeature feature : features) {
      feature.judged(batch);
    }
    judgeAdded(batch);
    open.begin(batch);
    writes.conforming(conforming);
  }

  /**
   * Judges what has been added to the batch of this thread, to which nothing can be added now, and
   * keeps other clusters from what the region moves: each of them moves its rows by itself.
   *
   * @param key of the batch's edit in the log, with the scopes of the region's families
   */
  public void beforeLog(WALKey key) throws IOException {
    MiniBatchOperationInProgress<Mutation> batch = open.current();
    if (batch == null) {
      return;
    }
    judgeAdded(batch);
    if (isOwn(batch) && key instanceof WALKeyImpl) {
      requireNoneAdded(batch, (WALKeyImpl) key);
      ((WALKeyImpl) key).clearReplicationScope();
      for (int i = 0; i < batch.size(); i++) {
        if (OpenBatches.isNotRun(batch, i)) {
          own.logged(batch.getOperation(i));
        }
      }
    }
  }

  /** A region writes what it moves in batches of their own. */
  private boolean isOwn(MiniBatchOperationInProgress<Mutation> batch) {
    for (int i = 0; i < batch.size(); i++) {
      if (!own.isOwn(batch.getOperation(i))) {
        return false;
      }
    }
    return batch.size() > 0;
  }

  private void requireNoneAdded(MiniBatchOperationInProgress<Mutation> batch, WALKeyImpl key)
      throws IOException {
    boolean isShipped = key.getReplicationScopes() != null && !key.getReplicationScopes().isEmpty();
    for (int i = 0; isShipped && i < batch.size(); i++) {
      if (addedTo(batch, i).length > 0) {
        throw new DoNotRetryIOException(
            "Another coprocessor adds a row to what a change of the layout moves. The one has to go"
                + " to other clusters, and the other must not. table="
                + region.getTable());
      }
    }
  }

  private void judgeAdded(MiniBatchOperationInProgress<Mutation> batch) throws IOException {
    for (int i = 0; i < batch.size(); i++) {
      for (Mutation added : addedTo(batch, i)) {
        Refusal refusal = writes.refusalOfAdded(added, batch.getOperation(i));
        if (refusal != null) {
          IOException failure = refusal.exception();
          failure.setStackTrace(new StackTraceElement[0]); // which goes out once per row
          throw failure;
        }
      }
    }
  }

  /** Counts what has been added to a batch that is stored. */
  public void stored(MiniBatchOperationInProgress<Mutation> batch) {
    for (int i = 0; i < batch.size(); i++) {
      for (Mutation added : addedTo(batch, i)) {
        writes.addedRowStored(added, batch.getOperation(i));
      }
    }
  }

  /** The rows that go with a mutation: none where it is not to be written itself. */
  private static Mutation[] addedTo(MiniBatchOperationInProgress<Mutation> batch, int index) {
    Mutation[] added = batch.getOperationsFromCoprocessors(index);
    return added != null && OpenBatches.isNotRun(batch, index) ? added : NONE;
  }

  /**
   * Makes refusals final when a batch is over, and delivers its rows that belong elsewhere.
   *
   * @param success whether the batch was stored; nothing is delivered of one that failed whole
   */
  public void conclude(MiniBatchOperationInProgress<Mutation> batch, boolean success)
      throws IOException {
    open.end(batch);
    if (DecidedStatus.conclude(batch) && success) {
      delivery.deliver(batch, region);
    }
  }

  /** The batches under way; for tests. */
  public OpenBatches open() {
    return open;
  }
}
