package io.rowguard.observer;

import java.io.IOException;
import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HConstants.OperationStatusCode;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;

/**
 * Judges the rows that other coprocessors add to batches ({@code
 * MiniBatchOperationInProgress#addOperationsFromCP}), such as those of a Phoenix local index.
 * Thread-safe; costs next to nothing where none are.
 *
 * <p>HBase takes them when all coprocessors have been asked ({@code
 * HRegion.MutationBatchOperation#checkAndMergeCPMutations}), so {@code preBatchMutate} sees those
 * of coprocessors with a smaller priority only. All of them are there in {@code preWALAppend},
 * which comes in the same thread and before anything is stored, but is not told the batch; so that
 * is remembered. A batch without a write-ahead log has no such moment: what is added after {@code
 * preBatchMutate} is stored then, and counted; while the layout changes it has a log.
 *
 * <p>A refused row fails its whole batch. HBase has it that added rows go with the mutation at
 * their place, but Phoenix puts the index rows of all mutations at the first: to leave that one out
 * would store the others without theirs.
 */
final class AddedRows {
  private static final Mutation[] NONE = {};

  private final WriteCheck writes;

  /** The batch that each thread is about to write, once it is judged. */
  private final Map<Thread, Judged> underWay = new ConcurrentHashMap<>();

  /**
   * A batch; the outer one is what a coprocessor was asked about when it wrote this one. Held
   * weakly: as long as it is under way HBase holds it, and does not always say that it is over.
   */
  private static final class Judged {
    private final WeakReference<MiniBatchOperationInProgress<Mutation>> batch;
    private final Judged outer;

    Judged(MiniBatchOperationInProgress<Mutation> batch, Judged outer) {
      this.batch = new WeakReference<>(batch);
      this.outer = outer;
    }
  }

  AddedRows(WriteCheck writes) {
    this.writes = writes;
  }

  /** Judges what has been added so far, and remembers the batch for {@link #judgeAll}. */
  void judge(MiniBatchOperationInProgress<Mutation> batch) throws IOException {
    check(batch);
    underWay.compute(
        Thread.currentThread(), (thread, outer) -> new Judged(batch, stillUnderWay(outer)));
  }

  /**
   * Has what a batch writes without a write-ahead log go there after all, so that {@link #judgeAll}
   * comes. HBase asks each mutation when it has asked the coprocessors, but syncs by what they said
   * before ({@code HRegion.BatchOperation#buildWALEdits}): nothing waits for it.
   *
   * @param ofTable the durability of mutations that say none
   */
  static void bringToLog(MiniBatchOperationInProgress<Mutation> batch, Durability ofTable) {
    for (int i = 0; i < batch.size(); i++) {
      Mutation mutation = batch.getOperation(i);
      Durability own = mutation.getDurability();
      boolean skips = (own == Durability.USE_DEFAULT ? ofTable : own) == Durability.SKIP_WAL;
      if (skips && isNotRun(batch, i)) {
        mutation.setDurability(Durability.ASYNC_WAL);
      }
    }
  }

  /**
   * Without those that nobody said were over: HBase does not, where another coprocessor's {@code
   * postPut} throws.
   */
  private static Judged stillUnderWay(Judged last) {
    Judged judged = last;
    while (judged != null && !isNotRun(judged.batch.get())) {
      judged = judged.outer;
    }
    return judged;
  }

  private static boolean isNotRun(MiniBatchOperationInProgress<Mutation> batch) {
    for (int i = 0; batch != null && i < batch.size(); i++) {
      if (isNotRun(batch, i)) {
        return true;
      }
    }
    return false;
  }

  /** Judges what has been added to the batch of this thread; nobody can add any more. */
  void judgeAll() throws IOException {
    Judged judged = stillUnderWay(underWay.get(Thread.currentThread()));
    MiniBatchOperationInProgress<Mutation> batch = judged == null ? null : judged.batch.get();
    if (batch != null) {
      check(batch);
    }
  }

  /** Whether this thread is in the middle of a batch, and so holds its locks. */
  boolean isUnderWay() {
    return stillUnderWay(underWay.get(Thread.currentThread())) != null;
  }

  /** Counts what has been added to a batch that is stored. */
  void stored(MiniBatchOperationInProgress<Mutation> batch) {
    for (int i = 0; i < batch.size(); i++) {
      for (Mutation added : of(batch, i)) {
        writes.addedRowStored(added, batch.getOperation(i));
      }
    }
  }

  /** A batch of this thread is over, stored or not; one that was refused was never under way. */
  void over(MiniBatchOperationInProgress<Mutation> batch) {
    underWay.computeIfPresent(
        Thread.currentThread(),
        (thread, last) -> {
          Judged judged = stillUnderWay(last);
          return judged != null && judged.batch.get() == batch ? judged.outer : judged;
        });
  }

  /** For tests: how many batches are remembered. */
  int underWay() {
    return underWay.size();
  }

  private void check(MiniBatchOperationInProgress<Mutation> batch) throws IOException {
    for (int i = 0; i < batch.size(); i++) {
      for (Mutation added : of(batch, i)) {
        RefusedStatus moving = writes.refusalOfMoving(added);
        String refusal = writes.refusalOfAdded(added, batch.getOperation(i));
        if (moving != null || refusal != null) {
          IOException failure =
              moving != null ? moving.exception() : new DoNotRetryIOException(refusal);
          failure.setStackTrace(new StackTraceElement[0]); // which goes out once per row
          throw failure;
        }
      }
    }
  }

  /** What goes with the mutation at a place: nothing where that is not to be written itself. */
  private static Mutation[] of(MiniBatchOperationInProgress<Mutation> batch, int place) {
    Mutation[] added = batch.getOperationsFromCoprocessors(place);
    return added != null && isNotRun(batch, place) ? added : NONE;
  }

  private static boolean isNotRun(MiniBatchOperationInProgress<Mutation> batch, int place) {
    return batch.getOperationStatus(place).getOperationStatusCode() == OperationStatusCode.NOT_RUN;
  }
}
