package io.rowguard.tools.cli;

/** The exit codes of commands. */
public final class ExitCodes {
  /** All is well. */
  public static final int OK = 0;

  /** The command did its work and found problems, which it named on standard output. */
  public static final int PROBLEMS = 1;

  /** The command was used wrongly or could not do its work; standard error says why. */
  public static final int FAILED = 2;

  private ExitCodes() {}
}
