package io.rowguard.observer.decide;

import io.rowguard.config.OtherRowException;
import java.io.IOException;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.RegionTooBusyException;

/** The reason why a write is refused, and what its client is to make of it. Immutable. */
public final class Refusal {
  /**
   * Limit of an error's text within a message, in characters: the message goes to the client for
   * each row.
   */
  public static final int LONGEST_ERROR = 300;

  private enum Kind {
    FINAL,
    OTHER_ROW,
    BUSY
  }

  private final Kind kind;
  private final String message;

  private Refusal(Kind kind, String message) {
    this.kind = kind;
    this.message = message;
  }

  /** A refusal that a second try would meet again. */
  public static Refusal of(String message) {
    return new Refusal(Kind.FINAL, message);
  }

  /**
   * A refusal at one row while another one takes the writes.
   *
   * @param message an {@link OtherRowException#message}
   */
  public static Refusal otherRow(String message) {
    return new Refusal(Kind.OTHER_ROW, message);
  }

  /** A refusal for now. */
  public static Refusal busy(String message) {
    return new Refusal(Kind.BUSY, message);
  }

  /** Whether the client is to try again. */
  public boolean isBusy() {
    return kind == Kind.BUSY;
  }

  public String message() {
    return message;
  }

  /**
   * The exception for a client that is to try again later. Without a stack trace, since HBase sends
   * that once per row.
   */
  public static RegionTooBusyException busyException(String message) {
    RegionTooBusyException busy = new RegionTooBusyException(message);
    busy.setStackTrace(new StackTraceElement[0]);
    return busy;
  }

  /** An exception that says the same, where no status of a single row is read. */
  public IOException exception() {
    switch (kind) {
      case OTHER_ROW:
        return new OtherRowException(message);
      case BUSY:
        return busyException(message);
      default:
        return new DoNotRetryIOException(message);
    }
  }
}
