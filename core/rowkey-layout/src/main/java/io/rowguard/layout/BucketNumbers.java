package io.rowguard.layout;

/**
 * The bucket numbers of a derived segment, 0 (inclusive) to its buckets (exclusive), as they are
 * written: which bytes they may begin with. Immutable.
 *
 * <p>A prefix of a written number is known by one int: the number that its digits make, whose
 * missing digits are zero. That is the smallest number with this prefix, so the prefix is possible
 * exactly when that number is below the buckets. This holds for numbers written back to front, too:
 * there the prefix holds the low digits.
 */
final class BucketNumbers {
  private final Segment segment;
  private final int count;
  private final int radix;
  private final int length;

  BucketNumbers(Segment segment) {
    this.segment = segment;
    this.count = segment.derivation().buckets();
    this.radix = NumberForm.radix(segment);
    this.length = segment.minLength();
  }

  /**
   * The smallest number after one more byte at {@code index}, or -1 when no bucket is written so.
   *
   * @param smallest the smallest number with the bytes before; 0 at index 0
   */
  int next(int smallest, int index, byte b) {
    int digit = NumberForm.digitOf(segment, b, index);
    if (digit < 0) {
      return -1;
    }
    long number = smallest + digit * placeValue(index);
    return number < count ? (int) number : -1;
  }

  /** How many buckets begin with {@code written} bytes that make {@code smallest}. */
  int completions(int smallest, int written) {
    if (written == 0) {
      return count;
    }
    long place = placeValue(written - 1);
    if (segment.isReversed()) {
      return (int) ((count - 1 - smallest) / (place * radix)) + 1;
    }
    return (int) Math.min(count - smallest, place);
  }

  /** The weight of the digit at an index; at least {@code count} when it must be zero. */
  private long placeValue(int index) {
    int places = segment.isReversed() ? index : length - 1 - index;
    long value = 1;
    for (int i = 0; i < places && value < count; i++) {
      value *= radix;
    }
    return value;
  }
}
