package io.rowguard.layout;

/**
 * The bucket numbers of a derived segment, 0 (inclusive) to its buckets (exclusive), as they are
 * written: which bytes they may begin with. Immutable.
 *
 * <p>A prefix of a written number is known by one int: the number that its digits make, whose
 * missing digits are zero. It is the smallest number with this prefix, so the prefix is possible
 * exactly when that number is below the buckets. This holds for numbers written back to front, too:
 * there the prefix holds the low digits.
 */
final class BucketNumbers {
  private final Segment segment;
  private final int count;
  private final int radix;
  private final int length;
  // Per step: its buckets, and what each of them weighs because of it.
  private final int[] stepBuckets;
  private final long[] stepWeights;

  BucketNumbers(Segment segment, BucketSteps steps) {
    this.segment = segment;
    this.stepWeights = steps.weights();
    this.stepBuckets = new int[stepWeights.length];
    for (int i = 0; i < stepBuckets.length; i++) {
      stepBuckets[i] = steps.buckets(i);
    }
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

  /**
   * The weight, together, of the buckets that begin with {@code written} bytes, 1 or more.
   *
   * @param smallest the number that the bytes make
   */
  long weight(int smallest, int written) {
    long weight = 0;
    for (int i = 0; i < stepBuckets.length; i++) {
      weight += stepWeights[i] * completions(smallest, written, stepBuckets[i]);
    }
    return weight;
  }

  /** How many numbers below {@code below} begin with {@code written} bytes. */
  private long completions(int smallest, int written, int below) {
    if (smallest >= below) {
      return 0;
    }
    long place = placeValue(written - 1);
    return segment.isReversed()
        ? (below - 1 - smallest) / (place * radix) + 1
        : Math.min(below - smallest, place);
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
