package io.rowguard.layout;

import java.util.ArrayList;
import java.util.List;

/**
 * Computes one derived segment from the row it stands in. Immutable and thread-safe.
 *
 * <p>The input of a derivation is a list of byte ranges of the row (for {@code *} all that remains
 * when derived segments and the literals after them are taken out). One range is hashed where it
 * lies; several are gathered first.
 */
final class DerivedValue {
  private final Segment segment;
  private final int part;
  private final RowMatcher matcher;
  private final HasherPool pool;
  // Pairs of part indexes: first (inclusive), last (inclusive) of each input range.
  private final int[] inputs;
  private final Segment numberSource;
  private final int lastPlainInput;

  private DerivedValue(List<Part> parts, int part, RowMatcher matcher, HasherPool pool) {
    this.segment = (Segment) parts.get(part);
    this.part = part;
    this.matcher = matcher;
    this.pool = pool;
    this.inputs = inputRanges(parts, segment.derivation());
    this.numberSource = segment.derivation().hash() == null ? (Segment) parts.get(inputs[0]) : null;
    int last = lastInput();
    this.lastPlainInput = parts.get(last) instanceof Literal ? last - 1 : last;
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

  /** The index of the last part with a value that goes into this one. */
  int lastPlainInput() {
    return lastPlainInput;
  }

  /** The index of the last part, segment or literal, that goes into this one. */
  int lastInput() {
    int last = 0;
    for (int i = 1; i < inputs.length; i += 2) {
      last = Math.max(last, inputs[i]);
    }
    return last;
  }

  /** Whether the value is the hash of one range of the row, from part to part. */
  boolean isHashOfOneRange() {
    return numberSource == null && inputs.length == 2;
  }

  /** The index of the first part that goes in. */
  int firstInput() {
    return inputs[0];
  }

  /** The index of the last part (inclusive) of the range that begins with the first. */
  int lastOfFirstRange() {
    return inputs[1];
  }

  /** Whether the row in {@code [from, end)}, whose structure matches, holds the right value. */
  boolean matches(byte[] row, int from, int end) {
    if (isHashOfOneRange()) {
      int start = matcher.startOf(inputs[0], row, from, end);
      return matches(row, from, end, start, matcher.startOf(inputs[1] + 1, row, from, end));
    }
    int at = matcher.startOf(part, row, from, end);
    if (numberSource != null) {
      return NumberForm.holds(segment, sourceBucket(row, from, end), row, at);
    }
    Hasher hasher = pool.take();
    hashInputs(hasher, row, from, end);
    boolean equal = holdsDigest(hasher, row, at);
    pool.giveBack(hasher);
    return equal;
  }

  /** As the other, where the one range that is hashed is known to be {@code [start, stop)}. */
  boolean matches(byte[] row, int from, int end, int start, int stop) {
    int at = matcher.startOf(part, row, from, end);
    Derivation derivation = segment.derivation();
    Hash hash = derivation.hash();
    if (derivation.hasBuckets() && hash.isPlain()) {
      // The usual salts: they need no working memory at all.
      return NumberForm.holds(segment, bucket(hash.number(row, start, stop - start)), row, at);
    }
    Hasher hasher = pool.take();
    hasher.hash(hash, row, start, stop - start);
    boolean equal = holdsDigest(hasher, row, at);
    pool.giveBack(hasher);
    return equal;
  }

  /** Writes the right value into a row whose structure otherwise matches. */
  void write(byte[] row, int from, int end) {
    fill(row, from, end, row, matcher.startOf(part, row, from, end));
  }

  /** Writes the right value for a row whose one range that is hashed is {@code [start, stop)}. */
  void write(byte[] row, int start, int stop, byte[] target, int at) {
    Derivation derivation = segment.derivation();
    Hash hash = derivation.hash();
    if (derivation.hasBuckets() && hash.isPlain()) {
      NumberForm.write(segment, bucket(hash.number(row, start, stop - start)), target, at);
      return;
    }
    Hasher hasher = pool.take();
    hasher.hash(hash, row, start, stop - start);
    writeDigest(hasher, target, at);
    pool.giveBack(hasher);
  }

  /**
   * The right value for rows that begin with {@code [from, end)}, which holds all that goes into it
   * and, structurally, all that stands before that.
   */
  byte[] value(byte[] row, int from, int end) {
    byte[] value = new byte[segment.minLength()];
    fill(row, from, end, value, 0);
    return value;
  }

  private void fill(byte[] row, int from, int end, byte[] target, int at) {
    if (numberSource != null) {
      NumberForm.write(segment, sourceBucket(row, from, end), target, at);
      return;
    }
    if (isHashOfOneRange()) {
      int start = matcher.startOf(inputs[0], row, from, end);
      write(row, start, matcher.startOf(inputs[1] + 1, row, from, end), target, at);
      return;
    }
    Hasher hasher = pool.take();
    hashInputs(hasher, row, from, end);
    writeDigest(hasher, target, at);
    pool.giveBack(hasher);
  }

  private void writeDigest(Hasher hasher, byte[] target, int at) {
    if (segment.derivation().hasBuckets()) {
      NumberForm.write(segment, bucket(hasher.number()), target, at);
      return;
    }
    for (int i = 0; i < segment.minLength(); i++) {
      target[at + i] = byteAt(hasher, i);
    }
  }

  private int bucket(int hash) {
    return segment.derivation().hash().reduce(hash, segment.derivation().buckets());
  }

  private boolean holdsDigest(Hasher hasher, byte[] row, int at) {
    if (segment.derivation().hasBuckets()) {
      return NumberForm.holds(segment, bucket(hasher.number()), row, at);
    }
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

  private void hashInputs(Hasher hasher, byte[] row, int from, int end) {
    hasher.startGathering();
    for (int i = 0; i < inputs.length; i += 2) {
      int start = matcher.startOf(inputs[i], row, from, end);
      hasher.gather(row, start, matcher.startOf(inputs[i + 1] + 1, row, from, end));
    }
    hasher.hashGathered(segment.derivation().hash());
  }

  /** The number that the source segment holds, modulo the buckets. */
  private int sourceBucket(byte[] row, int from, int end) {
    int buckets = segment.derivation().buckets();
    int start = matcher.startOf(inputs[0], row, from, end);
    int length = numberSource.minLength();
    if (NumberForm.radix(numberSource) == 256) {
      long number = ValueCodec.number(numberSource, row, start);
      return (int)
          (numberSource.type().kind() == SegmentType.Kind.INT
              ? Math.floorMod(number, (long) buckets)
              : Long.remainderUnsigned(number, buckets));
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

  /** Adds a part to the last range when it lies right after it, else as a range of its own. */
  private static void extend(List<int[]> ranges, int part) {
    int[] last = ranges.isEmpty() ? null : ranges.get(ranges.size() - 1);
    if (last != null && last[1] + 1 == part) {
      last[1] = part;
    } else {
      ranges.add(new int[] {part, part});
    }
  }

  private static int indexOf(List<Part> parts, String name) {
    for (int i = 0; i < parts.size(); i++) {
      Part part = parts.get(i);
      if (part instanceof Segment && ((Segment) part).name().equals(name)) {
        return i;
      }
    }
    throw new AssertionError("The parser lets no unknown input through. name=" + name);
  }
}
