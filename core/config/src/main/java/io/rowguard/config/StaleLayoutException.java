package io.rowguard.config;

import org.apache.hadoop.hbase.DoNotRetryIOException;

/**
 * A request was planned with a version of the table's layouts that its region does not take: who
 * sent it reads the descriptor again, and plans it anew. Nothing of the request was carried out.
 */
public final class StaleLayoutException extends DoNotRetryIOException {
  private static final long serialVersionUID = 1L;

  /** Also how HBase's client makes it, of the message that came from the server. */
  public StaleLayoutException(String message) {
    super(message);
  }
}
