package io.rowguard.layout;

import java.util.ArrayList;
import java.util.List;

/**
 * One term of a derivation, as a row gives it: a hash of parts of the row, or the number that one
 * segment holds. Immutable and thread-safe.
 *
 * <p>The input of a hash is a list of byte ranges of the row (for {@code *} all that remains when
 * derived segments and the literals after them are taken out). One range is hashed where it lies;
 * several, and values in another form than they are stored in, are gathered first.
 */
final class DerivedTerm {
  private final RowMatcher matcher;
  private final HasherPool pool;
  private final Hash hash;
  private final Remainder remainder;
  private final long divisor;
  private final boolean overBareKey;
  // Pairs of part indexes: first (inclusive), last (inclusive) of each input range.
  private final int[] inputs;
  // One per range where some are in another form than they are stored in; else null.
  private final HashInput[] forms;
  private final Segment[] segments;
  private final Segment numberSource;

  DerivedTerm(List<Part> parts, Derivation derivation, RowMatcher matcher, HasherPool pool) {
    this.matcher = matcher;
    this.pool = pool;
    this.hash = derivation.hash();
    this.remainder = derivation.remainder();
    this.divisor = derivation.divisor();
    this.overBareKey = derivation.isOverBareKey();
    boolean asStored = derivation.hashInputs().stream().allMatch(HashInput::isAsStored);
    this.forms = asStored ? null : derivation.hashInputs().toArray(new HashInput[0]);
    this.inputs = asStored ? inputRanges(parts, derivation) : inputParts(parts, derivation);
    this.segments = new Segment[asStored ? 0 : forms.length];
    for (int i = 0; i < segments.length; i++) {
      segments[i] = (Segment) parts.get(inputs[2 * i]);
    }
    this.numberSource = hash == null ? (Segment) parts.get(inputs[0]) : null;
  }

  /** Whether the value is the hash of one range of the row as it is, from part to part. */
  boolean isHashOfOneRange() {
    return numberSource == null && forms == null && inputs.length == 2;
  }

  /** Whether all of the bare key goes in. */
  boolean isOverBareKey() {
    return overBareKey;
  }

  /** The index of the first part that goes in. */
  int firstInput() {
    return inputs[0];
  }

  /** The index of the last part (inclusive) of the range that begins with the first. */
  int lastOfFirstRange() {
    return inputs[1];
  }

  /** The index of the last part, segment or literal, that goes in. */
  int lastInput() {
    int last = 0;
    for (int i = 1; i < inputs.length; i += 2) {
      last = Math.max(last, inputs[i]);
    }
    return last;
  }

  /**
   * The remainder, or the quotient, in a row of which the structure of all that goes in matches.
   */
  int bucket(byte[] row, int from, int end, int buckets) {
    if (numberSource != null) {
      int start = matcher.startOf(inputs[0], row, from, end);
      boolean isFixed = numberSource.isFixedLength();
      int length =
          isFixed
              ? numberSource.minLength()
              : matcher.startOf(inputs[0] + 1, row, from, end) - start;
      return numberBucket(row, start, length, buckets);
    }
    if (isHashOfOneRange()) {
      int start = matcher.startOf(inputs[0], row, from, end);
      return bucketOfRange(row, start, matcher.startOf(inputs[1] + 1, row, from, end), buckets);
    }
    Hasher hasher = pool.take();
    hashInputs(hasher, row, from, end);
    int number = hasher.number();
    pool.giveBack(hasher);
    return bucketOf(number, buckets);
  }

  private int bucketOf(int number, int buckets) {
    return divisor == Derivation.NO_DIVISOR
        ? remainder.of(number, buckets)
        : remainder.quotient(number, divisor);
  }

  /**
   * As {@link #bucket}, where the one range that is hashed is known to be {@code [start, stop)}.
   */
  int bucketOfRange(byte[] row, int start, int stop, int buckets) {
    if (hash.isPlain()) {
      // The usual salts: they need no working memory at all.
      return bucketOf(hash.number(row, start, stop - start), buckets);
    }
    Hasher hasher = pool.take();
    hasher.hash(hash, row, start, stop - start);
    int number = hasher.number();
    pool.giveBack(hasher);
    return bucketOf(number, buckets);
  }

