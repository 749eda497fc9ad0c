package io.rowguard.demo;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The sight of a person: plain text of at most {@value #WIDTH} columns, coloured and with real bars
 * where the terminal can. Thread-safe as far as {@link PrintStream} is.
 */
final class Screen {
  static final int WIDTH = 80;

  private static final String INDENT = "  ";
  private static final String BOLD = "1";
  private static final String RED = "31";
  private static final String GREEN = "32";
  private static final String FAINT = "2";

  private final PrintStream out;
  private final boolean terminal;
  private final boolean color;
  private final boolean unicode;

  /**
   * @param terminal whether a line may be painted over
   * @param color whether escape sequences for colours may be used
   * @param unicode whether characters beyond ASCII can be shown
   */
  Screen(PrintStream out, boolean terminal, boolean color, boolean unicode) {
    this.out = out;
    this.terminal = terminal;
    this.color = color;
    this.unicode = unicode;
  }

  void blank() {
    out.println();
  }

  void heading(String text) {
    out.println();
    out.println(paint(BOLD, text));
  }

  /** Prose, wrapped and indented. */
  void say(String text) {
    wrapped(text, INDENT).forEach(out::println);
  }

  /** Another's words, wrapped, indented further, and set apart. */
  void quote(String text) {
    wrapped(text, INDENT + INDENT).forEach(line -> out.println(paint(FAINT, line)));
  }

  /** A line of another's words as it is, indented further, and set apart. */
  void quoteLine(String text) {
    out.println(paint(FAINT, (INDENT + INDENT + text).stripTrailing()));
  }

  /** One line as it is, indented. */
  void line(String text) {
    out.println((INDENT + text).stripTrailing());
  }

  /** A line that says that something is wrong. */
  void problem(String text) {
    out.println(INDENT + paint(RED, text));
  }

  /** Whether a claim held. */
  void verdict(boolean held, String text) {
    String mark = held ? unicode ? "\u2713" : "ok  " : unicode ? "\u2717" : "FAIL";
    List<String> lines = wrapped(text, " ".repeat(INDENT.length() + mark.length() + 1));
    out.println(INDENT + paint(held ? GREEN : RED, mark) + " " + lines.get(0).strip());
    lines.stream().skip(1).forEach(out::println);
  }

  /** A bar, of at least one character when there is anything to show. */
  String bar(long value, long longest, int columns) {
    int length = Math.toIntExact(Math.round((double) value * columns / longest));
    return (unicode ? "\u2588" : "#").repeat(value > 0 ? Math.max(1, length) : 0);
  }

  DemoProgress progress(String what) {
    return new DemoProgress(out, INDENT + what, terminal);
  }

  static String count(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  private String paint(String style, String text) {
    return color ? "\u001b[" + style + "m" + text + "\u001b[0m" : text;
  }

  /** Breaks at blanks only; a word that is too long gets a line of its own. */
  static List<String> wrapped(String text, String indent) {
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder(indent);
    for (String word : text.split(" ", -1)) {
      boolean first = line.length() == indent.length();
      if (!first && line.length() + 1 + word.length() > WIDTH) {
        lines.add(line.toString());
        line = new StringBuilder(indent);
        first = true;
      }
      line.append(first ? "" : " ").append(word);
    }
    lines.add(line.toString());
    return lines;
  }
}
