package io.rowguard.splitpoint;

import io.rowguard.layout.LegalBoundaries;
import io.rowguard.layout.RowOrder;
import java.util.List;

/**
 * Chooses, of all legal boundaries inside a region, the one that divides its bytes most evenly. A
 * function of weighted rows, legal boundaries and a range of rows; knows no region. Not
 * thread-safe.
 *
 * <p>The bytes below a boundary grow with the boundary, so the best one is either the largest at or
 * below the row where half of the bytes are reached, or the smallest above it. Which row that is,
 * and how many bytes lie below the two, is known from the root indexes to within one entry per
 * file. The chooser reads the entries that leave most open, one block each, until the better of the
 * two cannot be far from the best, or {@value #MOST_READS} times. Its answer is always legal and
 * inside; block reads only make it more even.
 */
public final class SplitPointChooser {
  /** How many blocks are read at most for one choice. */
  static final int MOST_READS = 8;

  // A smaller side that has this share of what it could have at best is not worth a block read.
  private static final double GOOD = 0.98;

  // An entry with a smaller share than this is not worth a block read either: as many of them as
  // may be read have less than may be missing.
  private static final double WORTH = (1 - GOOD) / MOST_READS;

  private final LegalBoundaries boundaries;
  private final byte[] lowest;
  private final byte[] highest;
  private List<WeightTree> files;
  private double total;

  /**
   * @param lowest the row that the boundary must be above
   * @param highest the row that the boundary must be at or below
   */
  public SplitPointChooser(LegalBoundaries boundaries, byte[] lowest, byte[] highest) {
    this.boundaries = boundaries;
    this.lowest = lowest;
    this.highest = highest;
  }

  /** The boundary that divides the files' bytes best, or null when there is none. */
  public byte[] choose(List<WeightTree> weights) {
    files = weights;
    total = weights.stream().mapToDouble(WeightTree::bytes).sum();
    for (int reads = 0; ; reads++) {
      byte[] half = rowAtHalf();
      Cut below = Cut.at(atOrBelow(half), files, total);
      Cut above = Cut.at(above(half), files, total);
      boolean isAbove = above.smallerSide() > below.smallerSide();
      Cut better = isAbove ? above : below;
      if (reads == MOST_READS
          || better.boundary == null
          || better.smallerSideAtLeast() >= GOOD * bestSmallerSide(below, above)
          || !readBlock(better, isAbove ? below : above)) {
        return better.boundary;
      }
    }
  }

  /** The most that the smaller side of the best boundary has. */
  private double bestSmallerSide(Cut below, Cut above) {
    // Unless the half of the bytes is reached between the two, there may be better ones beyond.
    return below.isInLowerHalf() && above.isInUpperHalf()
        ? Math.max(below.smallerSideAtMost(), above.smallerSideAtMost())
        : total / 2;
  }

  /** Reads one block where most is open about two cuts; false when none is worth it. */
  private boolean readBlock(Cut better, Cut other) {
    boolean isDecided = other.smallerSideAtMost() <= better.smallerSideAtLeast();
    WeightTree largest = null;
    byte[] at = null;
    double most = WORTH * better.smallerSide();
    for (WeightTree file : files) {
      double one = file.unread(better.boundary);
      double two = isDecided ? 0 : file.unread(other.boundary);
      if (one + two > most) {
        largest = file;
        at = one >= two ? better.boundary : other.boundary;
        most = one + two;
      }
    }
    if (largest == null) {
      return false;
    }
    largest.read(at);
    return true;
  }

  private byte[] atOrBelow(byte[] row) {
    return insideOrNull(boundaries.floor(row));
  }

  private byte[] above(byte[] row) {
    return insideOrNull(boundaries.ceiling(row));
  }

  private byte[] insideOrNull(byte[] boundary) {
    boolean inside =
        boundary != null
            && RowOrder.compare(boundary, lowest) > 0
            && RowOrder.compare(boundary, highest) <= 0;
    return inside ? boundary : null;
  }

  /** The largest known row with at most half of the bytes below it; the lowest row if none is. */
  private byte[] rowAtHalf() {
    byte[] low = null;
    byte[] high = null;
    while (true) {
      byte[] row = anyBetween(low, high);
      if (row == null) {
        return low == null ? lowest : low;
      }
      if (bytesBelow(row) <= total / 2) {
        low = row;
      } else {
        high = row;
      }
    }
  }

  /** A known row between two (exclusive), from the largest file that has one; null if none has. */
  private byte[] anyBetween(byte[] low, byte[] high) {
    byte[] row = null;
    double largest = -1;
    for (WeightTree file : files) {
      if (file.bytes() > largest) {
        byte[] candidate = file.middleBetween(low, high);
        if (candidate != null) {
          row = candidate;
          largest = file.bytes();
        }
      }
    }
    return row;
  }

  private double bytesBelow(byte[] row) {
    double bytes = 0;
    for (WeightTree file : files) {
      bytes += file.below(row).middle;
    }
    return bytes;
  }
}
