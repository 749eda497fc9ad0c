package io.rowguard.layout;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The rules for all parts of a layout together, so that every row can be read back in one way only.
 * Columns are handed in from 0 and reported from 1.
 */
final class LayoutRules {
  private static final int LONGEST_QUOTED = 40;

  private final String text;
  private final List<Part> parts = new ArrayList<>();
  private final List<Integer> columns = new ArrayList<>();
  private final Map<String, Integer> names = new HashMap<>();
  private final Map<String, Integer> inputs = new LinkedHashMap<>();
  private final Map<String, Integer> numberSources = new LinkedHashMap<>();
  private final List<Threshold> thresholds = new ArrayList<>();
  private final Map<Integer, HashInput> hashInputs = new LinkedHashMap<>();
  private final Map<Integer, Derivation> textHashes = new LinkedHashMap<>();

  LayoutRules(String text) {
    this.text = text;
  }

  /** A name was read where a segment begins. */
  void name(String name, int column) {
    if (names.putIfAbsent(name, column) != null) {
      throw error(column, quoted(name), "a name that the layout does not have yet");
    }
  }

  /** A name was read as an input of a derivation. */
  void input(String name, int column) {
    inputs.putIfAbsent(name, column);
  }

  /** A name was read whose number is taken modulo the buckets. */
  void numberSource(String name, int column) {
    numberSources.putIfAbsent(name, column);
  }

  /** The input of a hash from a segment was read. */
  void hashInput(HashInput input, int column) {
    hashInputs.putIfAbsent(column, input);
  }

  /** A hash was read, with what goes into it. */
  void hashSource(Derivation source, int column) {
    if (source.hash() == Hash.STRING31) {
      textHashes.put(column, source);
    }
  }

  /** From which value of a segment on there are more buckets. */
  private static final class Threshold {
    final String segment;
    final int segmentColumn;
    final BigInteger from;
    final int column;

    Threshold(String segment, int segmentColumn, BigInteger from, int column) {
      this.segment = segment;
      this.segmentColumn = segmentColumn;
      this.from = from;
      this.column = column;
    }
  }

  /** A step of buckets was read. */
  void step(String segment, int segmentColumn, BigInteger from, int column) {
    input(segment, segmentColumn);
    thresholds.add(new Threshold(segment, segmentColumn, from, column));
  }

  /** The number after a derivation's {@code %} was read. */
  void buckets(SegmentType type, int buckets, int column) {
    if (!type.isFixedLength()) {
      return; // reported by derived(), with the better reason
    }
    long values = values(type);
    if (values > 0 && buckets > values) {
      throw error(column, quoted("" + buckets), "at most " + values + ", all that fit " + type);
    }
  }

  /** How many buckets a type of fixed length can have. */
  long mostBuckets(SegmentType type) {
    long values = values(type);
    return values == 0 ? Derivation.MAX_BUCKETS : values;
  }

  /** A derivation was read to its end. */
  void derived(SegmentType type, Hash hash, int buckets, int typeColumn) {
    String found = quoted(type.toString());
    if (!type.isFixedLength()) {
      throw error(typeColumn, found, "a fixed-length type, since the segment is derived");
    }
    switch (type.kind()) {
      case TEXT:
      case WORD:
      case INT:
      case MILLIS:
        throw error(
            typeColumn, found, "hex(n), HEX(n), digits(n), bytes(n) or uintN: it is derived");
      case DIGITS:
        if (buckets == Derivation.NO_BUCKETS) {
          throw error(typeColumn, found, "hex(n), HEX(n), bytes(n) or uintN, or % after the hash");
        }
        return;
      default:
        break;
    }
    if (buckets == Derivation.NO_BUCKETS) {
      boolean hex = type.kind() != SegmentType.Kind.BYTES && type.kind() != SegmentType.Kind.UINT;
      int longest = hex ? 2 * hash.digestLength() : hash.digestLength();
      if (type.minLength() > longest) {
        throw error(
            typeColumn,
            found,
            "at most "
                + longest
                + (hex ? " hex digits" : " bytes")
                + ", all "
                + hash.text()
                + " has");
      }
    }
  }

  /** A part was read to its end. */
  void add(Part part, int column) {
    if (!parts.isEmpty() && part instanceof Segment) {
      requireLiteralBefore(column);
    }
    parts.add(part);
    columns.add(column);
  }

