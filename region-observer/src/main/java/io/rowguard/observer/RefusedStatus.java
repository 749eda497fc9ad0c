package io.rowguard.observer;

import org.apache.hadoop.hbase.HConstants.OperationStatusCode;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.regionserver.OperationStatus;

/**
 * The status of a refused row while its batch is under way; at the batch's end it becomes {@code
 * SANITY_CHECK_FAILURE}, which the client gets as {@code FailedSanityCheckException}.
 *
 * <p>It cannot be that from the beginning: HBase limits parallel writes of wide rows by counting
 * rows in before the observer is asked, and counts out only those whose status is {@code SUCCESS}
 * or {@code FAILURE} ({@code HRegion.BatchOperation#doFinishHotnessProtector}, 2.5 to 3.0). Nor may
 * it stay {@code FAILURE}, which the caller of a single mutation takes for success. HBase counts
 * out between the two hooks.
 */
final class RefusedStatus extends OperationStatus {
  RefusedStatus(String refusal) {
    super(OperationStatusCode.FAILURE, refusal);
  }

  /** Makes what is refused in a batch final; answers whether there are rows to forward. */
  static boolean conclude(MiniBatchOperationInProgress<Mutation> batch) {
    boolean hasBareRows = false;
    for (int i = 0; i < batch.size(); i++) {
      OperationStatus status = batch.getOperationStatus(i);
      if (status instanceof RefusedStatus) {
        batch.setOperationStatus(
            i,
            new OperationStatus(
                OperationStatusCode.SANITY_CHECK_FAILURE, status.getExceptionMsg()));
      }
      hasBareRows |= status instanceof ForwardStatus;
    }
    return hasBareRows;
  }
}
