package io.rowguard.tools.cli;

import java.util.ArrayList;
import java.util.List;

/** A table of plain text with aligned columns, two blanks apart. Not thread-safe. */
public final class TextTable {
  private static final String GAP = "  ";

  private final String indent;
  private final String alignments;
  private final List<String[]> rows = new ArrayList<>();

  /**
   * @param indent what stands before every line
   * @param alignments one character per column: {@code l} for left, {@code r} for right
   */
  public TextTable(String indent, String alignments) {
    this.indent = indent;
    this.alignments = alignments;
  }

  /** Adds a row of as many cells as there are columns. */
  public void row(String... cells) {
    if (cells.length != alignments.length()) {
      throw new IllegalArgumentException(
          "A row has as many cells as the table has columns. cells=" + cells.length);
    }
    rows.add(cells);
  }

  /** The lines, without blanks at their ends. */
  public List<String> lines() {
    int[] widths = new int[alignments.length()];
    for (String[] row : rows) {
      for (int i = 0; i < row.length; i++) {
        widths[i] = Math.max(widths[i], width(row[i]));
      }
    }
    return rows.stream().map(row -> line(row, widths)).toList();
  }

  /** Writes the lines to a terminal. */
  public void print(Terminal terminal) {
    lines().forEach(terminal::line);
  }

  private String line(String[] row, int[] widths) {
    StringBuilder line = new StringBuilder(indent);
    for (int i = 0; i < row.length; i++) {
      String blanks = " ".repeat(widths[i] - width(row[i]));
      boolean isRight = alignments.charAt(i) == 'r';
      line.append(isRight ? blanks + row[i] : row[i] + blanks).append(GAP);
    }
    return line.toString().stripTrailing();
  }

  private static int width(String cell) {
    return cell.codePointCount(0, cell.length());
  }
}
