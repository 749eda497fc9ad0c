package io.rowguard.layout;

import java.util.Arrays;
import java.util.TreeSet;

/**
 * The beginning that all bare keys of a range have in common, and the salts that it leaves
 * possible. Immutable.
 */
final class RangeBeginning {
  private final RowMatcher matcher;
  private final KeyRange bareKeys;
  // The beginning of the salted rows, with zeros for free segments that are not known.
  private final byte[] row;
  // How many of the layout's parts it holds.
  private final int parts;
  // The position of the part after those in the bare keys, if it is of fixed length.
  private final int nextPartStart;

  private RangeBeginning(
      RowMatcher matcher, KeyRange bareKeys, byte[] row, int parts, int nextPartStart) {
    this.matcher = matcher;
    this.bareKeys = bareKeys;
    this.row = row;
    this.parts = parts;
    this.nextPartStart = nextPartStart;
  }

  static RangeBeginning of(RowkeyLayout layout, BareWalk walk, KeyRange bareKeys) {
    byte[] only = bareKeys.onlyKey();
    byte[] row = only == null ? null : layout.completeIfBare(only);
    if (row != null) {
      return new RangeBeginning(layout.matcher(), bareKeys, row, layout.parts().size(), 0);
    }
    BareWalk.Prefix prefix = walk.prefix(bareKeys.commonPrefix());
    return new RangeBeginning(
        layout.matcher(), bareKeys, prefix.salted, prefix.completeParts, prefix.nextPartStart);
  }

  /**
   * The values that a derived segment can have in rows of the range, ascending as numbers; null
   * when it can have all.
   */
  byte[][] possibleValues(DerivedValue value) {
    if (value.lastInput() < parts && !value.hasChoice()) {
      return new byte[][] {value.value(row, 0, row.length)};
    }
    BucketSteps steps = value.steps();
    if (steps == null) {
      return null;
    }
    boolean[] possible = possibleSteps(steps);
    if (value.first() == null || value.first().lastInput() >= parts) {
      return allBelow(largest(steps, possible), value.segment());
    }
    DerivedTerm second = value.second();
    TreeSet<Integer> numbers = new TreeSet<>();
    for (int step = 0; step < possible.length; step++) {
      if (possible[step]) {
        int buckets = steps.buckets(step);
        int first = value.first().bucket(row, 0, row.length, buckets);
        if (second == null && !value.hasChoice()) {
          numbers.add(first);
        } else if (second != null && second.lastInput() < parts) {
          int added = second.bucket(row, 0, row.length, value.secondBuckets());
          numbers.add(DerivedValue.sum(first, added, buckets));
        } else {
          for (int added = 0; added < value.secondBuckets(); added++) {
            numbers.add(DerivedValue.sum(first, added, buckets));
          }
        }
      }
    }
    return numbers.stream().map(value.segment()::written).toArray(byte[][]::new);
  }

  private static int largest(BucketSteps steps, boolean[] possible) {
    int step = possible.length - 1;
    while (step > 0 && !possible[step]) {
      step--;
    }
    return steps.buckets(step);
  }

  private static byte[][] allBelow(int buckets, Segment segment) {
    if (buckets == segment.derivation().buckets()) {
      return null;
    }
    byte[][] values = new byte[buckets][];
    for (int number = 0; number < buckets; number++) {
      values[number] = segment.written(number);
    }
    return values;
  }

  /** Per step: whether a row of the range can be on it. */
  private boolean[] possibleSteps(BucketSteps steps) {
    boolean[] possible = new boolean[steps.count()];
    Arrays.fill(possible, true);
    if (steps.part() == BucketSteps.NO_PART || steps.part() > parts) {
      return possible;
    }
    if (steps.part() < parts) {
      int only = steps.stepAt(row, matcher.startOf(steps.part(), row, 0, row.length));
      for (int step = 0; step < possible.length; step++) {
        possible[step] = step == only;
      }
      return possible;
    }
    int length = matcher.part(steps.part()).part().minLength();
    byte[] least = smallestHere(length);
    byte[] most = largestHere(length);
    for (int step = 0; step < possible.length; step++) {
      possible[step] = steps.isPossible(step, least, most);
    }
    return possible;
  }

  /** The smallest bytes that the part after the beginning can have in the range. */
  private byte[] smallestHere(int length) {
    byte[] from = bareKeys.from();
    return Arrays.copyOfRange(from, nextPartStart, nextPartStart + length);
  }

  /** The largest bytes that the part after the beginning can have in the range. */
  private byte[] largestHere(int length) {
    byte[] to = bareKeys.to();
    byte[] largest = new byte[length];
    Arrays.fill(largest, (byte) 0xff);
    int common = ByteRanges.commonPrefix(bareKeys.from(), to);
    if (common < nextPartStart || to.length <= nextPartStart) {
      // The end lies above everything that begins so.
      return largest;
    }
    byte[] end = Arrays.copyOfRange(to, nextPartStart, nextPartStart + length);
    if (to.length > nextPartStart + length) {
      return end;
    }
    // No key with exactly these bytes is below the end: the largest are those right before.
    for (int i = length - 1; i >= 0; i--) {
      if (end[i]-- != 0) {
        return end;
      }
    }
    return largest;
  }
}
