package io.rowguard.layout;

import java.util.ArrayList;
import java.util.List;

/**
 * Computes one derived segment from the row it stands in: the digest of one term, or the remainder
 * of one term or of the sum of two. Where writers choose, it knows what they may choose among: some
 * buckets from a computed one on, or all. Immutable and thread-safe.
 */
final class DerivedValue {
  /** Stands for the index of no part. */
  private static final int NONE = -1;

  private final Segment segment;
  private final int part;
  private final RowMatcher matcher;
  private final HasherPool pool;
  // The first term; null where it is any value.
  private final DerivedTerm first;
  // The second term, and its buckets; null where there is one term, or the second is any value.
  private final DerivedTerm second;
  private final int secondBuckets;
  private final boolean hasChoice;
  // How many buckets a row has; null for a digest.
  private final BucketSteps steps;
  // The index of the last part with a value that goes into this one.
  private final int lastPlainInput;
  private final int lastGroupInput;

  private DerivedValue(List<Part> parts, int part, RowMatcher matcher, HasherPool pool) {
    this.segment = (Segment) parts.get(part);
    this.part = part;
    this.matcher = matcher;
    this.pool = pool;
    Derivation derivation = segment.derivation();
    Derivation added = derivation.second();
    this.hasChoice = derivation.hasChoice();
    this.first = derivation.isAny() ? null : new DerivedTerm(parts, derivation, matcher, pool);
    boolean isSum = added != null && !added.isAny();
    this.second = isSum ? new DerivedTerm(parts, added, matcher, pool) : null;
    this.secondBuckets = added == null ? 0 : added.buckets();
    this.steps = derivation.hasBuckets() ? BucketSteps.of(parts, derivation) : null;
    this.lastGroupInput = first == null ? NONE : plain(parts, first.lastInput());
    this.lastPlainInput = plain(parts, lastInput());
  }

  private static int plain(List<Part> parts, int last) {
    return last != NONE && parts.get(last) instanceof Literal ? last - 1 : last;
  }

  /** The derived segments of a layout, in the order of the row. */
  static DerivedValue[] allOf(List<Part> parts, RowMatcher matcher) {
    HasherPool pool = new HasherPool();
    List<DerivedValue> values = new ArrayList<>();
    for (int i = 0; i < parts.size(); i++) {
      Part part = parts.get(i);
      if (part instanceof Segment && ((Segment) part).isDerived()) {
        values.add(new DerivedValue(parts, i, matcher, pool));
      }
    }
    return values.toArray(new DerivedValue[0]);
  }

  Segment segment() {
    return segment;
  }

  /** The index of the segment among the layout's parts. */
  int part() {
    return part;
  }

  /** Whether writers choose among several right values. */
  boolean hasChoice() {
    return hasChoice;
  }

  /** How many values are right in a row whose structure matches; 1 where none is chosen. */
  int choices(byte[] row, int from, int end) {
    if (!hasChoice) {
      return 1;
    }
    return first == null ? buckets(row, from, end) : secondBuckets;
  }

  /** The first term, or the only one; null where it is any value. */
  DerivedTerm first() {
    return first;
  }

  /** The term that is added to the first, or null; null also where any value is added. */
  DerivedTerm second() {
    return second;
  }

  /** The buckets of the second term. */
  int secondBuckets() {
    return secondBuckets;
  }

  /** How many buckets a row has; null where the value is a digest. */
  BucketSteps steps() {
    return steps;
  }

  /**
   * The index of the last part with a value that goes into the first term. The second term and
   * steps only choose among few buckets of an entity group.
   */
  int lastGroupInput() {
    return lastGroupInput;
  }

  /** The index of the last part, segment or literal, that goes into this one. */
  int lastInput() {
    int last = first == null ? NONE : first.lastInput();
    if (second != null) {
      last = Math.max(last, second.lastInput());
    }
    return steps == null ? last : Math.max(last, steps.part());
  }

