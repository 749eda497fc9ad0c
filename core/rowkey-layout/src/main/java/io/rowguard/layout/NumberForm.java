package io.rowguard.layout;

/**
 * How a number stands in a segment: decimal or hex digits or big-endian bytes, zero-padded on the
 * left, then turned around by the segment's modifier.
 *
 * <p>Everything is said byte by byte, so that the check can compare a salt without building it, and
 * the boundaries can ask which bytes may come next.
 */
final class NumberForm {
  /** The most digits of which the number that stands in them fits an unsigned long. */
  static final int MOST_DIGITS = 19;

  private static final String LOWER = "0123456789abcdef";
  private static final String UPPER = "0123456789ABCDEF";

  private NumberForm() {}

  /** How many different values one byte of the segment has: 10, 16 or 256. */
  static int radix(Segment segment) {
    return radix(segment.type());
  }

  /** As {@link #radix(Segment)}, for a segment of a type. */
  static int radix(SegmentType type) {
    switch (type.kind()) {
      case DIGITS:
        return 10;
      case HEX_LOWER:
      case HEX_UPPER:
        return 16;
      default:
        return 256;
    }
  }

  /**
   * Writes {@code number} to {@code at}, all bytes of the segment; unsigned for radix 16 and 256,
   * zero or more for radix 10 unless the digits are descending from a number.
   */
  static void write(Segment segment, long number, byte[] row, int at) {
    int radix = radix(segment);
    int length = segment.minLength();
    long rest = asWritten(segment, number);
    if (rest < 0 && radix == 10) {
      // Nineteen digits, unsigned: more than a long has.
      row[at + --length] = symbol(segment, (int) Long.remainderUnsigned(rest, 10));
      rest = Long.divideUnsigned(rest, 10);
    }
    for (int places = 0; places < length; places++) {
      int index = segment.isReversed() ? places : length - 1 - places;
      row[at + index] = symbol(segment, (int) (radix == 10 ? rest % 10 : rest & (radix - 1)));
      rest = radix == 10 ? rest / 10 : rest >>> (radix == 16 ? 4 : 8);
    }
  }

  /** Whether the segment at {@code at} holds what {@link #write} writes for {@code number}. */
  static boolean holds(Segment segment, long number, byte[] row, int at) {
    int radix = radix(segment);
    int length = segment.minLength();
    long rest = asWritten(segment, number);
    for (int places = 0; places < length; places++) {
      int index = segment.isReversed() ? places : length - 1 - places;
      if (row[at + index]
          != symbol(segment, (int) (radix == 10 ? rest % 10 : rest & (radix - 1)))) {
        return false;
      }
      rest = radix == 10 ? rest / 10 : rest >>> (radix == 16 ? 4 : 8);
    }
    return true;
  }

  /**
   * The number for which {@link #write} writes what stands in a derived segment at {@code at}, if
   * it is below the most buckets; else -1.
   */
  static int bucketAt(Segment segment, byte[] row, int at) {
    int radix = radix(segment);
    int length = segment.minLength();
    int number = 0;
    for (int i = 0; i < length; i++) {
      int index = segment.isReversed() ? length - 1 - i : i;
      int digit = digitOf(segment, row[at + index], index);
      number = number * radix + digit;
      if (digit < 0 || number >= Derivation.MAX_BUCKETS) {
        return -1;
      }
    }
    return number;
  }

  /** The unsigned number whose bytes stand in the row for a number. */
  private static long asWritten(Segment segment, long number) {
    if (!segment.isNumber()) {
      return number;
    }
    return segment.isDescending()
        ? descendingMax(segment) - number
        : number - smallest(segment.type());
  }

  /** The number for which {@link #asWritten} gives {@code written}. */
  static long valueOf(Segment segment, long written) {
    return segment.isDescending()
        ? descendingMax(segment) - written
        : written + smallest(segment.type());
  }

  /**
   * The smallest number that so many digits can be descending from (1 to {@value #MOST_DIGITS}), so
   * that all their values fit a long.
   */
  static long smallestMinuend(int digits) {
    return digits < MOST_DIGITS ? 1 : powerOfTen(digits) - 1 - Long.MIN_VALUE;
  }

  /** The largest number that so many digits can be descending from. */
  static long largestMinuend(int digits) {
    return digits < MOST_DIGITS ? powerOfTen(digits) - 1 : Long.MAX_VALUE;
  }

  /** Ten to the power of 0 to {@value #MOST_DIGITS}, unsigned. */
  static long powerOfTen(int exponent) {
    long power = 1;
    for (int i = 0; i < exponent; i++) {
      power *= 10;
    }
    return power;
  }

  /** The smallest number of a type: 0, or that of a signed one. */
  static long smallest(SegmentType type) {
    return type.kind() == SegmentType.Kind.INT ? -1L << (8 * type.minLength() - 1) : 0;
  }

  /**
   * The digit (0 to radix - 1) that the byte {@code b} at {@code index} stands for, modifiers other
   * than {@code reversed} undone; negative when the byte cannot stand there.
   */
  static int digitOf(Segment segment, byte b, int index) {
    int u = b & 0xff;
    switch (segment.type().kind()) {
      case DIGITS:
        return u >= '0' && u <= '9' ? u - '0' : -1;
      case HEX_LOWER:
        return LOWER.indexOf(u);
      case HEX_UPPER:
        return UPPER.indexOf(u);
      default:
        if (!segment.isDescending()) {
          return u;
        }
        // MAX - value never borrows, as every byte of MAX but the first of eight is 0xFF.
        return (index == 0 && segment.minLength() == 8 && !segment.isTurned() ? 0x7f : 0xff) - u;
    }
  }

  /** The symbol of one digit. */
  static byte symbol(Segment segment, int digit) {
    switch (segment.type().kind()) {
      case DIGITS:
      case HEX_LOWER:
        return (byte) LOWER.charAt(digit);
      case HEX_UPPER:
        return (byte) UPPER.charAt(digit);
      default:
        return (byte) (segment.isTurned() ? ~digit : digit);
    }
  }

  /**
   * The largest number of a descending segment. For 8 bytes it is {@link Long#MAX_VALUE}, as HBase
   * users write newest-first times; unsigned values above it wrap around and stay distinct.
   */
  static long descendingMax(Segment segment) {
    if (segment.isDescendingFrom()) {
      return segment.minuend();
    }
    int length = segment.minLength();
    int signBit = segment.type().kind() == SegmentType.Kind.INT ? 1 : 0;
    return length == 8 ? Long.MAX_VALUE : (1L << (8 * length - signBit)) - 1;
  }
}
