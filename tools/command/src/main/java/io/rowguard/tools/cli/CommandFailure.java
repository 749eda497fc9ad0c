package io.rowguard.tools.cli;

/**
 * Why a command cannot do its work, in words for the person who called it: one line that ends with
 * the way out.
 */
public final class CommandFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public CommandFailure(String message) {
    super(message);
  }

  public CommandFailure(String message, Throwable cause) {
    super(message, cause);
  }
}