  /** The index of the last part that has to be complete for the value to be known. */
  int lastNeeded(int parts) {
    boolean all =
        (first != null && first.isOverBareKey()) || (second != null && second.isOverBareKey());
    return all ? parts - 1 : Math.max(part, lastPlainInput);
  }

  /**
   * Whether the value is the hash of one range of the row, from part to part, and no more has to be
   * looked for: where steps have a say, their segment stands at the same offset in every row.
   */
  boolean isHashOfOneRange() {
    boolean isKnown =
        steps == null
            || steps.part() == BucketSteps.NO_PART
            || matcher.startsAtFixedOffset(steps.part());
    return second == null && !hasChoice && isKnown && first.isHashOfOneRange();
  }

  /**
   * Whether two ranges of the row say all: those of two hashes, or that of a hash and the segment
   * that decides on the buckets.
   */
  boolean isOfTwoRanges() {
    if (steps == null || hasChoice || !first.isHashOfOneRange()) {
      return false;
    }
    return steps.part() == BucketSteps.NO_PART
        ? second != null && second.isHashOfOneRange()
        : second == null;
  }

  /** The index of the first part of the first range. */
  int firstInput() {
    return first.firstInput();
  }

  /** The index of the last part (inclusive) of the first range. */
  int lastOfFirstRange() {
    return first.lastOfFirstRange();
  }

  /** The index of the first part of the second range. */
  int secondInput() {
    return second == null ? steps.part() : second.firstInput();
  }

  /** The index of the last part (inclusive) of the second range. */
  int lastOfSecondRange() {
    return second == null ? steps.part() : second.lastOfFirstRange();
  }

  /** Whether the row in {@code [from, end)}, whose structure matches, holds the right value. */
  boolean matches(byte[] row, int from, int end) {
    int at = matcher.startOf(part, row, from, end);
    if (hasChoice) {
      return holdsChoice(row, from, end, at);
    }
    if (steps != null) {
      return NumberForm.holds(segment, bucket(row, from, end, 0), row, at);
    }
    Hasher hasher = pool.take();
    first.digest(hasher, row, from, end);
    boolean equal = holdsDigest(hasher, row, at);
    pool.giveBack(hasher);
    return equal;
  }

  /** As the other, where the one range that is hashed is known to be {@code [start, stop)}. */
  boolean matches(byte[] row, int from, int end, int start, int stop) {
    int at = matcher.startOf(part, row, from, end);
    if (steps != null) {
      int bucket = first.bucketOfRange(row, start, stop, buckets(row, from, end));
      return NumberForm.holds(segment, bucket, row, at);
    }
    Hasher hasher = pool.take();
    first.digestRange(hasher, row, start, stop);
    boolean equal = holdsDigest(hasher, row, at);
    pool.giveBack(hasher);
    return equal;
  }

  /**
   * As {@link #matches(byte[], int, int)}, where the {@linkplain #isOfTwoRanges two ranges} are
   * known.
   *
   * @param positions as {@link TwoRanges} has them, counted from {@code from}
   */
  boolean matchesTwo(byte[] row, int from, int end, long positions) {
    int start = from + TwoRanges.start(positions);
    int stop = from + TwoRanges.stop(positions);
    int otherStart = from + TwoRanges.otherStart(positions);
    int bucket;
    if (second == null) {
      bucket = first.bucketOfRange(row, start, stop, steps.bucketsAt(row, otherStart));
    } else {
      int otherStop = from + TwoRanges.otherStop(positions);
      int buckets = steps.buckets(0);
      bucket =
          sum(
              first.bucketOfRange(row, start, stop, buckets),
              second.bucketOfRange(row, otherStart, otherStop, secondBuckets),
              buckets);
    }
    return NumberForm.holds(segment, bucket, row, matcher.startOf(part, row, from, end));
  }

  /** Whether the segment at {@code at} holds one of the values that a writer can choose. */
  private boolean holdsChoice(byte[] row, int from, int end, int at) {
    int number = NumberForm.bucketAt(segment, row, at);
    int buckets = buckets(row, from, end);
    if (number < 0 || number >= buckets) {
      return false;
    }
    return first == null
        || Math.floorMod(number - first.bucket(row, from, end, buckets), buckets) < secondBuckets;
  }

