package io.rowguard.config;

import org.apache.hadoop.hbase.DoNotRetryIOException;

/**
 * A write came to a row of one layout while the row of the other one takes the writes of its bare
 * key. Nothing of it was carried out. The message names the right row; who knows both layouts sends
 * it there, once, and reads the descriptor again.
 */
public final class OtherPlaceException extends DoNotRetryIOException {
  private static final long serialVersionUID = 1L;

  /** Also how HBase's client makes it, of the message that came from the server. */
  public OtherPlaceException(String message) {
    super(message);
  }
}
