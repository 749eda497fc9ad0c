package io.rowguard.layout;

import java.math.BigInteger;
import java.util.Locale;

/** The text of a layout, and how far it has been read. Columns are counted from 0 here. */
final class LayoutText {
  private static final char END = '\uffff';
  private static final int LONGEST_NUMBER = 40;

  /** The index of the next char. */
  int pos;

  private final String text;

  LayoutText(String text) {
    this.text = text;
  }

  int length() {
    return text.length();
  }

  /** The chars between two indexes; those that are there. */
  String substring(int from, int to) {
    return text.substring(from, Math.min(text.length(), to));
  }

  /** Reads a name. */
  String name(String expected) {
    int start = pos;
    if (!isLower(charAt(pos))) {
      throw error(pos, found(), expected);
    }
    while (isLower(charAt(pos)) || isDigit(charAt(pos)) || charAt(pos) == '-') {
      pos++;
    }
    return text.substring(start, pos);
  }

  /** Reads a number between two bounds (inclusive). */
  int number(int min, int max, String what) {
    return (int) number((long) min, (long) max, what);
  }

  /** As the other, for larger numbers. */
  long number(long min, long max, String what) {
    int start = pos;
    while (isDigit(charAt(pos))) {
      pos++;
    }
    String digits = text.substring(start, pos);
    String expected = String.format(Locale.ROOT, "%s, %d to %d", what, min, max);
    if (digits.isEmpty()) {
      throw error(start, found(), expected);
    }
    // Ten digits are as many as any bound here has, and fit a long.
    long number = digits.length() > 10 ? Long.MAX_VALUE : Long.parseLong(digits);
    if (number < min || number > max) {
      throw error(start, LayoutRules.quoted(digits), expected);
    }
    return number;
  }

  /** A whole number with or without a sign, of as many digits as any step needs. */
  BigInteger wholeNumber() {
    int start = pos;
    if (charAt(pos) == '-') {
      pos++;
    }
    int digits = pos;
    while (isDigit(charAt(pos))) {
      pos++;
    }
    String expected = "a whole number of at most " + LONGEST_NUMBER + " digits";
    if (pos == digits) {
      throw error(pos, found(), expected);
    }
    if (pos - digits > LONGEST_NUMBER) {
      throw error(start, LayoutRules.quoted(text.substring(start, pos)), expected);
    }
    return new BigInteger(text.substring(start, pos));
  }

  /** Reads letters, as many as there are. */
  String letters() {
    int start = pos;
    while (isLower(charAt(pos)) || (charAt(pos) >= 'A' && charAt(pos) <= 'Z')) {
      pos++;
    }
    return text.substring(start, pos);
  }

  /** Reads a word that must stand here, and the blanks after it. */
  void word(String word, String expected) {
    int start = pos;
    String found = letters();
    if (!found.equals(word)) {
      throw error(start, found.isEmpty() ? found() : LayoutRules.quoted(found), expected);
    }
    blanks();
  }

  /** Reads blanks, as many as there are. */
  void blanks() {
    while (charAt(pos) == ' ') {
      pos++;
    }
  }

  /** Reads one char, which must be this one. */
  void expect(char c, String expected) {
    if (charAt(pos) != c) {
      throw error(pos, found(), expected);
    }
    pos++;
  }

  /** The char at an index, or one that stands in no layout after the end. */
  char charAt(int at) {
    return at < text.length() ? text.charAt(at) : END;
  }

  static boolean isLower(char c) {
    return c >= 'a' && c <= 'z';
  }

  static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  /** The text at this place, for a message. */
  String found() {
    return pos < text.length()
        ? LayoutRules.quoted(text.substring(pos, text.offsetByCodePoints(pos, 1)))
        : "the end of the layout";
  }

  /** Says that something else should stand at an index. */
  LayoutSyntaxException error(int at, String found, String expected) {
    return new LayoutSyntaxException(text, at + 1, found, expected);
  }
}
