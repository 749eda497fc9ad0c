package io.rowguard.workload;

import java.util.concurrent.ExecutionException;

/** The message of a server, out of the exception that carried it to the client. */
public final class ServerMessage {
  private ServerMessage() {}

  /**
   * The first line of the message, without the class names before it and the server's stack trace
   * after it, both of which HBase sends along; the exception's simple name where it has none.
   */
  public static String of(Throwable thrown) {
    Throwable cause = thrown;
    while (cause instanceof ExecutionException && cause.getCause() != null) {
      cause = cause.getCause();
    }
    String message = cause.getMessage();
    if (message == null) {
      return cause.getClass().getSimpleName();
    }
    String line = message.lines().findFirst().orElse("");
    return line.replaceFirst("^(?:[a-z]\\w*\\.)+[A-Z]\\w*: ", "");
  }
}
