package io.rowguard.config;

import org.apache.hadoop.hbase.DoNotRetryIOException;

/**
 * A write came to a row of one layout while the row of the other one takes the writes of its bare
 * key. Nothing of it was carried out. The message names the right row; who knows both layouts sends
 * it there, once, and reads the descriptor again.
 *
 * <p>Where a batch holds other rows that were written, HBase lets a region say no more of a single
 * row than a message: {@link #isReasonOf} knows both.
 */
public final class OtherPlaceException extends DoNotRetryIOException {
  private static final long serialVersionUID = 1L;

  private static final String WORDS =
      "The row of the other layout takes the writes of this bare key for now.";

  /** Also how HBase's client makes it, of the message that came from the server. */
  public OtherPlaceException(String message) {
    super(message);
  }

  /**
   * The message, by which {@link #isReasonOf} knows it again.
   *
   * @param details where, and which row it would be
   */
  public static String message(String details) {
    return WORDS + " " + details;
  }

  /** Whether a write failed for this reason, as the server or a client of HBase says it. */
  public static boolean isReasonOf(Throwable error) {
    for (Throwable cause = error; cause != null; cause = cause.getCause()) {
      if (isSaidBy(cause)) {
        return true;
      }
    }
    return false;
  }

  /** The same of an error without its causes. */
  public static boolean isSaidBy(Throwable error) {
    String message = error.getMessage();
    return error instanceof OtherPlaceException || (message != null && message.contains(WORDS));
  }
}
