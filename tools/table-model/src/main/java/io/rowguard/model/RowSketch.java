package io.rowguard.model;

import io.rowguard.splitpoint.KeyWeights;
import io.rowguard.splitpoint.RowWeights;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * How the weight of many rows (their bytes, or their number) divides between them, in at most
 * {@value #MOST_ENTRIES} entries: a mergeable quantile summary. Immutable.
 *
 * <p>Up to {@value #MOST_ENTRIES} different rows it is exact. Beyond that the weight is cut into
 * {@value #MOST_ENTRIES} equal parts, and of each part one row stands for the whole of it, at a
 * place that is the same in every part and chosen at random for each sketch (systematic sampling).
 * Hence one merge puts the weight below any row wrong by one part at most, 0.4 % of the merged
 * weight, and as the errors of several merges are independent with mean 0, k of them by about 0.16
 * % times the square root of k (standard deviation). The first and the last row are always exact,
 * until the sketch is divided. Some 60 bytes per entry with rows of 16 bytes: 15 kB at most.
 */
public final class RowSketch {
  /** The most entries there are. */
  static final int MOST_ENTRIES = 256;

  private final byte[][] rows;
  // The start of each row's weight, and the end.
  private final long[] starts;
  private final byte[] first;
  private final byte[] last;
  private final boolean exact;

  private RowSketch(byte[][] rows, long[] starts, byte[] first, byte[] last, boolean exact) {
    this.rows = rows;
    this.starts = starts;
    this.first = first;
    this.last = last;
    this.exact = exact;
  }

  /**
   * The sketch of rows that are sorted already.
   *
   * @param sorted ascending, one or more; the same row may come several times
   * @param weights of each row, above 0
   */
  static RowSketch of(byte[][] sorted, long[] weights, int size, SplittableRandom random) {
    byte[][] rows = new byte[size][];
    long[] starts = new long[size + 1];
    int distinct = 0;
    for (int i = 0; i < size; i++) {
      if (distinct == 0 || !Arrays.equals(rows[distinct - 1], sorted[i])) {
        rows[distinct] = sorted[i];
        starts[distinct + 1] = starts[distinct];
        distinct++;
      }
      starts[distinct] += weights[i];
    }
    RowSketch all =
        new RowSketch(
            Arrays.copyOf(rows, distinct),
            Arrays.copyOf(starts, distinct + 1),
            rows[0],
            rows[distinct - 1],
            true);
    return all.compressed(random);
  }

  /** The sketch of all rows of several others, one or more. */
  public static RowSketch merge(List<RowSketch> sketches, SplittableRandom random) {
    RowSketch merged = sketches.get(0);
    if (sketches.size() == 1) {
      return merged;
    }
    for (RowSketch each : sketches.subList(1, sketches.size())) {
      merged = merged.plus(each);
    }
    return merged.compressed(random);
  }

  /** Both, with as many entries as both have. */
  private RowSketch plus(RowSketch other) {
    int most = size() + other.size();
    byte[][] both = new byte[most][];
    long[] from = new long[most + 1];
    int distinct = 0;
    int mine = 0;
    int theirs = 0;
    while (mine < size() || theirs < other.size()) {
      int order =
          mine == size()
              ? 1
              : theirs == other.size()
                  ? -1
                  : Arrays.compareUnsigned(rows[mine], other.rows[theirs]);
      both[distinct] = order <= 0 ? rows[mine] : other.rows[theirs];
      long weight = 0;
      if (order <= 0) {
        weight += weight(mine++);
      }
      if (order >= 0) {
        weight += other.weight(theirs++);
      }
      from[distinct + 1] = from[distinct] + weight;
      distinct++;
    }
    return new RowSketch(
        Arrays.copyOf(both, distinct),
        Arrays.copyOf(from, distinct + 1),
        Arrays.compareUnsigned(first, other.first) <= 0 ? first : other.first,
        Arrays.compareUnsigned(last, other.last) >= 0 ? last : other.last,
        exact && other.exact);
  }

  private RowSketch compressed(SplittableRandom random) {
    if (size() <= MOST_ENTRIES) {
      return this;
    }
    double offset = random.nextDouble();
    List<byte[]> chosen = new ArrayList<>();
    long[] from = new long[MOST_ENTRIES + 1];
    int entry = 0;
    for (int part = 0; part < MOST_ENTRIES; part++) {
      double place = (part + offset) * weight() / MOST_ENTRIES;
      while (entry + 1 < size() && starts[entry + 1] <= place) {
        entry++;
      }
      // A row of more than one part is chosen for each.
      if (chosen.isEmpty() || chosen.get(chosen.size() - 1) != rows[entry]) {
        chosen.add(rows[entry]);
      }
      from[chosen.size()] = Math.round((double) (part + 1) * weight() / MOST_ENTRIES);
    }
    return new RowSketch(
        chosen.toArray(new byte[0][]),
        Arrays.copyOf(from, chosen.size() + 1),
        first,
        last,
        /* exact= */ false);
  }

  /** The rows below another one (exclusive), or null when there are none. */
  RowSketch below(byte[] row) {
    int end = firstAtOrAbove(row);
    if (end == 0) {
      return null;
    }
    byte[] highest = Arrays.compareUnsigned(last, row) < 0 ? last : rows[end - 1];
    return part(0, end, first, highest);
  }

  /** The rows from another one on (inclusive), or null when there are none. */
  RowSketch from(byte[] row) {
    int begin = firstAtOrAbove(row);
    if (begin == size()) {
      return null;
    }
    byte[] lowest = Arrays.compareUnsigned(first, row) >= 0 ? first : rows[begin];
    return part(begin, size(), lowest, last);
  }

  private RowSketch part(int begin, int end, byte[] lowest, byte[] highest) {
    long[] from = Arrays.copyOfRange(starts, begin, end + 1);
    long before = from[0];
    for (int i = 0; i < from.length; i++) {
      from[i] -= before;
    }
    return new RowSketch(Arrays.copyOfRange(rows, begin, end), from, lowest, highest, exact);
  }

  /**
   * The entries as the chooser of a boundary sees a file, of which nothing finer is known. Each
   * counts as one row: it stands for rows on both sides of its own, so its weight is where that is.
   */
  KeyWeights weights() {
    return new RowWeights(Arrays.asList(rows), starts);
  }

  /** How many entries there are, 1 or more. */
  int size() {
    return rows.length;
  }

  private long weight(int entry) {
    return starts[entry + 1] - starts[entry];
  }

  /** The weight of all rows. */
  public long weight() {
    return starts[rows.length];
  }

  /** The weight of the rows below another one (exclusive). */
  public long weightBelow(byte[] row) {
    return starts[firstAtOrAbove(row)];
  }

  /** The row at a place between 0 (inclusive) and {@link #weight} (exclusive). */
  byte[] rowAt(long place) {
    int found = Arrays.binarySearch(starts, place);
    int entry = found >= 0 ? found : -found - 2;
    return rows[Math.min(entry, size() - 1)];
  }

  /** The first row. */
  byte[] first() {
    return first;
  }

  /** The last row. */
  byte[] last() {
    return last;
  }

  /** Whether every entry is one row, and every row has an entry. */
  boolean isExact() {
    return exact;
  }

  private int firstAtOrAbove(byte[] row) {
    int low = 0;
    int high = size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (Arrays.compareUnsigned(rows[middle], row) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
