package io.rowguard.layout;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * How many buckets a derived segment has in a row: one number, or a number that rises in steps with
 * the value of a plain segment. Immutable and thread-safe; allocates nothing per row.
 */
final class BucketSteps {
  /** Stands for derivations without steps. */
  static final int NO_PART = -1;

  /** The weight of all rows together, about. */
  private static final BigInteger WEIGHT = BigInteger.ONE.shiftLeft(40);

  private final int part;
  private final Segment source;
  // Whether it is digits that decide, as they stand or back to front.
  private final boolean isOfDigits;
  // The number of buckets of each step; the first is that of the rows below all others.
  private final int[] buckets;
  // Per step but the first: its smallest value. A number in its bits, or digits as text; few of
  // these are packed into a number as well.
  private final long[] fromNumbers;
  private final byte[][] fromDigits;
  // Per step but the first: how that value is written.
  private final byte[][] written;

  private BucketSteps(List<Part> parts, Derivation derivation) {
    List<BucketStep> steps = derivation.steps();
    this.part = steps.isEmpty() ? NO_PART : DerivedTerm.indexOf(parts, derivation.stepSegment());
    this.source = steps.isEmpty() ? null : (Segment) parts.get(part);
    this.isOfDigits = source != null && !source.isNumber();
    this.buckets = new int[steps.size() + 1];
    this.fromNumbers = new long[buckets.length];
    this.fromDigits = new byte[buckets.length][];
    this.written = new byte[buckets.length][];
    buckets[0] = derivation.firstBuckets();
    for (int i = 1; i < buckets.length; i++) {
      BucketStep step = steps.get(i - 1);
      buckets[i] = step.buckets();
      fromNumbers[i] = step.from().longValue();
      if (isOfDigits) {
        fromDigits[i] = digits(step.from(), source.minLength());
        fromNumbers[i] = isPacked() ? packed(fromDigits[i], 0, false) : 0;
      } else {
        written[i] = source.written(fromNumbers[i]);
      }
    }
  }

  /** The steps of a derivation with buckets, in a layout of these parts. */
  static BucketSteps of(List<Part> parts, Derivation derivation) {
    return new BucketSteps(parts, derivation);
  }

  private static byte[] digits(BigInteger number, int length) {
    String text = number.toString();
    byte[] digits = new byte[length];
    for (int i = 0; i < length; i++) {
      int at = text.length() - length + i;
      digits[i] = (byte) (at < 0 ? '0' : text.charAt(at));
    }
    return digits;
  }

  /** The index of the part whose value decides, or {@link #NO_PART}. */
  int part() {
    return part;
  }

  /** How many steps there are; 1 where nothing decides. */
  int count() {
    return buckets.length;
  }

  /** The buckets of one step. */
  int buckets(int step) {
    return buckets[step];
  }

  /** The buckets of a row in which the segment that decides stands at {@code start}. */
  int bucketsAt(byte[] row, int start) {
    return buckets[stepAt(row, start)];
  }

  /** The step of a row in which the segment that decides stands at {@code start}. */
  int stepAt(byte[] row, int start) {
    int step = buckets.length - 1;
    if (isPacked()) {
      long digits = packed(row, start, source.isReversed());
      while (step > 0 && digits < fromNumbers[step]) {
        step--;
      }
    } else if (isOfDigits) {
      while (step > 0 && isBelow(row, start, fromDigits[step])) {
        step--;
      }
    } else {
      boolean unsigned = source.type().kind() == SegmentType.Kind.UINT;
      // Turning the sign bits makes the signed comparison an unsigned one.
      long turn = unsigned ? Long.MIN_VALUE : 0;
      long value = ValueCodec.number(source, row, start) ^ turn;
      while (step > 0 && value < (fromNumbers[step] ^ turn)) {
        step--;
      }
    }
    return step;
  }

  /** Whether digits are so few that they fit a long one by one. */
  private boolean isPacked() {
    return isOfDigits && source.minLength() <= Long.BYTES;
  }

  private long packed(byte[] digits, int start, boolean reversed) {
    int length = source.minLength();
    long packed = 0;
    for (int i = 0; i < length; i++) {
      packed = packed << 8 | digits[start + (reversed ? length - 1 - i : i)];
    }
    return packed;
  }

