package io.rowguard.split;

import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * How the bytes of one store file divide, as far as is known by now: the entries of its root index,
 * and below some of them finer ones. Not thread-safe.
 */
final class WeightTree {
  private final KeyWeights keys;
  private final byte[] lastRow;
  // The bytes before this part of the file, and how many it has.
  private final double from;
  private final double bytes;
  private final Map<Integer, WeightTree> finer = new HashMap<>();
  private final Set<Integer> finest = new HashSet<>();

  /**
   * @param lastRow the last row of the file; null for a part of one
   */
  WeightTree(KeyWeights keys, byte[] lastRow, double from, double bytes) {
    this.keys = keys;
    this.lastRow = lastRow;
    this.from = from;
    this.bytes = bytes;
  }

  /** All the bytes. */
  double bytes() {
    return bytes;
  }

  /** The bytes below a row (exclusive): at least, at most. */
  Bounds below(byte[] row) {
    int next = firstAtOrAbove(row);
    if (next == 0) {
      return Bounds.exactly(from);
    }
    if (lastRow != null && Bytes.compareTo(lastRow, row) < 0) {
      return Bounds.exactly(from + bytes);
    }
    if (next < keys.size() && keys.compareRow(next, row) == 0) {
      return Bounds.exactly(position(next));
    }
    if (keys.isOneRow(next - 1)) {
      return Bounds.exactly(position(next));
    }
    WeightTree inside = finer.get(next - 1);
    return inside != null
        ? inside.below(row)
        : new Bounds(position(next - 1), position(next), !finest.contains(next - 1));
  }

  /** Learns more about the entry that a row falls into, at the cost of a block read or two. */
  void zoom(byte[] row) throws IOException {
    int entry = firstAtOrAbove(row) - 1;
    WeightTree inside = finer.get(entry);
    if (inside != null) {
      inside.zoom(row);
      return;
    }
    KeyWeights within = keys.zoom(entry);
    if (within != null) {
      double width = position(entry + 1) - position(entry);
      finer.put(entry, new WeightTree(within, null, position(entry), width));
    } else {
      finest.add(entry);
    }
  }

  /**
   * The row in the middle of all known entries strictly between two rows, or null when there is
   * none.
   *
   * @param above exclusive, null for no limit
   * @param below exclusive, null for no limit
   */
  byte[] middleBetween(byte[] above, byte[] below) {
    int first = above == null ? 0 : firstAbove(above);
    int end = below == null ? keys.size() : firstAtOrAbove(below);
    if (first < end) {
      return keys.row((first + end) >>> 1);
    }
    // The limits lie in one entry, so no other can have finer ones in between.
    WeightTree inside = finer.get(first - 1);
    return inside == null ? null : inside.middleBetween(above, below);
  }

  private double position(int entry) {
    long start = keys.start(0);
    long whole = keys.start(keys.size()) - start;
    return whole <= 0
        ? from + bytes * entry / keys.size()
        : from + bytes * (keys.start(entry) - start) / whole;
  }

  private int firstAtOrAbove(byte[] row) {
    return search(row, 0);
  }

  private int firstAbove(byte[] row) {
    return search(row, 1);
  }

  /** The first entry whose row compares with {@code row} as at least {@code atLeast}. */
  private int search(byte[] row, int atLeast) {
    int low = 0;
    int high = keys.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (keys.compareRow(middle, row) < atLeast) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** A number of bytes that is known to lie between two. */
  static final class Bounds {
    final double least;
    final double most;
    final boolean canZoom;

    Bounds(double least, double most, boolean canZoom) {
      this.least = least;
      this.most = most;
      this.canZoom = canZoom;
    }

    static Bounds exactly(double bytes) {
      return new Bounds(bytes, bytes, false);
    }

    double width() {
      return most - least;
    }

    double middle() {
      return (least + most) / 2;
    }
  }
}
