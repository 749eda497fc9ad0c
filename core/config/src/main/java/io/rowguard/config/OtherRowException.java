package io.rowguard.config;

import java.util.regex.Pattern;
import org.apache.hadoop.hbase.DoNotRetryIOException;

/**
 * The refusal of a write to a row of one layout while the row of the other one takes the writes of
 * its bare key. Nothing of it was carried out. The message names the right row; a client that knows
 * both layouts sends the write there, once, and reads the descriptor again.
 *
 * <p>Where a batch holds other rows that were written, HBase lets a region answer no more for a
 * single row than a message. So messages begin with a token, and {@link #isReasonOf} knows both.
 */
public final class OtherRowException extends DoNotRetryIOException {
  private static final long serialVersionUID = 1L;

  private static final String TOKEN = "OTHER_ROW: ";

  /** Names of exceptions stand before a message that has come over the network. */
  private static final Pattern SAID = Pattern.compile("(?:[\\w.$]+: )*?" + TOKEN);

  /** Also how HBase's client makes it, of the message that came from the server. */
  public OtherRowException(String message) {
    super(message);
  }

  /**
   * The message, by which {@link #isReasonOf} knows it again.
   *
   * @param details where, and which row it would be
   */
  public static String message(String details) {
    return TOKEN
        + "The row of the other layout takes the writes of this bare key for now. "
        + details;
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

  /** The same of an error without its causes. Cost: one look at the beginning of its message. */
  public static boolean isSaidBy(Throwable error) {
    String message = error.getMessage();
    return error instanceof OtherRowException
        || (message != null && SAID.matcher(message).lookingAt());
  }
}
