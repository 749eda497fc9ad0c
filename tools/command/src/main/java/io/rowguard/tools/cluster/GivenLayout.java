package io.rowguard.tools.cluster;

import io.rowguard.tools.cli.CommandFailure;
import picocli.CommandLine.Option;

/** The options that name a layout, and its group, in place of what a table declares. */
public final class GivenLayout {
  @Option(
      names = "--layout",
      paramLabel = "LAYOUT",
      description = "The layout of the rowkeys; default: the one that the table declares.")
  private String layout;

  @Option(
      names = {"-g", "--group"},
      paramLabel = "SEGMENT",
      description = "With --layout: the segment that ends the entity group.")
  private String group;

  public GivenLayout() {}

  /** The layout as text; null for what the table declares. */
  public String layout() {
    return layout;
  }

  /**
   * The segment that ends the group; null for none, or for what the table declares.
   *
   * @throws CommandFailure without a layout
   */
  public String group() {
    if (group != null && layout == null) {
      throw new CommandFailure("--group names a segment of --layout; give that too.");
    }
    return group;
  }
}
