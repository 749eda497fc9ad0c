package io.rowguard.layout;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * The buckets that the rows of a salted layout are in: one for each combination of values that its
 * <em>free</em> derived segments can have. Immutable and thread-safe.
 *
 * <p>A derived segment is free when something that goes into it stands after it, as it does for the
 * usual salt at the front, and when writers choose its value. One that is derived only from what
 * stands before it changes the order of no two rows, so it makes no buckets.
 *
 * <p>Within one bucket, salted rows are in the order of their bare keys. So a range of bare keys is
 * one range of salted rows per bucket, and merging those gives the bare keys in their order. Where
 * the range fixes what goes into the salt, as it does for the keys of alice, it is in one bucket:
 *
 * <pre>{@code
 * layout: {salt:digits(1)=murmur3(user)%3}-{user:word}|{item:digits(4)}
 * salted: b .. d -> 0-b .. 0-d, 1-b .. 1-d, 2-b .. 2-d
 * salted: alice| .. alice} -> 1-alice| .. 1-alice}
 * }</pre>
 *
 * <p>Where a salt is the sum of two terms and the range fixes the first, it is in as many buckets
 * as the second term has; where the buckets rise with a segment, only those count that rows of the
 * range can have.
 *
 * <p>Where a free segment has others in front of it, the ranges of several buckets overlap unless
 * the range of bare keys fixes what stands in front: then one has to ask for each row whether it
 * {@linkplain SaltBucket#holds belongs} to the bucket.
 */
public final class SaltBuckets {
  private final RowkeyLayout layout;
  private final RowkeyLayout bare;
  private final BareWalk walk;
  private final DerivedValue[] free;
  private final LayoutBoundaries boundaries;
  private final byte[] bareBeginning;

  private SaltBuckets(RowkeyLayout layout) {
    this.layout = layout;
    this.bare = layout.bare();
    this.walk = new BareWalk(layout, bare);
    this.boundaries = LayoutBoundaries.of(layout, null);
    List<DerivedValue> free = new ArrayList<>();
    for (DerivedValue value : layout.derived()) {
      if (isFree(value)) {
        free.add(value);
      }
    }
    this.free = free.toArray(new DerivedValue[0]);
    Part first = bare.parts().get(0);
    this.bareBeginning = first instanceof Literal ? ((Literal) first).shared() : new byte[0];
  }

  /** The buckets of a layout; a layout without free derived segments has one. */
  public static SaltBuckets of(RowkeyLayout layout) {
    return new SaltBuckets(layout);
  }

  /** Whether something that goes into a derived segment stands after it, or writers choose it. */
  static boolean isFree(DerivedValue value) {
    return value.hasChoice() || value.lastInput() > value.part();
  }

  /** The layout of the salted rows. */
  public RowkeyLayout layout() {
    return layout;
  }

  /**
   * How many buckets rows of a range may be in, judged by the segments that all its keys share; at
   * least 1, {@link Long#MAX_VALUE} for that and more. Cheap, whatever the number.
   */
  public long count(KeyRange bareKeys) {
    byte[][][] possible = possibleValues(bareKeys);
    long count = 1;
    for (int i = 0; i < free.length; i++) {
      // No value is possible where no bare key can lie.
      long values =
          possible[i] == null ? valueCount(free[i].segment()) : Math.max(1, possible[i].length);
      count = count > Long.MAX_VALUE / values ? Long.MAX_VALUE : count * values;
    }
    return count;
  }

  /**
   * The buckets that some row of a range can be in, in the order of their values; none when no bare
   * key can lie in the range.
   *
   * @throws IllegalArgumentException when {@link #count} is over 65,536
   */
  public List<SaltBucket> of(KeyRange bareKeys) {
    if (count(bareKeys) > Derivation.MAX_BUCKETS) {
      throw new IllegalArgumentException(
          "A range of so many buckets cannot be listed. buckets=" + count(bareKeys));
    }
    List<SaltBucket> buckets = new ArrayList<>();
    if (!bareKeys.isEmpty()) {
      collect(possibleValues(bareKeys), 0, new byte[free.length][], buckets);
      buckets.removeIf(bucket -> !isReachable(bucket.salted(bareKeys)));
    }
    return buckets;
  }

  /**
   * The bucket of one bare key.
   *
   * @throws IllegalArgumentException when it is none of the layout, or writers choose among several
   */
  public SaltBucket bucketOf(byte[] bareKey) {
    if (layout.hasChoice()) {
      throw new IllegalArgumentException(
          "A bare key has rows in several buckets, as writers choose. layout=" + layout);
    }
    return bucketOfRow(layout.complete(bareKey));
  }

  /**
   * The bucket of one row.
   *
   * @param row that conforms
   */
  public SaltBucket bucketOfRow(byte[] row) {
    byte[][] values = new byte[free.length][];
    for (int i = 0; i < free.length; i++) {
      int at = layout.matcher().startOf(free[i].part(), row, 0, row.length);
      values[i] = Arrays.copyOfRange(row, at, at + free[i].segment().minLength());
    }
    return new SaltBucket(this, values);
  }

  /**
   * How many rows a bare key can have: 1 unless writers {@linkplain RowkeyLayout#hasChoice choose};
   * at most {@link Long#MAX_VALUE}.
   *
   * @throws IllegalArgumentException as {@link RowkeyLayout#complete} does
   */
  public long rowCount(byte[] bareKey) {
    byte[] row = layout.complete(bareKey);
    long count = 1;
    for (DerivedValue value : layout.derived()) {
      int choices = value.choices(row, 0, row.length);
      count = count > Long.MAX_VALUE / choices ? Long.MAX_VALUE : count * choices;
    }
    return count;
  }

  /**
   * All rows that a bare key can have, each once, in the order of {@link
   * RowkeyLayout#completeIfBare(byte[], int)} from 0 on.
   *
   * @throws IllegalArgumentException as {@link RowkeyLayout#complete} does, and when there are more
   *     than 65,536
   */
  public List<byte[]> rows(byte[] bareKey) {
    long count = rowCount(bareKey);
    if (count > Derivation.MAX_BUCKETS) {
      throw new IllegalArgumentException(
          "The rows of this bare key are too many to be listed. rows=" + count);
    }
    List<byte[]> rows = new ArrayList<>((int) count);
    for (int choice = 0; choice < count; choice++) {
      rows.add(layout.completeIfBare(bareKey, choice));
    }
    return rows;
  }

  /**
   * The bare key of {@code length} bytes from {@code offset}, or null when they are no row of the
   * layout.
   */
  public byte[] bareKeyOf(byte[] row, int offset, int length) {
    return layout.check(row, offset, length).conforms()
        ? BareKeys.strip(layout.parts(), layout.matcher(), row, offset, offset + length)
        : null;
  }

  /** The beginning of all bare keys; empty for none. Shared, not to be changed. */
  byte[] bareBeginning() {
    return bareBeginning;
  }

  BareWalk walk() {
    return walk;
  }

  DerivedValue[] free() {
    return free;
  }

  private boolean isReachable(KeyRange salted) {
    return boundaries.isReachable(salted.from(), salted.to());
  }

  private void collect(byte[][][] possible, int index, byte[][] values, List<SaltBucket> buckets) {
    if (index == free.length) {
      buckets.add(new SaltBucket(this, values.clone()));
    } else if (possible[index] != null) {
      for (byte[] value : possible[index]) {
        values[index] = value;
        collect(possible, index + 1, values, buckets);
      }
    } else {
      Segment segment = free[index].segment();
      for (long number = 0; number < valueCount(segment); number++) {
        values[index] = segment.written(number);
        collect(possible, index + 1, values, buckets);
      }
    }
  }

  private static long valueCount(Segment segment) {
    if (segment.derivation().hasBuckets()) {
      return segment.derivation().buckets();
    }
    int radix = NumberForm.radix(segment);
    long count = 1;
    for (int i = 0; i < segment.minLength(); i++) {
      count = count > Long.MAX_VALUE / radix ? Long.MAX_VALUE : count * radix;
    }
    return count;
  }

  /** Per free segment: the values that keys of the range can have; null where it is any. */
  private byte[][][] possibleValues(KeyRange bareKeys) {
    RangeBeginning beginning = RangeBeginning.of(layout, walk, bareKeys);
    byte[][][] possible = new byte[free.length][][];
    for (int i = 0; i < free.length; i++) {
      possible[i] = beginning.possibleValues(free[i]);
    }
    return possible;
  }

  /** The free segments, for a message. */
  public List<Segment> freeSegments() {
    List<Segment> segments = new ArrayList<>();
    for (DerivedValue value : free) {
      segments.add(value.segment());
    }
    return Collections.unmodifiableList(segments);
  }
}