  /** Whether the digits at {@code start} are a number below that of {@code digits}. */
  private boolean isBelow(byte[] row, int start, byte[] digits) {
    int length = digits.length;
    for (int i = 0; i < length; i++) {
      int digit = row[start + (source.isReversed() ? length - 1 - i : i)];
      if (digit != digits[i]) {
        return digit < digits[i];
      }
    }
    return false;
  }

  /**
   * Whether some value of a step can be written with bytes between two others.
   *
   * @param least the smallest bytes (inclusive), as many as the segment has
   * @param most the largest bytes (inclusive), likewise
   */
  boolean isPossible(int step, byte[] least, byte[] most) {
    if (!isInOrder()) {
      return true;
    }
    byte[] first = bytesFrom(step);
    byte[] next = step + 1 < buckets.length ? bytesFrom(step + 1) : null;
    if (source.isDescending()) {
      return (first == null || ByteRanges.compare(least, first) <= 0)
          && (next == null || ByteRanges.compare(most, next) > 0);
    }
    return (first == null || ByteRanges.compare(most, first) >= 0)
        && (next == null || ByteRanges.compare(least, next) < 0);
  }

  /**
   * The keys that begin with {@code before} and then a value of a step, not the first, or of one
   * above it; all keys where the bytes of those are not in one range.
   */
  KeyRange rangeFrom(int step, byte[] before) {
    if (!isInOrder()) {
      return KeyRange.all();
    }
    byte[] from = bytesFrom(step);
    byte[] key = Arrays.copyOf(before, before.length + from.length);
    System.arraycopy(from, 0, key, before.length, from.length);
    return source.isDescending()
        ? KeyRange.of(before, true, ByteRanges.successorOfPrefix(key), false)
        : KeyRange.of(key, true, ByteRanges.successorOfPrefix(before), false);
  }

  private byte[] bytesFrom(int step) {
    return isOfDigits ? fromDigits[step] : written[step];
  }

  /** Whether the bytes of the values are in the order of the values, or in the opposite one. */
  private boolean isInOrder() {
    boolean wrapsAround =
        source.isDescending()
            && source.type().kind() == SegmentType.Kind.UINT
            && source.minLength() == 8;
    return !source.isReversed() && !wrapsAround;
  }

  /**
   * The weight of one bucket for each step that it belongs to: the share of all values of the
   * segment that are of this step, divided by the step's buckets. 1 where nothing decides.
   */
  long[] weights() {
    if (part == NO_PART) {
      return new long[] {1};
    }
    long[] weights = new long[buckets.length];
    BigInteger smallest = smallest(source);
    BigInteger above = largest(source).add(BigInteger.ONE);
    BigInteger all = above.subtract(smallest);
    BigInteger end = above;
    for (int step = buckets.length - 1; step >= 0; step--) {
      BigInteger from = step == 0 ? smallest : value(step);
      BigInteger share = end.subtract(from).multiply(WEIGHT);
      BigInteger weight = share.divide(all).divide(BigInteger.valueOf(buckets[step]));
      weights[step] = Math.max(1, weight.longValue());
      end = from;
    }
    return weights;
  }

  private BigInteger value(int step) {
    if (isOfDigits) {
      return new BigInteger(new String(fromDigits[step], StandardCharsets.US_ASCII));
    }
    BigInteger signed = BigInteger.valueOf(fromNumbers[step]);
    boolean unsigned = source.type().kind() == SegmentType.Kind.UINT;
    return unsigned && signed.signum() < 0 ? signed.add(BigInteger.ONE.shiftLeft(64)) : signed;
  }

  /** The smallest value of a segment of a number or of digits. */
  static BigInteger smallest(Segment segment) {
    return segment.isDescendingFrom()
        ? largest(segment).subtract(allDigits(segment))
        : BigInteger.valueOf(NumberForm.smallest(segment.type()));
  }

  /** The largest value of a segment of a number or of digits. */
  static BigInteger largest(Segment segment) {
    if (segment.isDescendingFrom()) {
      return BigInteger.valueOf(segment.minuend());
    }
    int bits = 8 * segment.minLength();
    switch (segment.type().kind()) {
      case DIGITS:
        return allDigits(segment);
      case UINT:
        return BigInteger.ONE.shiftLeft(bits).subtract(BigInteger.ONE);
      default:
        return BigInteger.ONE.shiftLeft(bits - 1).subtract(BigInteger.ONE);
    }
  }

  private static BigInteger allDigits(Segment segment) {
    return BigInteger.TEN.pow(segment.minLength()).subtract(BigInteger.ONE);
  }
}
