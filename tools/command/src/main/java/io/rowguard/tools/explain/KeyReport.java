package io.rowguard.tools.explain;

import io.rowguard.layout.EntityGroup;
import io.rowguard.layout.Explanation;
import io.rowguard.layout.RowText;
import io.rowguard.layout.RowkeyLayout;
import io.rowguard.layout.Segment;
import io.rowguard.tools.cli.Terminal;
import io.rowguard.tools.cli.Terminal.Style;
import io.rowguard.tools.cli.TextTable;
import java.util.Arrays;
import java.util.Map;

/** One key taken apart: verdict, values, bare key and row, or what is wrong with it. */
final class KeyReport {
  private final EntityGroup group;
  private final RowkeyLayout layout;
  private final byte[] key;

  KeyReport(EntityGroup group, byte[] key) {
    this.group = group;
    this.layout = group.layout();
    this.key = key;
  }

  /** Prints it; answers whether the key is a row or a bare key. */
  boolean print(Terminal terminal) {
    terminal.heading("Key " + RowText.abbreviated(key));
    Explanation explanation = layout.explain(key);
    byte[] completed = layout.hasDerivedSegments() ? layout.completeIfBare(key) : null;
    if (explanation.verdict().conforms()) {
      terminal.line("  " + terminal.styled(Style.GOOD, "a row of this layout"));
      if (completed != null) {
        terminal.line(
            "  It is a bare key as well, of the row "
                + RowText.abbreviated(completed)
                + ": the layout is ambiguous.");
      }
      printParts(terminal, key);
      return true;
    }
    if (completed != null) {
      terminal.line(
          "  "
              + terminal.styled(Style.GOOD, "a bare key of this layout")
              + ": as a row it is refused ("
              + explanation.verdict()
              + (layout.hasChoice()
                  ? "), writers choose one of several rows for it, such as this"
                  : "), salt mode stores it under its row"));
      printParts(terminal, completed);
      return true;
    }
    printProblem(terminal, explanation);
    return false;
  }

  private void printParts(Terminal terminal, byte[] row) {
    Map<String, Object> values = layout.decode(row);
    TextTable parts = new TextTable("  ", "rll");
    for (Segment segment : layout.segments()) {
      int[] range = layout.segmentRange(segment.name(), row);
      String bytes = RowText.abbreviated(row, range[0], range[1] - range[0]);
      String value = ValuesText.show(segment, values.get(segment.name()));
      parts.row(segment.name(), bytes, value.equals(bytes) ? "" : value);
    }
    parts.row("row", RowText.abbreviated(row), row.length + " bytes");
    if (layout.hasDerivedSegments()) {
      parts.row("bare key", RowText.abbreviated(layout.strip(row)), "");
    }
    if (group.segment() != null) {
      parts.row("group", RowText.abbreviated(row, 0, group.end(row, 0, row.length)), "");
    }
    parts.print(terminal);
  }

  private void printProblem(Terminal terminal, Explanation explanation) {
    terminal.line(
        "  " + terminal.styled(Style.BAD, explanation.verdict() + ": " + explanation.problem()));
    TextTable facts = new TextTable("  ", "rl");
    facts.row("at", marked(explanation.offset()));
    facts.row("expected", explanation.expected());
    facts.row("found", "\"" + RowText.abbreviated(explanation.found()) + "\"");
    if (explanation.suggestion() != null) {
      facts.row("right", RowText.abbreviated(explanation.suggestion()));
    } else {
      byte[] other = inOtherCase();
      if (other != null) {
        facts.row("right", RowText.abbreviated(other) + "  (the same in another case)");
      }
    }
    facts.print(terminal);
  }

  /** The key with a mark before its first wrong byte. */
  private String marked(int offset) {
    int from = Math.max(0, offset - RowText.LONGEST_SHOWN / 2);
    int to = Math.min(key.length, from + RowText.LONGEST_SHOWN);
    return "byte "
        + offset
        + ": "
        + (from > 0 ? "..." : "")
        + RowText.toStringBinary(key, from, offset - from)
        + (offset > 0 ? " >>> " : ">>> ")
        + RowText.toStringBinary(key, offset, to - offset)
        + (to < key.length ? "..." : "");
  }

  /** The key in lower or upper case if that is a row or a bare key: the case of hex digits. */
  private byte[] inOtherCase() {
    byte[] lower = key.clone();
    byte[] upper = key.clone();
    for (int i = 0; i < key.length; i++) {
      if (key[i] >= 'A' && key[i] <= 'Z') {
        lower[i] = (byte) (key[i] + 'a' - 'A');
      } else if (key[i] >= 'a' && key[i] <= 'z') {
        upper[i] = (byte) (key[i] - 'a' + 'A');
      }
    }
    for (byte[] other : Arrays.asList(lower, upper)) {
      if (layout.check(other).conforms()) {
        return other;
      }
    }
    return null;
  }
}
