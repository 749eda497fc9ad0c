package io.rowguard.demo;

import java.util.concurrent.ExecutionException;

/** What a server said, out of the exception that carried it to the client. */
final class ServerWords {
  private ServerWords() {}

  /**
   * The first line of the message, without class names before it and the server's stack trace
   * behind it, both of which HBase sends along.
   */
  static String of(Throwable thrown) {
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