  /** The layout was read to its end. */
  void judge(int end) {
    Map<String, Segment> segments = new HashMap<>();
    boolean plain = false;
    long shortest = 0;
    for (int i = 0; i < parts.size(); i++) {
      shortest += parts.get(i).minLength();
      if (shortest > RowkeyLayout.MAX_ROW_LENGTH) {
        throw error(
            columns.get(i),
            "a part that makes the shortest row longer than " + RowkeyLayout.MAX_ROW_LENGTH,
            "a shorter layout: HBase takes no longer rows");
      }
      if (parts.get(i) instanceof Segment) {
        Segment segment = (Segment) parts.get(i);
        segments.put(segment.name(), segment);
        plain |= !segment.isDerived();
        requireBytesLast(segment, i);
        requireOptionalPlace(segment, i);
      }
    }
    if (!plain) {
      throw error(end, "the end of the layout", "at least one segment that is not derived");
    }
    for (Map.Entry<String, Integer> input : inputs.entrySet()) {
      requirePlain(segments, input.getKey(), input.getValue());
    }
    for (Map.Entry<String, Integer> source : numberSources.entrySet()) {
      requireNumber(segments.get(source.getKey()), source.getValue());
    }
    for (Threshold threshold : thresholds) {
      requireThreshold(segments.get(threshold.segment), threshold);
    }
    for (Map.Entry<Integer, HashInput> input : hashInputs.entrySet()) {
      requireForm(segments.get(input.getValue().name()), input.getValue(), input.getKey());
    }
    for (Map.Entry<Integer, Derivation> hash : textHashes.entrySet()) {
      requireText(hash.getValue(), hash.getKey());
    }
  }

  private void requireForm(Segment segment, HashInput input, int column) {
    if (!input.fits(segment)) {
      throw error(
          column,
          quoted(segment.name()),
          input.form() == HashInput.Form.TEXT
              ? "a hex, HEX, digits, text, word or bytes segment, whose value is a text"
              : "a uintN, intN, millis or digits segment, whose value is a number"
                  + (input.form() == HashInput.Form.LONG ? " of at most 18 digits" : ""));
    }
  }

  /** All that goes into a hash of texts is one: its bytes are UTF-8. */
  private void requireText(Derivation hash, int column) {
    for (int i = 0; i < parts.size() && hash.isOverBareKey(); i++) {
      if (BareKeys.isKept(parts, i) && !isText(parts.get(i))) {
        throw noText(hash, parts.get(i), column);
      }
    }
    for (HashInput input : hash.hashInputs()) {
      for (Part part : parts) {
        boolean goesIn = part instanceof Segment && ((Segment) part).name().equals(input.name());
        if (goesIn && !input.isText((Segment) part)) {
          throw noText(hash, part, column);
        }
      }
    }
  }

  private LayoutSyntaxException noText(Derivation hash, Part part, int column) {
    return error(
        column,
        quoted(hash.hash().text()),
        "a hash of bytes, such as java31: no text stands in " + part);
  }

  private static boolean isText(Part part) {
    if (part instanceof Segment) {
      return HashInput.of("").isText((Segment) part);
    }
    byte[] bytes = ((Literal) part).shared();
    return Utf8.firstInvalid(bytes, 0, bytes.length, Utf8.STRAIGHT) < 0;
  }

  private void requireThreshold(Segment segment, Threshold threshold) {
    SegmentType type = segment.type();
    if (segment.isOptional()) {
      throw error(
          threshold.segmentColumn, quoted(segment.name()), "a segment that is not optional");
    }
    if (!type.kind().isNumber() && type.kind() != SegmentType.Kind.DIGITS) {
      throw error(
          threshold.segmentColumn,
          quoted(segment.name()),
          "a uintN, intN, millis or digits segment, whose value decides");
    }
    if (!segment.isFixedLength()) {
      throw error(
          threshold.segmentColumn,
          quoted(segment.name()),
          "a segment of one length, such as digits(" + type.maxLength() + ")");
    }
    BigInteger smallest = BucketSteps.smallest(segment);
    boolean isTooSmall = threshold.from.compareTo(smallest) <= 0;
    boolean isTooLarge = threshold.from.compareTo(BucketSteps.largest(segment)) > 0;
    if (isTooSmall || isTooLarge) {
      throw error(
          threshold.column,
          quoted(threshold.from.toString()),
          "a value of " + segment.name() + " above " + smallest + " that fits " + type);
    }
  }

