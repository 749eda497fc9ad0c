package io.rowguard.tools.cluster;

import picocli.CommandLine.Parameters;

/** The table of a command that is about one. */
public final class TableArgument {
  @Parameters(
      index = "0",
      paramLabel = "TABLE",
      description = "Its name, with the namespace if any.")
  private String name;

  public TableArgument() {}

  /** The name, as it was given. */
  public String name() {
    return name;
  }
}
