package io.rowguard.benchmarks;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/** A table as Markdown has them, its columns aligned so that it reads well as plain text too. */
public final class MarkdownTable {
  private final List<String> head;
  private final List<List<String>> rows = new ArrayList<>();

  /** An empty table; the first column is of words, the others of numbers. */
  public MarkdownTable(String... head) {
    this.head = List.of(head);
  }

  /** Appends a row. */
  public void add(List<String> cells) {
    if (cells.size() != head.size()) {
      throw new IllegalArgumentException("cells=" + cells.size() + " columns=" + head.size());
    }
    rows.add(List.copyOf(cells));
  }

  /** Prints it, with a blank line after it. */
  public void print(PrintStream out) {
    List<Integer> widths = new ArrayList<>();
    for (int column = 0; column < head.size(); column++) {
      int width = head.get(column).length();
      for (List<String> row : rows) {
        width = Math.max(width, row.get(column).length());
      }
      widths.add(width);
    }
    line(out, head, widths);
    StringBuilder rule = new StringBuilder("|");
    for (int column = 0; column < head.size(); column++) {
      String dashes = "-".repeat(widths.get(column));
      rule.append(column == 0 ? " " + dashes + " |" : " " + dashes + ":|");
    }
    out.println(rule);
    rows.forEach(row -> line(out, row, widths));
    out.println();
  }

  private static void line(PrintStream out, List<String> cells, List<Integer> widths) {
    StringBuilder line = new StringBuilder("|");
    for (int column = 0; column < cells.size(); column++) {
      String blanks = " ".repeat(widths.get(column) - cells.get(column).length());
      String cell = cells.get(column);
      line.append(' ').append(column == 0 ? cell + blanks : blanks + cell).append(" |");
    }
    out.println(line);
  }
}
