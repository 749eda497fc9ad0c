package io.rowguard.tools.cluster;

/** A question that a server did not answer, or not in time. The message is one line. */
public final class NoAnswer extends Exception {
  private static final long serialVersionUID = 1L;

  NoAnswer(String message, Throwable cause) {
    super(message, cause);
  }

  /**
   * The innermost reason in one line: what is around it counts attempts, and what a server answers
   * brings its stack trace along in the message.
   */
  public static String reason(Throwable e) {
    Throwable innermost = e;
    while (innermost.getCause() != null) {
      innermost = innermost.getCause();
    }
    return innermost.toString().lines().findFirst().orElseThrow();
  }
}