  private void requireLiteralBefore(int column) {
    Part before = parts.get(parts.size() - 1);
    if (before instanceof Segment && !before.endsByItself()) {
      Segment segment = (Segment) before;
      if (segment.type().kind() != SegmentType.Kind.BYTES) {
        throw error(
            column,
            "a segment",
            "a literal, to end the variable-length segment \"" + segment.name() + "\"");
      }
    }
  }

  private void requireBytesLast(Segment segment, int index) {
    boolean openBytes = segment.type().kind() == SegmentType.Kind.BYTES && !segment.endsByItself();
    if (openBytes && index < parts.size() - 1) {
      throw error(
          columns.get(index), "bytes before the end", "bytes(n): bytes without a length goes last");
    }
  }

  private void requireOptionalPlace(Segment segment, int index) {
    if (!segment.isOptional()) {
      return;
    }
    int before = index > 0 && parts.get(index - 1) instanceof Literal ? index - 2 : index - 1;
    boolean isAfterPlain =
        before >= 0
            && parts.get(before) instanceof Segment
            && !((Segment) parts.get(before)).isDerived()
            && !((Segment) parts.get(before)).isOptional();
    if (!isAfterPlain) {
      throw error(
          columns.get(index),
          "an optional segment",
          "one right after a segment that is neither derived nor optional, and a literal at most");
    }
    if (index < parts.size() - 1) {
      requireRecognizable(segment, index);
    }
  }

  /** Of an optional segment before the end: one byte says whether it is there. */
  private void requireRecognizable(Segment segment, int index) {
    Part before = parts.get(index - 1);
    Part after = parts.get(index + 1);
    boolean isBetween =
        before instanceof Literal
            && after instanceof Literal
            && before.minLength() == 1
            && after.minLength() == 1
            && !before.equals(after);
    if (!isBetween) {
      throw error(
          columns.get(index),
          "an optional segment before the end",
          "one between two different literals of one byte each, or an optional segment last");
    }
    int end = ((Literal) after).shared()[0] & 0xff;
    boolean mayHoldEnd = segment.isFixedLength() && segment.accepts(end);
    boolean isText = segment.type().kind().excludesLiteral();
    if (segment.hasLength() || (mayHoldEnd && !isText)) {
      throw error(
          columns.get(index),
          "an optional segment before the end",
          "one that never begins with \"" + after + "\", the literal after it");
    }
  }

  private void requirePlain(Map<String, Segment> segments, String name, int column) {
    Segment segment = segments.get(name);
    if (segment == null) {
      throw error(column, quoted(name), "the name of a segment of this layout");
    }
    if (segment.isDerived()) {
      throw error(column, quoted(name), "a segment that is not derived itself");
    }
  }

  private void requireNumber(Segment segment, int column) {
    if (segment.isOptional()) {
      throw error(column, quoted(segment.name()), "a segment that is not optional");
    }
    switch (segment.type().kind()) {
      case UINT:
      case INT:
      case MILLIS:
      case DIGITS:
        return;
      default:
        throw error(
            column,
            quoted(segment.name()),
            "a uintN, intN, millis or digits segment, or a hash such as murmur3("
                + segment.name()
                + ")");
    }
  }

  /** How many values a type has, 0 when more than the most buckets. */
  private static long values(SegmentType type) {
    long values = 1;
    for (int i = 0; i < type.minLength(); i++) {
      values *= NumberForm.radix(type);
      if (values >= Derivation.MAX_BUCKETS) {
        return 0;
      }
    }
    return values;
  }

  /** Text for a message: quoted, cut, anything unprintable escaped. */
  static String quoted(String shown) {
    StringBuilder quoted = new StringBuilder("\"");
    for (int i = 0; i < Math.min(shown.length(), LONGEST_QUOTED); i++) {
      char c = shown.charAt(i);
      if (c >= ' ' && c <= '~') {
        quoted.append(c);
      } else {
        quoted.append("\\u").append(Integer.toHexString(0x10000 | c).substring(1));
      }
    }
    return quoted.append(shown.length() > LONGEST_QUOTED ? "...\"" : "\"").toString();
  }

  private LayoutSyntaxException error(int at, String found, String expected) {
    return new LayoutSyntaxException(text, at + 1, found, expected);
  }
}