  /**
   * Writes the right value into a row whose structure otherwise matches.
   *
   * @param choice chooses among several; any number
   */
  void write(byte[] row, int from, int end, int choice) {
    fill(row, from, end, row, matcher.startOf(part, row, from, end), choice);
  }

  /**
   * Writes the right value to the beginning of a row whose one range that is hashed is {@code
   * [start, stop)}.
   */
  void writeAhead(byte[] row, int start, int stop) {
    if (steps != null) {
      int bucket = first.bucketOfRange(row, start, stop, buckets(row, 0, row.length));
      NumberForm.write(segment, bucket, row, 0);
      return;
    }
    Hasher hasher = pool.take();
    first.digestRange(hasher, row, start, stop);
    writeDigest(hasher, row, 0);
    pool.giveBack(hasher);
  }

  /**
   * The right value for rows that begin with {@code [from, end)}, which holds all that goes into it
   * and, structurally, all that stands before that; the first of several.
   */
  byte[] value(byte[] row, int from, int end) {
    byte[] value = new byte[segment.minLength()];
    fill(row, from, end, value, 0, 0);
    return value;
  }

  /** For people: the right value, or those that a writer may choose among. */
  String expectation(byte[] row, int from, int end) {
    String first = RowText.abbreviated(value(row, from, end));
    if (!hasChoice) {
      return first;
    }
    int choices = choices(row, from, end);
    byte[] last = new byte[segment.minLength()];
    fill(row, from, end, last, 0, choices - 1);
    return "one of the " + choices + " from " + first + " to " + RowText.abbreviated(last);
  }

  private void fill(byte[] row, int from, int end, byte[] target, int at, int choice) {
    if (steps != null) {
      NumberForm.write(segment, bucket(row, from, end, choice), target, at);
      return;
    }
    Hasher hasher = pool.take();
    first.digest(hasher, row, from, end);
    writeDigest(hasher, target, at);
    pool.giveBack(hasher);
  }

  private int buckets(byte[] row, int from, int end) {
    int decides = steps.part();
    return decides == BucketSteps.NO_PART
        ? steps.buckets(0)
        : steps.bucketsAt(row, matcher.startOf(decides, row, from, end));
  }

  private int bucket(byte[] row, int from, int end, int choice) {
    int buckets = buckets(row, from, end);
    if (first == null) {
      return Math.floorMod(choice, buckets);
    }
    int bucket = first.bucket(row, from, end, buckets);
    if (second == null) {
      return hasChoice ? sum(bucket, Math.floorMod(choice, secondBuckets), buckets) : bucket;
    }
    return sum(bucket, second.bucket(row, from, end, secondBuckets), buckets);
  }

  /** Combines two numbers, each below the buckets. */
  static int sum(int first, int second, int buckets) {
    int sum = first + second;
    return sum < buckets ? sum : sum - buckets;
  }

  private void writeDigest(Hasher hasher, byte[] target, int at) {
    for (int i = 0; i < segment.minLength(); i++) {
      target[at + i] = byteAt(hasher, i);
    }
  }

  private boolean holdsDigest(Hasher hasher, byte[] row, int at) {
    for (int i = 0; i < segment.minLength(); i++) {
      if (row[at + i] != byteAt(hasher, i)) {
        return false;
      }
    }
    return true;
  }

  /** The byte at an index of a segment without buckets. */
  private byte byteAt(Hasher hasher, int index) {
    int place = segment.isReversed() ? segment.minLength() - 1 - index : index;
    int radix = NumberForm.radix(segment);
    if (radix == 16) {
      int two = hasher.digestByte(place / 2) & 0xff;
      return NumberForm.symbol(segment, place % 2 == 0 ? two >> 4 : two & 0xf);
    }
    byte b = hasher.digestByte(place);
    // digitOf is its own inverse for descending bytes: MAX - (MAX - value).
    return segment.isDescending() ? (byte) NumberForm.digitOf(segment, b, index) : b;
  }
}
