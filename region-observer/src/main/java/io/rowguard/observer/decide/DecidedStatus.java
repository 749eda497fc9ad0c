package io.rowguard.observer.decide;

import org.apache.hadoop.hbase.HConstants.OperationStatusCode;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.regionserver.OperationStatus;

/**
 * {@link Decision}s in HBase's words: the status of a mutation that is refused or forwarded, while
 * its batch is under way and in the end.
 *
 * <p>Meanwhile it is {@code FAILURE}. In the end a refusal is {@code SANITY_CHECK_FAILURE}, which
 * the client gets as {@code FailedSanityCheckException}, or {@code STORE_TOO_BUSY} for clients to
 * try again. It cannot be that from the beginning: HBase limits parallel writes of wide rows by
 * counting rows in before the observer is asked, and counts out only those whose status is {@code
 * SUCCESS} or {@code FAILURE} ({@code HRegion.BatchOperation#doFinishHotnessProtector}, 2.5 to
 * 3.0). Nor may it stay {@code FAILURE}, which the caller of a single mutation takes for success.
 * HBase counts out between the two hooks. And other coprocessors see no put in a {@code FAILURE}.
 */
public final class DecidedStatus extends OperationStatus {
  private final Decision decision;

  private DecidedStatus(Decision decision, String message) {
    super(OperationStatusCode.FAILURE, message);
    this.decision = decision;
  }

  /** The status of a mutation that its region does not store, until the batch is over. */
  public static DecidedStatus of(Decision decision) {
    return new DecidedStatus(
        decision,
        decision.kind() == Decision.Kind.REFUSE
            ? decision.refusal().message()
            : "The row of a bare key that has not been forwarded.");
  }

  /** The status of a refused mutation in the end. */
  public static OperationStatus ofRefused(Refusal refusal) {
    return new OperationStatus(
        refusal.isBusy()
            ? OperationStatusCode.STORE_TOO_BUSY
            : OperationStatusCode.SANITY_CHECK_FAILURE,
        refusal.message());
  }

  /** The row that a mutation is to be forwarded to; null for any other status. */
  public static byte[] otherRow(OperationStatus status) {
    return status instanceof DecidedStatus ? ((DecidedStatus) status).decision.otherRow() : null;
  }

  /** Makes the refusals in a batch final; answers whether there are rows to forward. */
  public static boolean conclude(MiniBatchOperationInProgress<Mutation> batch) {
    return conclude(batch, null);
  }

  /**
   * Makes the refusals in a batch final, and refuses what was to be forwarded.
   *
   * @param instead the refusal of what was to be forwarded; null leaves it as it is
   * @return whether there are rows to forward
   */
  public static boolean conclude(MiniBatchOperationInProgress<Mutation> batch, Refusal instead) {
    boolean forwards = false;
    for (int i = 0; i < batch.size(); i++) {
      OperationStatus status = batch.getOperationStatus(i);
      if (status instanceof DecidedStatus) {
        Decision decision = ((DecidedStatus) status).decision;
        boolean isForwarded = decision.kind() == Decision.Kind.FORWARD;
        Refusal refusal = isForwarded ? instead : decision.refusal();
        if (refusal != null) {
          batch.setOperationStatus(i, ofRefused(refusal));
        }
        forwards |= refusal == null;
      }
    }
    return forwards;
  }
}
