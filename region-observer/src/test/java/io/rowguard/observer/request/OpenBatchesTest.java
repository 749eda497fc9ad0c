package io.rowguard.observer.request;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.observer.fixture.Writes;
import io.rowguard.testing.Eventually;
import java.lang.ref.WeakReference;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.regionserver.OperationStatus;
import org.apache.hadoop.hbase.wal.WALEdit;
import org.junit.jupiter.api.Test;

class OpenBatchesTest {
  private final OpenBatches open = new OpenBatches();

  private static MiniBatchOperationInProgress<Mutation> batch() {
    return new MiniBatchOperationInProgress<>(
        new Mutation[] {Writes.put("a|0001")},
        new OperationStatus[] {OperationStatus.NOT_RUN},
        new WALEdit[1],
        0,
        1,
        1);
  }

  private WeakReference<?> begun() {
    MiniBatchOperationInProgress<Mutation> batch = batch();
    open.begin(batch);
    assertTrue(open.isUnderWay());
    return new WeakReference<>(batch);
  }

  /** HBase does not say that such a batch is over. */
  @Test
  void batchWhoseHookFailed_isNotHeld() throws Exception {
    WeakReference<?> batch = begun();

    Eventually.isTrue(
        "nothing holds the batch",
        () -> {
          System.gc();
          return batch.get() == null;
        });

    assertFalse(open.isUnderWay());
  }
}
