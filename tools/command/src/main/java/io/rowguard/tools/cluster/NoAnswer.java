package io.rowguard.tools.cluster;

import io.rowguard.layout.FailureText;

/** A question that a server did not answer, or not in time. The message is one line. */
public final class NoAnswer extends Exception {
  private static final long serialVersionUID = 1L;

  /** The reason, a clause; {@code cause} may be null. */
  public NoAnswer(String message, Throwable cause) {
    super(message, cause);
  }

  /** The innermost reason in one line, as {@link FailureText} has it. */
  public static String reason(Throwable e) {
    return FailureText.of(e);
  }
}
