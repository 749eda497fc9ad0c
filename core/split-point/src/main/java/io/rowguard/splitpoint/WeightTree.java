package io.rowguard.splitpoint;

import io.rowguard.layout.RowOrder;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * How the bytes of one store file divide, as far as is known by now: the entries of its root index,
 * and below some of them finer ones. Not thread-safe.
 *
 * <p>Where a level does not know how many bytes its entries have, they count alike, until a finer
 * level below one of them knows its place in the file; what lies to both sides is then spread anew.
 */
public final class WeightTree {
  private final KeyWeights keys;
  private final byte[] lastRow;
  private final Map<Integer, WeightTree> finer = new HashMap<>();
  private final Set<Integer> finest = new HashSet<>();
  // Entries whose place in the file is known or estimated from outside, always the first and the
  // end.
  private final TreeMap<Integer, Double> places = new TreeMap<>();
  private boolean placed;

  /**
   * The tree of a whole file.
   *
   * @param lastRow the last row of the file
   * @param bytes how many bytes its rows take
   */
  public WeightTree(KeyWeights keys, byte[] lastRow, double bytes) {
    this(keys, lastRow, 0, bytes);
  }

  private WeightTree(KeyWeights keys, byte[] lastRow, double from, double to) {
    this.keys = keys;
    this.lastRow = lastRow;
    this.placed = keys.isInFileBytes();
    if (placed) {
      places.put(0, (double) keys.start(0));
      places.put(keys.size(), (double) keys.start(keys.size()));
    } else {
      places.put(0, from);
      places.put(keys.size(), to);
    }
  }

  private double from() {
    return places.firstEntry().getValue();
  }

  private double to() {
    return places.lastEntry().getValue();
  }

  /** All the bytes. */
  double bytes() {
    return to() - from();
  }

  /** The bytes below a row (exclusive): at least, at a guess, at most. */
  Bounds below(byte[] row) {
    int next = firstAtOrAbove(row);
    if (next == 0) {
      return Bounds.exactly(from());
    }
    if (lastRow != null && RowOrder.compare(lastRow, row) < 0) {
      return Bounds.exactly(to());
    }
    boolean isAtEntry =
        keys.isOneRow(next - 1) || (next < keys.size() && keys.compareRow(next, row) == 0);
    if (isAtEntry) {
      return isPlaced(next) ? Bounds.exactly(position(next)) : within(next, position(next));
    }
    WeightTree inside = finer.get(next - 1);
    if (!isPlaced(next - 1) || !isPlaced(next)) {
      double middle = (position(next - 1) + position(next)) / 2;
      return within(next, inside == null ? middle : inside.below(row).middle);
    }
    return inside != null
        ? inside.below(row)
        : Bounds.between(position(next - 1), position(next), canRead(next - 1));
  }

  /** Whether where an entry begins is known from more than the number of entries. */
  private boolean isPlaced(int entry) {
    return !keys.isGuess() || places.containsKey(entry);
  }

  /** A number of bytes of which only the places around an entry and the next are certain. */
  private Bounds within(int next, double middle) {
    return new Bounds(
        places.floorEntry(next - 1).getValue(),
        middle,
        places.ceilingEntry(next).getValue(),
        canRead(next - 1));
  }

  private boolean canRead(int entry) {
    return !finest.contains(entry);
  }

  /** How many bytes a block read would place below or above a row; 0 when there is none to read. */
  double unread(byte[] row) {
    Bounds bounds = below(row);
    return bounds.canRead ? bounds.width() : 0;
  }

  /** Learns more about the entry that a row falls into, at the cost of one block read. */
  void read(byte[] row) {
    int entry = firstAtOrAbove(row) - 1;
    WeightTree inside = finer.get(entry);
    if (inside != null) {
      inside.read(row);
    } else {
      KeyWeights within = keys.readEntry(entry);
      if (within == null) {
        finest.add(entry);
        return;
      }
      inside = new WeightTree(within, null, position(entry), position(entry + 1));
      finer.put(entry, inside);
    }
    if (!keys.isInFileBytes() && inside.placed) {
      place(entry, inside);
    }
  }

  /** Takes over where an entry lies in the file. */
  private void place(int entry, WeightTree inside) {
    if (lastRow == null && !placed) {
      // A part whose own ends were estimates: all of its entries are taken to be like this one.
      double width = inside.to() - inside.from();
      places.put(0, inside.from() - entry * width);
      places.put(keys.size(), inside.to() + (keys.size() - entry - 1) * width);
    }
    placed = true;
    places.put(entry, inside.from());
    places.put(entry + 1, inside.to());
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
    if (keys.isInFileBytes()) {
      return keys.start(entry);
    }
    Map.Entry<Integer, Double> before = places.floorEntry(entry);
    Map.Entry<Integer, Double> after = places.ceilingEntry(entry);
    long width = keys.start(after.getKey()) - keys.start(before.getKey());
    if (width <= 0) {
      return before.getValue();
    }
    double share = (double) (keys.start(entry) - keys.start(before.getKey())) / width;
    return before.getValue() + share * (after.getValue() - before.getValue());
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

  /** A number of bytes that is known to lie between two, with the likeliest. */
  static final class Bounds {
    final double least;
    final double middle;
    final double most;
    final boolean canRead;

    private Bounds(double least, double middle, double most, boolean canRead) {
      this.least = least;
      this.middle = middle;
      this.most = most;
      this.canRead = canRead;
    }

    static Bounds exactly(double bytes) {
      return new Bounds(bytes, bytes, bytes, false);
    }

    static Bounds between(double least, double most, boolean canRead) {
      return new Bounds(least, (least + most) / 2, most, canRead);
    }

    double width() {
      return most - least;
    }
  }
}