  /** Leaves the digest of a row's input in a hasher. */
  void digest(Hasher hasher, byte[] row, int from, int end) {
    if (isHashOfOneRange()) {
      int start = matcher.startOf(inputs[0], row, from, end);
      digestRange(hasher, row, start, matcher.startOf(inputs[1] + 1, row, from, end));
    } else {
      hashInputs(hasher, row, from, end);
    }
  }

  /**
   * As {@link #digest}, where the one range that is hashed is known to be {@code [start, stop)}.
   */
  void digestRange(Hasher hasher, byte[] row, int start, int stop) {
    hasher.hash(hash, row, start, stop - start);
  }

  private void hashInputs(Hasher hasher, byte[] row, int from, int end) {
    hasher.startGathering();
    for (int i = 0; i < inputs.length; i += 2) {
      int start = matcher.startOf(inputs[i], row, from, end);
      int stop = matcher.startOf(inputs[i + 1] + 1, row, from, end);
      if (forms == null) {
        hasher.gather(row, start, stop);
      } else {
        forms[i / 2].gather(hasher, segments[i / 2], row, start, stop);
      }
    }
    hasher.hashGathered(hash);
  }

  /** The number that so many bytes of the source segment hold, modulo the buckets. */
  private int numberBucket(byte[] row, int start, int length, int buckets) {
    if (numberSource.isNumber()) {
      long number = ValueCodec.number(numberSource, row, start);
      return (int)
          (numberSource.type().kind() == SegmentType.Kind.UINT
              ? Long.remainderUnsigned(number, buckets)
              : Math.floorMod(number, (long) buckets));
    }
    int rest = 0;
    for (int i = 0; i < length; i++) {
      int index = numberSource.isReversed() ? length - 1 - i : i;
      // Below 65,536 * 10 + 10: no overflow, however many digits there are.
      rest = (rest * 10 + (row[start + index] - '0')) % buckets;
    }
    return rest;
  }

  private static int[] inputRanges(List<Part> parts, Derivation derivation) {
    List<int[]> ranges = new ArrayList<>();
    if (derivation.isOverBareKey()) {
      for (int i = 0; i < parts.size(); i++) {
        if (BareKeys.isKept(parts, i)) {
          extend(ranges, i);
        }
      }
    } else {
      for (String name : derivation.inputs()) {
        extend(ranges, indexOf(parts, name));
      }
    }
    int[] flat = new int[2 * ranges.size()];
    for (int i = 0; i < ranges.size(); i++) {
      flat[2 * i] = ranges.get(i)[0];
      flat[2 * i + 1] = ranges.get(i)[1];
    }
    return flat;
  }

  /** A range for each input, neighbours or not. */
  private static int[] inputParts(List<Part> parts, Derivation derivation) {
    int[] flat = new int[2 * derivation.inputs().size()];
    for (int i = 0; i < flat.length; i++) {
      flat[i] = indexOf(parts, derivation.inputs().get(i / 2));
    }
    return flat;
  }

  /** Adds a part to the last range when it lies right after it, else as a range of its own. */
  private static void extend(List<int[]> ranges, int part) {
    int[] last = ranges.isEmpty() ? null : ranges.get(ranges.size() - 1);
    if (last != null && last[1] + 1 == part) {
      last[1] = part;
    } else {
      ranges.add(new int[] {part, part});
    }
  }

  /** The index of a segment among the parts. */
  static int indexOf(List<Part> parts, String name) {
    for (int i = 0; i < parts.size(); i++) {
      Part part = parts.get(i);
      if (part instanceof Segment && ((Segment) part).name().equals(name)) {
        return i;
      }
    }
    throw new AssertionError("The parser lets no unknown input through. name=" + name);
  }
}
