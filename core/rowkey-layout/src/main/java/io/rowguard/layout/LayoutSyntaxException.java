package io.rowguard.layout;

import java.nio.charset.StandardCharsets;

/**
 * Says that a text is no layout: at which column, what was found there, and what was expected.
 *
 * <p>Columns count Java chars from 1; the column after the last char stands for the end of the
 * text. The message is one line, so that it can go into a log, a shell and an RPC answer as it is.
 */
public final class LayoutSyntaxException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;
  private static final int LONGEST_SHOWN = 500;

  private final String layout;
  private final int column;
  private final String found;
  private final String expected;

  LayoutSyntaxException(String layout, int column, String found, String expected) {
    super(
        "The layout does not parse at column "
            + column
            + ": found "
            + found
            + ", expected "
            + expected
            + ". Layout: "
            + shown(layout));
    this.layout = layout;
    this.column = column;
    this.found = found;
    this.expected = expected;
  }

  /** The whole text that was to be parsed. */
  public String layout() {
    return layout;
  }

  /** The column of the mistake, counted from 1. */
  public int column() {
    return column;
  }

  /** The text at the column, for people to read. */
  public String found() {
    return found;
  }

  /** The texts that are possible there, for people to read. */
  public String expected() {
    return expected;
  }

  /** One line, however long the layout is and whatever stands in it. */
  private static String shown(String layout) {
    byte[] cut =
        layout
            .substring(0, Math.min(layout.length(), LONGEST_SHOWN))
            .getBytes(StandardCharsets.UTF_8);
    StringBuilder text = new StringBuilder(cut.length);
    for (byte b : cut) {
      // A layout is ASCII, where a backslash stands for itself: it must stay possible to copy it.
      text.append(b == '\\' ? "\\" : RowText.toStringBinary(new byte[] {b}));
    }
    if (layout.length() > LONGEST_SHOWN) {
      text.append("... (").append(layout.length()).append(" characters)");
    }
    return text.toString();
  }
}
