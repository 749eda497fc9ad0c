package io.rowguard.layout;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Reads the text of a layout, one pass from left to right; {@link LayoutRules} then judges what the
 * parts mean together. Both report a mistake with its column.
 */
final class LayoutParser {
  private static final char END = '\uffff';
  private static final int LONGEST_NUMBER = 40;

  private final String text;
  private final List<Part> parts = new ArrayList<>();
  private final LayoutRules rules;
  private int pos;

  LayoutParser(String text) {
    this.text = text;
    this.rules = new LayoutRules(text);
  }

  List<Part> parse() {
    if (text.isEmpty()) {
      throw error(0, "the end of the layout", "a segment such as {id:text}, or a literal");
    }
    while (pos < text.length()) {
      int column = pos;
      Part part = text.charAt(pos) == '{' ? segment() : literal();
      rules.add(part, column);
      parts.add(part);
    }
    rules.judge(text.length());
    return parts;
  }

  private Literal literal() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    while (pos < text.length() && text.charAt(pos) != '{') {
      char c = text.charAt(pos);
      if (c == '}') {
        throw error(pos, found(), "a literal byte or {; a literal brace is written \\}");
      }
      if (c < ' ' || c > '~') {
        throw error(pos, found(), "printable ASCII, or a byte written as \\xHH");
      }
      bytes.write(c == '\\' ? escape() : c);
      pos++;
    }
    return new Literal(bytes.toByteArray());
  }

  /** Reads from a backslash up to the last char of its escape. */
  private int escape() {
    int start = pos;
    pos++;
    char c = charAt(pos);
    if (c == '\\' || c == '{' || c == '}') {
      return c;
    }
    if (c != 'x' || hexDigit(pos + 1) < 0 || hexDigit(pos + 2) < 0) {
      throw error(
          start,
          quoted(text.substring(start, Math.min(text.length(), start + 4))),
          "\\xHH with two hex digits, \\\\, \\{ or \\}");
    }
    pos += 2;
    return hexDigit(pos - 1) << 4 | hexDigit(pos);
  }

  private int hexDigit(int at) {
    char c = charAt(at);
    return c < 128 ? Character.digit(c, 16) : -1;
  }

  private Segment segment() {
    pos++;
    blanks();
    int nameColumn = pos;
    String name = name("a segment name: a lower-case letter, then letters, digits or -");
    rules.name(name, nameColumn);
    blanks();
    expect(':', ":");
    blanks();
    int typeColumn = pos;
    SegmentType type = type();
    Segment.Modifier modifier = modifier(type);
    boolean optional = optional();
    blanks();
    Derivation derivation = null;
    if (charAt(pos) == '=' && !optional) {
      pos++;
      blanks();
      derivation = derivation(type, typeColumn);
      blanks();
    }
    expect('}', optional ? "}" : expectedAfter(derivation));
    return optional
        ? Segment.optional(name, type, modifier)
        : new Segment(name, type, modifier, derivation);
  }

  private static String expectedAfter(Derivation derivation) {
    if (derivation == null) {
      return "reversed, descending, optional, = or }";
    }
    if (!derivation.hasBuckets()) {
      return "% or }";
    }
    return derivation.second() == null && derivation.steps().isEmpty()
        ? "+, a comma or }"
        : "a comma or }";
  }

  private String name(String expected) {
    int start = pos;
    if (!isLower(charAt(pos))) {
      throw error(pos, found(), expected);
    }
    while (isLower(charAt(pos)) || isDigit(charAt(pos)) || charAt(pos) == '-') {
      pos++;
    }
    return text.substring(start, pos);
  }

  private SegmentType type() {
    int start = pos;
    String word = letters();
    switch (word) {
      case "hex":
        return fixed(SegmentType.Kind.HEX_LOWER);
      case "HEX":
        return fixed(SegmentType.Kind.HEX_UPPER);
      case "digits":
        return fixed(SegmentType.Kind.DIGITS);
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
        throw error(
            start,
            word.isEmpty() ? found() : quoted(word),
            "a type: hex(n), HEX(n), digits(n), text, word, bytes, uint8, uint16, uint32, uint64,"
                + " int8, int16, int32, int64 or millis");
    }
  }

  private SegmentType number(SegmentType.Kind kind, int start) {
    int from = pos;
    while (isDigit(charAt(pos))) {
      pos++;
    }
    switch (text.substring(from, pos)) {
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
        throw error(
            start,
            quoted(text.substring(start, pos)),
            word + "8, " + word + "16, " + word + "32 or " + word + "64");
    }
  }

  private SegmentType fixed(SegmentType.Kind kind) {
    expect('(', "( and the number of bytes");
    int length = length(1);
    expect(')', ")");
    return SegmentType.of(kind, length, length);
  }

  private SegmentType sized(SegmentType.Kind kind) {
    if (charAt(pos) != '(') {
      return SegmentType.unbounded(kind);
    }
    pos++;
    int min = length(1);
    int max = min;
    if (kind.canVary() && charAt(pos) == '.') {
      pos++;
      expect('.', "..");
      max = length(min);
    }
    expect(')', kind.canVary() ? ".. or )" : ")");
    return SegmentType.of(kind, min, max);
  }

  private int length(int atLeast) {
    return number(atLeast, RowkeyLayout.MAX_ROW_LENGTH, "a number of bytes");
  }

  private Segment.Modifier modifier(SegmentType type) {
    Segment.Modifier modifier = Segment.Modifier.NONE;
    while (true) {
      int before = pos;
      blanks();
      int column = pos;
      if (pos == before || !isLower(charAt(pos))) {
        return modifier;
      }
      String word = letters();
      if (word.equals("optional")) {
        pos = before;
        return modifier;
      }
      boolean reversed = word.equals("reversed");
      if (!reversed && !word.equals("descending")) {
        throw error(column, quoted(word), "reversed, descending, optional, = or }");
      }
      if (modifier != Segment.Modifier.NONE) {
        throw error(column, quoted(word), "one modifier at most");
      }
      if (reversed && !type.kind().canBeReversed()) {
        throw error(column, quoted(word), "no reversed on " + type + "; numbers are descending");
      }
      if (!reversed && !type.kind().canDescend()) {
        throw error(
            column,
            quoted(word),
            "no descending on " + type + "; only uintN, intN, millis, text and bytes");
      }
      modifier = reversed ? Segment.Modifier.REVERSED : Segment.Modifier.DESCENDING;
    }
  }

  /** Reads the word that may stand after the modifier. */
  private boolean optional() {
    int before = pos;
    blanks();
    if (pos > before && letters().equals("optional")) {
      return true;
    }
    pos = before;
    return false;
  }

  private Derivation derivation(SegmentType type, int typeColumn) {
    Derivation first = term(type, typeColumn);
    blanks();
    if (!first.hasBuckets()) {
      return first;
    }
    Derivation derivation = first;
    if (charAt(pos) == '+') {
      pos++;
      blanks();
      derivation = first.plus(summand(first.buckets()));
      blanks();
    }
    return charAt(pos) == ',' ? steps(derivation, type) : derivation;
  }

  /** A hash or a name, and the number of buckets if there is one. */
  private Derivation term(SegmentType type, int typeColumn) {
    int sourceColumn = pos;
    Derivation source = source();
    int buckets = Derivation.NO_BUCKETS;
    if (charAt(pos) == '%') {
      pos++;
      blanks();
      int bucketsColumn = pos;
      buckets = buckets();
      rules.buckets(type, buckets, bucketsColumn);
    } else if (source.hash() == null) {
      throw error(pos, found(), "% and the number of buckets (a bare name needs them)");
    }
    rules.derived(type, source.hash(), buckets, typeColumn);
    if (source.hash() == null) {
      rules.numberSource(source.inputs().get(0), sourceColumn);
    }
    return new Derivation(source.hash(), source.inputs(), buckets);
  }

  /** What is added to a term of so many buckets. */
  private Derivation summand(int mostBuckets) {
    int sourceColumn = pos;
    Derivation source = source();
    expect('%', "% and the number of buckets");
    blanks();
    int bucketsColumn = pos;
    int buckets = buckets();
    if (buckets > mostBuckets) {
      throw error(
          bucketsColumn,
          quoted("" + buckets),
          "at most " + mostBuckets + ", the buckets of the first term");
    }
    if (source.hash() == null) {
      rules.numberSource(source.inputs().get(0), sourceColumn);
    }
    return new Derivation(source.hash(), source.inputs(), buckets);
  }

  /** A hash or a name, up to the sign after it. */
  private Derivation source() {
    int column = pos;
    String word = name("md5(...), murmur3(...), crc32(...), java31(...) or a segment name");
    blanks();
    Hash hash = null;
    List<String> inputs = new ArrayList<>();
    if (charAt(pos) == '(') {
      hash = hash(word, column);
      pos++;
      inputs = inputs();
      blanks();
    } else {
      inputs.add(word);
      rules.input(word, column);
    }
    return new Derivation(hash, inputs, Derivation.NO_BUCKETS);
  }

  private int buckets() {
    return number(Derivation.MIN_BUCKETS, Derivation.MAX_BUCKETS, "a number of buckets");
  }

  /** Reads from the first comma to after the last step. */
  private Derivation steps(Derivation derivation, SegmentType type) {
    List<BucketStep> steps = new ArrayList<>();
    String segment = null;
    int before = derivation.buckets();
    while (charAt(pos) == ',') {
      if (steps.size() == Derivation.MAX_STEPS) {
        throw error(pos, found(), "}: " + Derivation.MAX_STEPS + " steps at most");
      }
      pos++;
      blanks();
      int bucketsColumn = pos;
      int buckets = buckets();
      if (buckets <= before) {
        throw error(bucketsColumn, quoted("" + buckets), "more than the " + before + " before");
      }
      rules.buckets(type, buckets, bucketsColumn);
      blanks();
      int fromColumn = pos;
      String from = letters();
      if (!from.equals("from")) {
        String shown = from.isEmpty() ? found() : quoted(from);
        throw error(fromColumn, shown, "from, and the value of a segment");
      }
      blanks();
      int segmentColumn = pos;
      String name = name("the name of a segment");
      if (segment != null && !segment.equals(name)) {
        throw error(segmentColumn, quoted(name), segment + ", as in the step before");
      }
      segment = name;
      blanks();
      expect('=', "= and a value");
      blanks();
      int valueColumn = pos;
      BigInteger value = wholeNumber();
      BigInteger last = steps.isEmpty() ? null : steps.get(steps.size() - 1).from();
      if (last != null && value.compareTo(last) <= 0) {
        throw error(valueColumn, quoted(value.toString()), "more than the " + last + " before");
      }
      rules.step(segment, segmentColumn, value, valueColumn);
      steps.add(new BucketStep(buckets, value));
      before = buckets;
      blanks();
    }
    return derivation.withSteps(segment, steps);
  }

  private Hash hash(String word, int column) {
    for (Hash hash : Hash.values()) {
      if (hash.text().equals(word)) {
        return hash;
      }
    }
    throw error(column, quoted(word), "md5, murmur3, crc32 or java31");
  }

  /** Reads from after the opening parenthesis to after the closing one. */
  private List<String> inputs() {
    List<String> inputs = new ArrayList<>();
    blanks();
    if (charAt(pos) == '*') {
      pos++;
      blanks();
      expect(')', ")");
      return inputs;
    }
    while (true) {
      int column = pos;
      String name = name(inputs.isEmpty() ? "* or a segment name" : "a segment name");
      rules.input(name, column);
      inputs.add(name);
      blanks();
      if (charAt(pos) != ',') {
        expect(')', ", or )");
        return inputs;
      }
      pos++;
      blanks();
    }
  }

  private int number(int min, int max, String what) {
    int start = pos;
    while (isDigit(charAt(pos))) {
      pos++;
    }
    String digits = text.substring(start, pos);
    String expected = String.format(Locale.ROOT, "%s, %d to %d", what, min, max);
    if (digits.isEmpty()) {
      throw error(start, found(), expected);
    }
    // Ten digits are more than any bound here and still fit a long.
    long number = digits.length() > 10 ? Long.MAX_VALUE : Long.parseLong(digits);
    if (number < min || number > max) {
      throw error(start, quoted(digits), expected);
    }
    return (int) number;
  }

  /** A whole number with or without a sign, of as many digits as any step needs. */
  private BigInteger wholeNumber() {
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
      throw error(start, quoted(text.substring(start, pos)), expected);
    }
    return new BigInteger(text.substring(start, pos));
  }

  private String letters() {
    int start = pos;
    while (isLower(charAt(pos)) || (charAt(pos) >= 'A' && charAt(pos) <= 'Z')) {
      pos++;
    }
    return text.substring(start, pos);
  }

  private void blanks() {
    while (charAt(pos) == ' ') {
      pos++;
    }
  }

  private void expect(char c, String expected) {
    if (charAt(pos) != c) {
      throw error(pos, found(), expected);
    }
    pos++;
  }

  private char charAt(int at) {
    return at < text.length() ? text.charAt(at) : END;
  }

  private static boolean isLower(char c) {
    return c >= 'a' && c <= 'z';
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private String found() {
    return pos < text.length()
        ? quoted(text.substring(pos, text.offsetByCodePoints(pos, 1)))
        : "the end of the layout";
  }

  private static String quoted(String shown) {
    return LayoutRules.quoted(shown);
  }

  private LayoutSyntaxException error(int at, String found, String expected) {
    return new LayoutSyntaxException(text, at + 1, found, expected);
  }
}
