package io.rowguard.split;

import io.rowguard.layout.LegalBoundaries;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.util.Bytes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Chooses, of all legal boundaries inside a region, the one that divides its bytes most evenly. A
 * function of weighted rows, legal boundaries and a range of rows; knows no region. Not
 * thread-safe.
 *
 * <p>The bytes below a boundary grow with the boundary, so the best one is either the largest at or
 * below the row where half of the bytes are reached, or the smallest above it. Which row that is,
 * and how many bytes lie below the two, is known from the root indexes to within one entry per
 * file. Where such an entry is large, the chooser looks into it, the largest first, until what is
 * uncertain is small or it has looked {@value #MOST_ZOOMS} times.
 */
final class SplitChooser {
  private static final Logger LOG = LoggerFactory.getLogger(SplitChooser.class);
  private static final int MOST_ZOOMS = 16;
  // An uncertainty below this share of the smaller daughter is not worth a block read.
  private static final double SMALL = 1.0 / 32;

  private final LegalBoundaries boundaries;
  private final byte[] lowest;
  private final byte[] highest;
  private List<WeightTree> files;
  private double total;

  /**
   * @param lowest the row that the boundary must be above
   * @param highest the row that the boundary must be at or below
   */
  SplitChooser(LegalBoundaries boundaries, byte[] lowest, byte[] highest) {
    this.boundaries = boundaries;
    this.lowest = lowest;
    this.highest = highest;
  }

  /** The boundary that divides the files' bytes best, or null when there is none. */
  byte[] choose(List<WeightTree> weights) {
    files = weights;
    total = weights.stream().mapToDouble(WeightTree::bytes).sum();
    for (int zooms = 0; ; zooms++) {
      byte[] half = rowAtHalf();
      byte[] below = atOrBelow(half);
      byte[] above = above(half);
      if (below == null && above == null) {
        return null;
      }
      if (zooms == MOST_ZOOMS || !zoomInto(half, below, above)) {
        return smallerSide(above) > smallerSide(below) ? above : below;
      }
    }
  }

  /** The boundary next to a row, without regard to bytes, or null when there is none. */
  byte[] chooseNear(byte[] row) {
    byte[] below = atOrBelow(row);
    return below != null ? below : above(row);
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
            && Bytes.compareTo(boundary, lowest) > 0
            && Bytes.compareTo(boundary, highest) <= 0;
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

  /** Looks into the largest uncertain entry at one of three rows; false when all is settled. */
  private boolean zoomInto(byte[] half, byte[] below, byte[] above) {
    WeightTree largest = null;
    byte[] at = null;
    double width = SMALL * Math.max(smallerSide(below), smallerSide(above));
    for (byte[] row : new byte[][] {half, below, above}) {
      for (WeightTree file : files) {
        WeightTree.Bounds bounds = row == null ? null : file.below(row);
        if (bounds != null && bounds.canZoom && bounds.width() > width) {
          largest = file;
          at = row;
          width = bounds.width();
        }
      }
    }
    if (largest == null) {
      return false;
    }
    try {
      largest.zoom(at);
      return true;
    } catch (IOException | RuntimeException e) {
      // A file may be compacted away meanwhile. What is known serves well enough.
      LOG.debug("A store file could not be looked into; its index has to do", e);
      return false;
    }
  }

  private double smallerSide(byte[] boundary) {
    if (boundary == null) {
      return -1;
    }
    double below = bytesBelow(boundary);
    return Math.min(below, total - below);
  }

  private double bytesBelow(byte[] row) {
    double bytes = 0;
    for (WeightTree file : files) {
      bytes += file.below(row).middle();
    }
    return bytes;
  }
}
