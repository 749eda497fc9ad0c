package io.rowguard.client;

import java.io.IOException;

/**
 * Says that the answer to a {@link GroupTransaction#commit()} was lost: it may have been carried
 * out, whole, or not. It may also be on its way still, unless its {@linkplain #receipt() receipt}
 * is settled.
 */
public final class CommitUnknownException extends IOException {
  private static final long serialVersionUID = 1L;

  /** Null where the transaction has none, or the exception was deserialized. */
  private final transient CommitReceipt receipt;

  CommitUnknownException(String message, CommitReceipt receipt, IOException cause) {
    super(message, cause);
    this.receipt = receipt;
  }

  /**
   * The receipt by which to find out what happened, once the servers answer again; null where the
   * transaction has none. Then only its rows can tell, if they can.
   */
  public CommitReceipt receipt() {
    return receipt;
  }
}
