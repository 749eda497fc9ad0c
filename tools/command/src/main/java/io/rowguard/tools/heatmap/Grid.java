package io.rowguard.tools.heatmap;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * A history on one axis of keys: the ranges between all boundaries that any region had at any time.
 * The count of a region that had several of these ranges is divided evenly among them, for want of
 * better knowledge; sums stay as they are. Immutable.
 */
final class Grid {
  private final List<RegionRange> ranges;
  private final long[][] reads;
  private final long[][] writes;
  private final long[][] bytes;
  private final boolean[] open;

  Grid(List<TimeSlice> slices) {
    this.ranges = axis(slices);
    this.reads = spread(slices, TimeSlice::reads);
    this.writes = spread(slices, TimeSlice::writes);
    this.bytes = spread(slices, TimeSlice::bytes);
    this.open = new boolean[ranges.size()];
    if (!slices.isEmpty()) {
      slices.get(slices.size() - 1).bytes().keySet().forEach(this::setOpen);
    }
  }

  private void setOpen(RegionRange region) {
    int from = firstOf(region);
    Arrays.fill(open, from, endOf(region, from), true);
  }

  /** The range of the axis after the last one, from one on, that lies in a region. */
  private int endOf(RegionRange region, int from) {
    int to = from;
    while (to < ranges.size() && region.contains(ranges.get(to))) {
      to++;
    }
    return to;
  }

  private static List<RegionRange> axis(List<TimeSlice> slices) {
    TreeSet<byte[]> boundaries = new TreeSet<>(Arrays::compareUnsigned);
    boundaries.add(new byte[0]);
    for (TimeSlice slice : slices) {
      for (RegionRange range : slice.bytes().keySet()) {
        boundaries.add(range.start());
        boundaries.add(range.end());
      }
      for (RegionRange range : slice.reads().keySet()) {
        boundaries.add(range.start());
        boundaries.add(range.end());
      }
    }
    List<RegionRange> ranges = new ArrayList<>();
    for (byte[] start : boundaries) {
      byte[] end = boundaries.higher(start);
      ranges.add(new RegionRange(start, end == null ? new byte[0] : end));
    }
    return ranges;
  }

  private long[][] spread(
      List<TimeSlice> slices, Function<TimeSlice, Map<RegionRange, Long>> what) {
    long[][] cells = new long[slices.size()][ranges.size()];
    for (int i = 0; i < cells.length; i++) {
      long[] column = cells[i];
      what.apply(slices.get(i)).forEach((range, count) -> spread(column, range, count));
    }
    return cells;
  }

  private void spread(long[] column, RegionRange range, long count) {
    int from = firstOf(range);
    int parts = endOf(range, from) - from;
    for (int i = 0; i < parts; i++) {
      // The remainder goes to the first ones, one each.
      column[from + i] += count / parts + (i < count % parts ? 1 : 0);
    }
  }

  /** By bisection: the range of the axis that begins where another range does. */
  private int firstOf(RegionRange range) {
    int low = 0;
    int high = ranges.size() - 1;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (Arrays.compareUnsigned(ranges.get(middle).start(), range.start()) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** The ranges, ascending; together they hold every key. */
  List<RegionRange> ranges() {
    return ranges;
  }

  /** Whether the last reading has a region that is open and has this range. */
  boolean isOpen(int range) {
    return open[range];
  }

  /** The reads in every time slice (outer) by range (inner). */
  long[][] reads() {
    return reads;
  }

  /** The writes in every time slice (outer) by range (inner). */
  long[][] writes() {
    return writes;
  }

  /** The sizes at the end of every time slice (outer) by range (inner). */
  long[][] bytes() {
    return bytes;
  }

  /** The sum of all time slices, by range. */
  static long[] totals(long[][] cells, int ranges) {
    long[] totals = new long[ranges];
    for (long[] column : cells) {
      for (int i = 0; i < ranges; i++) {
        totals[i] += column[i];
      }
    }
    return totals;
  }
}
