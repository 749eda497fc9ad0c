package io.rowguard.observer;

import org.apache.hadoop.hbase.HConstants.OperationStatusCode;
import org.apache.hadoop.hbase.regionserver.OperationStatus;

/**
 * The status of a bare row while its batch is under way: HBase is to leave it out, and what it
 * holds is stored under the salted row when the batch's locks are gone.
 *
 * <p>It is a {@code FAILURE} to HBase for the reasons given at {@link RefusedStatus}, and so that
 * other coprocessors do not see a put here; {@link Forwarder} makes it final.
 */
final class ForwardStatus extends OperationStatus {
  private final byte[] saltedRow;

  ForwardStatus(byte[] saltedRow) {
    super(OperationStatusCode.FAILURE, "The row of a bare key that has not been forwarded.");
    this.saltedRow = saltedRow;
  }

  byte[] saltedRow() {
    return saltedRow;
  }
}
