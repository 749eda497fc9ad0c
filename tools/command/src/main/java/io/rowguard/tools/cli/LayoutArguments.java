package io.rowguard.tools.cli;

import io.rowguard.layout.EntityGroup;
import io.rowguard.layout.LayoutSyntaxException;
import io.rowguard.layout.RowkeyLayout;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The layout and its group, as every command takes them. */
public final class LayoutArguments {
  @Parameters(
      index = "0",
      paramLabel = "LAYOUT",
      description = "The layout of the rowkeys, in single quotes.")
  private String layout;

  @Option(
      names = {"-g", "--group"},
      paramLabel = "SEGMENT",
      description = "The segment that ends the entity group (rowguard.group).")
  private String group;

  public LayoutArguments() {}

  /**
   * The layout.
   *
   * @throws CommandFailure when the text is none
   */
  public RowkeyLayout layout() {
    return parse(layout);
  }

  /** The name of the group's segment, or null. */
  public String groupName() {
    return group;
  }

  /**
   * The entity group.
   *
   * @throws CommandFailure when there is no such segment, or one group would get many salts
   */
  public EntityGroup group() {
    return group(layout(), group);
  }

  /**
   * Reads a layout.
   *
   * @throws CommandFailure when the text is none
   */
  public static RowkeyLayout parse(String text) {
    try {
      return RowkeyLayout.parse(text);
    } catch (LayoutSyntaxException e) {
      String hint = text.startsWith("{") ? "" : " Write layouts in single quotes.";
      throw new CommandFailure(e.getMessage() + hint, e);
    }
  }

  /**
   * The entity group of a layout.
   *
   * @param segment its name, or null when every row is its own group
   * @throws CommandFailure when there is no such segment, or one group would get many salts
   */
  public static EntityGroup group(RowkeyLayout layout, String segment) {
    try {
      return EntityGroup.of(layout, segment);
    } catch (IllegalArgumentException e) {
      throw new CommandFailure(e.getMessage(), e);
    }
  }
}
