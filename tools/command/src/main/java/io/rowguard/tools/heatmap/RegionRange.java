package io.rowguard.tools.heatmap;

import io.rowguard.tools.presplit.BoundaryProblems;
import java.util.Arrays;

/**
 * A range of rowkeys, as a region has it: from {@code start}, inclusive, to {@code end}, exclusive;
 * empty for no bound. Ordered by start, the longer range first. Immutable.
 */
final class RegionRange implements Comparable<RegionRange> {
  private final byte[] start;
  private final byte[] end;

  RegionRange(byte[] start, byte[] end) {
    this.start = start.clone();
    this.end = end.clone();
  }

  byte[] start() {
    return start.clone();
  }

  byte[] end() {
    return end.clone();
  }

  private static int compareEnds(byte[] a, byte[] b) {
    if (a.length == 0 || b.length == 0) {
      return Boolean.compare(a.length == 0, b.length == 0);
    }
    return Arrays.compareUnsigned(a, b);
  }

  /** Whether another range lies inside of this one. */
  boolean contains(RegionRange other) {
    return Arrays.compareUnsigned(start, other.start) <= 0 && compareEnds(other.end, end) <= 0;
  }

  @Override
  public int compareTo(RegionRange other) {
    int order = Arrays.compareUnsigned(start, other.start);
    return order != 0 ? order : compareEnds(other.end, end);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof RegionRange range
        && Arrays.equals(start, range.start)
        && Arrays.equals(end, range.end);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(start) + Arrays.hashCode(end);
  }

  /** The range for people: {@code start .. end}. */
  @Override
  public String toString() {
    return BoundaryProblems.region(start, end);
  }
}
