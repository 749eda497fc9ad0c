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
    String reason = FailureText.of(e);
    // Hadoop 3.4 asks for the subject of a security manager, which Java 24 has no more.
    return reason.contains("getSubject is not supported")
        ? reason + ": HBase's client runs on Java 17 to 23, set JAVA_HOME to one"
        : reason;
  }
}
