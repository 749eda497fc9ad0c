package io.rowguard.observer;

import io.rowguard.config.OtherPlaceException;
import java.io.IOException;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HConstants.OperationStatusCode;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.regionserver.OperationStatus;

/**
 * The status of a refused row while its batch is under way; at the batch's end it becomes {@code
 * SANITY_CHECK_FAILURE}, which the client gets as {@code FailedSanityCheckException}, or {@code
 * STORE_TOO_BUSY} where the client is to try again.
 *
 * <p>It cannot be that from the beginning: HBase limits parallel writes of wide rows by counting
 * rows in before the observer is asked, and counts out only those whose status is {@code SUCCESS}
 * or {@code FAILURE} ({@code HRegion.BatchOperation#doFinishHotnessProtector}, 2.5 to 3.0). Nor may
 * it stay {@code FAILURE}, which the caller of a single mutation takes for success. HBase counts
 * out between the two hooks.
 */
final class RefusedStatus extends OperationStatus {
  /** What the client is to make of it. */
  private enum Kind {
    FINAL,
    OTHER_PLACE,
    BUSY
  }

  private final Kind kind;

  RefusedStatus(String refusal) {
    this(Kind.FINAL, refusal);
  }

  private RefusedStatus(Kind kind, String refusal) {
    super(OperationStatusCode.FAILURE, refusal);
    this.kind = kind;
  }

  /**
   * Refused where it is, while another row takes the writes.
   *
   * @param message an {@link OtherPlaceException#message}
   */
  static RefusedStatus otherPlace(String message) {
    return new RefusedStatus(Kind.OTHER_PLACE, message);
  }

  /** Refused for now. */
  static RefusedStatus busy(String message) {
    return new RefusedStatus(Kind.BUSY, message);
  }

  /** Whether the client is to try again. */
  boolean isBusy() {
    return kind == Kind.BUSY;
  }

  /** What fails a batch in which nobody reads the statuses of rows. */
  IOException exception() {
    switch (kind) {
      case OTHER_PLACE:
        return new OtherPlaceException(getExceptionMsg());
      case BUSY:
        return Failures.busy(getExceptionMsg());
      default:
        return new DoNotRetryIOException(getExceptionMsg());
    }
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
                ((RefusedStatus) status).isBusy()
                    ? OperationStatusCode.STORE_TOO_BUSY
                    : OperationStatusCode.SANITY_CHECK_FAILURE,
                status.getExceptionMsg()));
      }
      hasBareRows |= status instanceof ForwardStatus;
    }
    return hasBareRows;
  }
}
