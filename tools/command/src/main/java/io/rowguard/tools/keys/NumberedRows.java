package io.rowguard.tools.keys;

import io.rowguard.layout.Literal;
import io.rowguard.layout.Part;
import io.rowguard.layout.RowkeyLayout;
import io.rowguard.layout.Segment;
import io.rowguard.layout.SegmentType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * Rows made of numbers, one for each plain segment: what a layout makes of ids, times and counters,
 * by the hundred million. Immutable and thread-safe; {@link #write} allocates nothing.
 *
 * <p>How a number becomes a value, which {@link RowkeyLayout#encode} would then write:
 *
 * <ul>
 *   <li>{@code uintN}, {@code intN}, {@code millis}: itself
 *   <li>{@code digits(n)}, {@code hex(n)}, {@code HEX(n)}: n digits, zero-padded
 *   <li>{@code bytes(n)}: n bytes, big-endian; {@code bytes}: 8 bytes, big-endian
 *   <li>{@code text}, {@code word}: its decimal digits, as few as there are but padded with zeros
 *       to the shortest length that the type allows
 * </ul>
 *
 * <p>In {@code {salt:digits(2)=murmur3(user)%16}-{user:word}|{time:millis descending}} the numbers
 * 42 and 1763596800000 make {@code 06-42|\x7F\xFF\xFEeapo\xFF}.
 */
public final class NumberedRows {
  private static final int LONGEST_DECIMAL = 19;
  private static final int LONG_BYTES = 8;

  private final RowkeyLayout layout;
  private final List<Segment> numbered;
  private final Part[] parts;
  // Per part: the bytes of a literal; null for a segment.
  private final byte[][] literals;
  private final int maxLength;
  private final boolean hasChoice;

  private NumberedRows(RowkeyLayout layout, List<Segment> numbered, int maxLength) {
    this.layout = layout;
    this.parts = layout.parts().toArray(new Part[0]);
    this.literals = new byte[parts.length][];
    for (int i = 0; i < parts.length; i++) {
      literals[i] = parts[i] instanceof Literal literal ? literal.bytes() : null;
    }
    this.numbered = Collections.unmodifiableList(numbered);
    this.hasChoice = layout.hasChoice();
    this.maxLength = maxLength;
  }

  /**
   * The rows of a layout.
   *
   * @throws IllegalArgumentException when a text or word segment ends with a literal that begins
   *     with a digit, which a decimal number may hold
   */
  public static NumberedRows of(RowkeyLayout layout) {
    List<Part> parts = layout.parts();
    List<Segment> numbered = new ArrayList<>();
    int maxLength = 0;
    for (int i = 0; i < parts.size(); i++) {
      Part part = parts.get(i);
      maxLength += part.isFixedLength() ? part.minLength() : longest((Segment) part);
      if (part instanceof Segment segment && !segment.isDerived()) {
        numbered.add(segment);
        requireReadable(segment, i + 1 < parts.size() ? parts.get(i + 1) : null);
        boolean isBeforeOptional =
            i + 3 < parts.size()
                && parts.get(i + 2) instanceof Segment optional
                && optional.isOptional();
        requireReadable(segment, isBeforeOptional ? parts.get(i + 3) : null);
      }
    }
    return new NumberedRows(layout, numbered, maxLength);
  }

  private static void requireReadable(Segment segment, Part next) {
    boolean ends = isDecimalText(segment) && !segment.hasLength();
    if (ends && next instanceof Literal literal) {
      byte first = turned(segment, literal.bytes()[0]);
      if (first >= '0' && first <= '9') {
        throw new IllegalArgumentException(
            "A number cannot stand in a text that ends with a digit. segment="
                + segment.name()
                + " literal=\""
                + next
                + "\"");
      }
    }
  }

  /** The layout. */
  public RowkeyLayout layout() {
    return layout;
  }

  /** The plain segments in the order of the row: one number each. */
  public List<Segment> segments() {
    return numbered;
  }

  /** The most bytes that {@link #write} writes. */
  public int maxLength() {
    return maxLength;
  }

  /**
   * Whether a segment has room for 64 bits, so that negative numbers are the unsigned ones above
   * {@link Long#MAX_VALUE}.
   *
   * @param segment one of {@link #segments()}
   */
  public static boolean isUnsigned(Segment segment) {
    switch (segment.type().kind()) {
      case HEX_LOWER:
      case HEX_UPPER:
        return segment.minLength() >= 2 * LONG_BYTES;
      case BYTES:
      case UINT:
        return segment.longestValue() >= LONG_BYTES;
      default:
        return false;
    }
  }

  /**
   * The largest number that fits a segment; at most {@link Long#MAX_VALUE}.
   *
   * @param segment one of {@link #segments()}
   */
  public static long largest(Segment segment) {
    if (segment.isDescendingFrom()) {
      return segment.minuend();
    }
    int length = segment.longestValue();
    switch (segment.type().kind()) {
      case DIGITS:
      case TEXT:
      case WORD:
        return length >= LONGEST_DECIMAL ? Long.MAX_VALUE : power(length) - 1;
      case HEX_LOWER:
      case HEX_UPPER:
        return length >= 2 * LONG_BYTES ? Long.MAX_VALUE : (1L << (4 * length)) - 1;
      case INT:
        return length >= LONG_BYTES ? Long.MAX_VALUE : (1L << (8 * length - 1)) - 1;
      default:
        return length >= LONG_BYTES ? Long.MAX_VALUE : (1L << (8 * length)) - 1;
    }
  }

  /**
   * Writes one row.
   *
   * @param numbers one per segment of {@link #segments()}, from 0 to its {@link #largest}
   *     (inclusive) or any where it {@link #isUnsigned}; others give rows that mean something else
   * @param target of {@link #maxLength()} bytes at least; the row begins at its first
   * @return the length of the row
   */
  public int write(long[] numbers, byte[] target) {
    int length = 0;
    int next = 0;
    for (int i = 0; i < parts.length; i++) {
      byte[] literal = literals[i];
      if (literal != null) {
        System.arraycopy(literal, 0, target, length, literal.length);
        length += literal.length;
      } else if (((Segment) parts[i]).isDerived()) {
        length += parts[i].minLength();
      } else {
        length += write((Segment) parts[i], numbers[next++], target, length);
      }
    }
    // Writers choose at random; this is the same for the same numbers.
    int choice = hasChoice ? (int) ValueSource.mixed(Arrays.hashCode(numbers), length) : 0;
    layout.writeDerived(target, 0, length, choice);
    return length;
  }

  /** The row of these numbers, as an array of its own. */
  public byte[] row(long... numbers) {
    byte[] target = new byte[maxLength];
    return Arrays.copyOf(target, write(numbers, target));
  }

  private static int write(Segment segment, long number, byte[] target, int at) {
    if (!segment.hasLength()) {
      return writeValue(segment, number, target, at);
    }
    int length = writeValue(segment, number, target, at + segment.lengthBytes());
    segment.writeLength(length, target, at);
    return segment.lengthBytes() + length;
  }

  private static int writeValue(Segment segment, long number, byte[] target, int at) {
    if (isDecimalText(segment)) {
      return writeDecimal(segment, number, target, at);
    }
    if (segment.isFixedLength()) {
      segment.write(number, target, at);
      return segment.minLength();
    }
    int length = openLength(segment);
    for (int i = 0; i < length; i++) {
      int places = segment.isReversed() ? i : length - 1 - i;
      int b = places < LONG_BYTES ? (int) (number >>> (8 * places)) : 0;
      target[at + i] = turned(segment, b);
    }
    return length;
  }

  private static int writeDecimal(Segment segment, long number, byte[] target, int at) {
    int length = Math.max(segment.shortestValue(), decimals(number));
    long rest = number;
    for (int places = 0; places < length; places++) {
      int index = segment.isReversed() ? places : length - 1 - places;
      target[at + index] = turned(segment, (int) ('0' + rest % 10));
      rest /= 10;
    }
    return length;
  }

  /** A byte of a text or of bytes as it stands in the row. */
  private static byte turned(Segment segment, int b) {
    return (byte) (segment.isDescending() ? ~b : b);
  }

  private static boolean isDecimalText(Segment segment) {
    SegmentType.Kind kind = segment.type().kind();
    boolean isVarying = kind == SegmentType.Kind.DIGITS && !segment.isFixedLength();
    return kind == SegmentType.Kind.TEXT || kind == SegmentType.Kind.WORD || isVarying;
  }

  private static int longest(Segment segment) {
    if (!isDecimalText(segment)) {
      return segment.lengthBytes() + openLength(segment);
    }
    int value = Math.max(segment.shortestValue(), LONGEST_DECIMAL);
    return segment.lengthBytes() + Math.min(segment.longestValue(), value);
  }

  /** The bytes of a number in a segment of bytes that may have several lengths. */
  private static int openLength(Segment segment) {
    return Math.max(segment.shortestValue(), Math.min(LONG_BYTES, segment.longestValue()));
  }

  private static int decimals(long number) {
    int digits = 1;
    for (long rest = number / 10; rest != 0; rest /= 10) {
      digits++;
    }
    return digits;
  }

  private static long power(int digits) {
    long power = 1;
    for (int i = 0; i < digits; i++) {
      power *= 10;
    }
    return power;
  }
}
