package io.rowguard.observer.request;

import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.hbase.HConstants.OperationStatusCode;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;

/**
 * The batch that each thread is writing to a region, from the moment it is judged. HBase tells some
 * hooks that come in between neither which batch it is nor that there is one. Per region instance;
 * thread-safe, and a thread sees its own only.
 */
public final class OpenBatches {
  private final Map<Thread, Open> open = new ConcurrentHashMap<>();

  /**
   * A batch, and the one that a coprocessor was asked about when it wrote this. Held weakly: HBase
   * holds a batch as long as it is under way, and does not always say that it is over.
   */
  private static final class Open {
    private final WeakReference<MiniBatchOperationInProgress<Mutation>> batch;
    private final Open outer;

    Open(MiniBatchOperationInProgress<Mutation> batch, Open outer) {
      this.batch = new WeakReference<>(batch);
      this.outer = outer;
    }
  }

  /** Begins a batch of this thread. */
  public void begin(MiniBatchOperationInProgress<Mutation> batch) {
    open.compute(Thread.currentThread(), (thread, outer) -> new Open(batch, stillUnderWay(outer)));
  }

  /** The innermost batch of this thread; null where it writes none. */
  public MiniBatchOperationInProgress<Mutation> current() {
    Open last = stillUnderWay(open.get(Thread.currentThread()));
    return last == null ? null : last.batch.get();
  }

  /** Whether this thread is in the middle of a batch, and so holds its locks. */
  public boolean isUnderWay() {
    return stillUnderWay(open.get(Thread.currentThread())) != null;
  }

  /** Ends a batch of this thread, stored or not; one that was refused had not begun. */
  public void end(MiniBatchOperationInProgress<Mutation> batch) {
    open.computeIfPresent(
        Thread.currentThread(),
        (thread, last) -> {
          Open still = stillUnderWay(last);
          return still != null && still.batch.get() == batch ? still.outer : still;
        });
  }

  /** The number of threads that are in a batch; for tests. */
  public int size() {
    return open.size();
  }

  /**
   * Leaves out batches that were never said to be over: HBase does not say it where another
   * coprocessor's {@code postPut} throws.
   */
  private static Open stillUnderWay(Open last) {
    Open still = last;
    while (still != null && !isNotRun(still.batch.get())) {
      still = still.outer;
    }
    return still;
  }

  private static boolean isNotRun(MiniBatchOperationInProgress<Mutation> batch) {
    for (int i = 0; batch != null && i < batch.size(); i++) {
      if (isNotRun(batch, i)) {
        return true;
      }
    }
    return false;
  }

  /** Whether a mutation of a batch is still to be stored. */
  public static boolean isNotRun(MiniBatchOperationInProgress<Mutation> batch, int index) {
    return batch.getOperationStatus(index).getOperationStatusCode() == OperationStatusCode.NOT_RUN;
  }
}
