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
  private final RefusedStatus otherwise;

  ForwardStatus(byte[] saltedRow) {
    this(saltedRow, null);
  }

  /**
   * The status of the row of a layout while that of another one takes the writes of its bare key.
   *
   * @param otherwise what it is refused with where it cannot be forwarded
   */
  ForwardStatus(byte[] otherRow, RefusedStatus otherwise) {
    super(OperationStatusCode.FAILURE, "The row of a bare key that has not been forwarded.");
    this.saltedRow = otherRow;
    this.otherwise = otherwise;
  }

  /** Null for a bare key, which is refused in its own words. */
  RefusedStatus otherwise() {
    return otherwise;
  }

  byte[] saltedRow() {
    return saltedRow;
  }
}
