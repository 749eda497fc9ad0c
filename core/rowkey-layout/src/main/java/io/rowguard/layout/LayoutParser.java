package io.rowguard.layout;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads the text of a layout, one pass from left to right; {@link LayoutRules} then judges what the
 * parts mean together. Both report a mistake with its column.
 */
final class LayoutParser {
  private static final String WORDS = "reversed, descending, with length, optional, = or }";

  private final LayoutText in;
  private final List<Part> parts = new ArrayList<>();
  private final LayoutRules rules;
  private final DerivationParser derivations;

  LayoutParser(String text) {
    this.in = new LayoutText(text);
    this.rules = new LayoutRules(text);
    this.derivations = new DerivationParser(in, rules);
  }

  List<Part> parse() {
    if (in.length() == 0) {
      throw in.error(0, "the end of the layout", "a segment such as {id:text}, or a literal");
    }
    while (in.pos < in.length()) {
      int column = in.pos;
      Part part = in.charAt(in.pos) == '{' ? segment() : literal();
      rules.add(part, column);
      parts.add(part);
    }
    rules.judge(in.length());
    return parts;
  }

  private Literal literal() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    while (in.pos < in.length() && in.charAt(in.pos) != '{') {
      char c = in.charAt(in.pos);
      if (c == '}') {
        throw in.error(in.pos, in.found(), "a literal byte or {; a literal brace is written \\}");
      }
      if (c < ' ' || c > '~') {
        throw in.error(in.pos, in.found(), "printable ASCII, or a byte written as \\xHH");
      }
      bytes.write(c == '\\' ? escape() : c);
      in.pos++;
    }
    return new Literal(bytes.toByteArray());
  }

  /** Reads from a backslash up to the last char of its escape. */
  private int escape() {
    int start = in.pos;
    in.pos++;
    char c = in.charAt(in.pos);
    if (c == '\\' || c == '{' || c == '}') {
      return c;
    }
    if (c != 'x' || hexDigit(in.pos + 1) < 0 || hexDigit(in.pos + 2) < 0) {
      throw in.error(
          start,
          LayoutRules.quoted(in.substring(start, start + 4)),
          "\\xHH with two hex digits, \\\\, \\{ or \\}");
    }
    in.pos += 2;
    return hexDigit(in.pos - 1) << 4 | hexDigit(in.pos);
  }

  private int hexDigit(int at) {
    char c = in.charAt(at);
    return c < 128 ? Character.digit(c, 16) : -1;
  }

  private Segment segment() {
    in.pos++;
    in.blanks();
    int nameColumn = in.pos;
    String name =
        in.name("a segment name: a lower-case letter, then lower-case letters, digits or -");
    rules.name(name, nameColumn);
    in.blanks();
    in.expect(':', ":");
    in.blanks();
    int typeColumn = in.pos;
    SegmentType type = type();
    Segment segment =
        withLength(modified(new Segment(name, type, Segment.Modifier.NONE, null)), typeColumn);
    boolean optional = optional();
    in.blanks();
    Derivation derivation = null;
    if (in.charAt(in.pos) == '=' && !optional && !segment.hasLength()) {
      in.pos++;
      in.blanks();
      derivation = derivations.parse(segment, typeColumn);
    }
    String expected = segment.hasLength() ? "plus, optional or }" : expectedAfter(derivation);
    in.expect('}', optional ? "}" : expected);
    return optional ? segment.asOptional() : segment.derivedBy(derivation);
  }

  private static String expectedAfter(Derivation derivation) {
    if (derivation == null) {
      return WORDS;
    }
    if (!derivation.hasBuckets()) {
      return "unsigned, masked, abs, floor, %, / or }";
    }
    if (derivation.isQuotient()) {
      return "}";
    }
    return derivation.second() == null && derivation.steps().isEmpty() && !derivation.isAny()
        ? "+, a comma or }"
        : "a comma or }";
  }

  private SegmentType type() {
    int start = in.pos;
    String word = in.letters();
    switch (word) {
      case "hex":
        return fixed(SegmentType.Kind.HEX_LOWER);
      case "HEX":
        return fixed(SegmentType.Kind.HEX_UPPER);
      case "digits":
        if (in.charAt(in.pos) != '(') {
          throw in.error(in.pos, in.found(), "( and the number of bytes");
        }
        return sized(SegmentType.Kind.DIGITS);
      case "text":
        return sized(SegmentType.Kind.TEXT);
      case "word":
        return sized(SegmentType.Kind.WORD);
      case "bytes":
        return sized(SegmentType.Kind.BYTES);
      case "millis":
        return SegmentType.of(SegmentType.Kind.MILLIS, 8, 8);
      case "uint":
        return number(SegmentType.Kind.UINT, start);
      case "int":
        return number(SegmentType.Kind.INT, start);
      default:
        throw in.error(
            start,
            word.isEmpty() ? in.found() : LayoutRules.quoted(word),
            "a type: hex(n), HEX(n), digits(n), text, word, bytes, uint8, uint16, uint32, uint64,"
                + " int8, int16, int32, int64 or millis");
    }
  }

  private SegmentType number(SegmentType.Kind kind, int start) {
    int from = in.pos;
    while (LayoutText.isDigit(in.charAt(in.pos))) {
      in.pos++;
    }
    switch (in.substring(from, in.pos)) {
      case "8":
        return SegmentType.of(kind, 1, 1);
      case "16":
        return SegmentType.of(kind, 2, 2);
      case "32":
        return SegmentType.of(kind, 4, 4);
      case "64":
        return SegmentType.of(kind, 8, 8);
      default:
        String word = kind == SegmentType.Kind.UINT ? "uint" : "int";
        throw in.error(
            start,
            LayoutRules.quoted(in.substring(start, in.pos)),
            word + "8, " + word + "16, " + word + "32 or " + word + "64");
    }
  }

  private SegmentType fixed(SegmentType.Kind kind) {
    in.expect('(', "( and the number of bytes");
    int length = length(1);
    in.expect(')', ")");
    return SegmentType.of(kind, length, length);
  }

  private SegmentType sized(SegmentType.Kind kind) {
    if (in.charAt(in.pos) != '(') {
      return SegmentType.unbounded(kind);
    }
    in.pos++;
    int min = length(kind.canHaveLength() ? 0 : 1);
    int max = min;
    if (in.charAt(in.pos) == '.') {
      in.pos++;
      in.expect('.', "..");
      max = length(Math.max(1, min));
    }
    in.expect(')', ".. or )");
    return SegmentType.of(kind, min, max);
  }

  private int length(int atLeast) {
    return in.number(atLeast, RowkeyLayout.MAX_ROW_LENGTH, "a number of bytes");
  }

  /** Reads the modifier of a segment, if there is one. */
  private Segment modified(Segment segment) {
    SegmentType type = segment.type();
    Segment modified = segment;
    while (true) {
      int before = in.pos;
      in.blanks();
      int column = in.pos;
      if (in.pos == before || !LayoutText.isLower(in.charAt(in.pos))) {
        return modified;
      }
      String word = in.letters();
      if (word.equals("optional") || word.equals("with")) {
        in.pos = before;
        return modified;
      }
      boolean reversed = word.equals("reversed");
      if (!reversed && !word.equals("descending")) {
        throw in.error(column, LayoutRules.quoted(word), WORDS);
      }
      if (modified.isReversed() || modified.isDescending()) {
        throw in.error(column, LayoutRules.quoted(word), "one modifier at most");
      }
      if (reversed && !type.kind().canBeReversed()) {
        throw in.error(
            column,
            LayoutRules.quoted(word),
            "no reversed on " + type + "; numbers are descending");
      }
      if (!reversed && !type.kind().canDescend()) {
        throw in.error(
            column,
            LayoutRules.quoted(word),
            "no descending on " + type + "; only uintN, intN, millis, digits, text and bytes");
      }
      boolean isFrom = !reversed && type.kind() == SegmentType.Kind.DIGITS;
      modified =
          isFrom
              ? segment.descendingFrom(minuend(type, column))
              : segment.modifiedBy(
                  reversed ? Segment.Modifier.REVERSED : Segment.Modifier.DESCENDING);
    }
  }

  /** Reads the number that digits are descending from, after a word that began at a column. */
  private long minuend(SegmentType type, int column) {
    int digits = type.minLength();
    if (digits > NumberForm.MOST_DIGITS || !type.isFixedLength()) {
      throw in.error(
          column,
          LayoutRules.quoted("descending"),
          "no descending on "
              + type
              + "; only digits(1) to digits("
              + NumberForm.MOST_DIGITS
              + ")");
    }
    in.blanks();
    in.word("from", "from, and the number of which the digits are what is missing to it");
    int numberColumn = in.pos;
    BigInteger number = in.wholeNumber();
    BigInteger least = BigInteger.valueOf(NumberForm.smallestMinuend(digits));
    BigInteger most = BigInteger.valueOf(NumberForm.largestMinuend(digits));
    if (number.compareTo(least) < 0 || number.compareTo(most) > 0) {
      throw in.error(
          numberColumn,
          LayoutRules.quoted(number.toString()),
          "a number from " + least + " to " + most + ", so that " + type + " has all values");
    }
    return number.longValueExact();
  }

  /** Reads how the length of a value stands in front of it, if it does. */
  private Segment withLength(Segment segment, int typeColumn) {
    SegmentType type = segment.type();
    int before = in.pos;
    in.blanks();
    int column = in.pos;
    if (in.pos == before || !in.letters().equals("with")) {
      in.pos = before;
      requireOwnEnd(type, typeColumn);
      return segment;
    }
    if (!type.kind().canHaveLength() || type.isFixedLength()) {
      throw in.error(
          column,
          LayoutRules.quoted("with"),
          type.isFixedLength()
              ? "no length of " + type + ": it is always the same, and so a literal"
              : "no length of " + type + "; only of text, word and bytes");
    }
    in.blanks();
    in.word("length", "length, and uint8, uint16 or uint32");
    int bytesColumn = in.pos;
    int bytes = lengthBytes();
    long plus = plus(bytes);
    long longest = LengthPrefix.longest(bytes, plus);
    boolean isOpen = type.maxLength() == RowkeyLayout.MAX_ROW_LENGTH;
    if (longest <= type.minLength() || (!isOpen && longest < type.maxLength())) {
      throw in.error(
          bytesColumn,
          LayoutRules.quoted(in.substring(bytesColumn, in.pos)),
          "a length that counts to " + type.maxLength() + "; this one counts to " + longest);
    }
    LengthPrefix prefix = new LengthPrefix(bytes, plus);
    if (prefix.longest() <= type.minLength()) {
      throw in.error(
          typeColumn,
          LayoutRules.quoted(type.toString()),
          "a shorter type: behind its length a row has room for " + prefix.longest() + " bytes");
    }
    return segment.withLength(prefix);
  }

  /** Of a type whose values need a length in front of them. */
  private void requireOwnEnd(SegmentType type, int column) {
    boolean isOpen = type.maxLength() == RowkeyLayout.MAX_ROW_LENGTH && type.minLength() == 1;
    boolean isVaryingBytes =
        type.kind() == SegmentType.Kind.BYTES && !type.isFixedLength() && !isOpen;
    if (type.minLength() == 0 || isVaryingBytes) {
      throw in.error(
          column,
          LayoutRules.quoted(type.toString()),
          type.minLength() == 0
              ? "1 byte at least, or with length uint8, uint16 or uint32"
              : "bytes(n), bytes, or with length uint8, uint16 or uint32");
    }
  }

  private int lengthBytes() {
    int start = in.pos;
    if (in.letters().equals("uint")) {
      int from = in.pos;
      while (LayoutText.isDigit(in.charAt(in.pos))) {
        in.pos++;
      }
      switch (in.substring(from, in.pos)) {
        case "8":
          return 1;
        case "16":
          return 2;
        case "32":
          return 4;
        default:
          break;
      }
    }
    String found = in.substring(start, in.pos);
    throw in.error(
        start, found.isEmpty() ? in.found() : LayoutRules.quoted(found), "uint8, uint16 or uint32");
  }

  /** Reads what is added to a length, if there is something. */
  private long plus(int bytes) {
    int before = in.pos;
    in.blanks();
    if (in.pos == before || !in.letters().equals("plus")) {
      in.pos = before;
      return 0;
    }
    in.blanks();
    return in.number(1, LengthPrefix.longest(bytes, 1), "what is added to the length");
  }

  /** Reads the word that may stand after the modifier. */
  private boolean optional() {
    int before = in.pos;
    in.blanks();
    if (in.pos > before && in.letters().equals("optional")) {
      return true;
    }
    in.pos = before;
    return false;
  }
}
