package io.rowguard.splitpoint;

import java.util.List;

/**
 * How the bytes of several files divide at a boundary, as far as is known by now. Immutable.
 *
 * <p>Each file knows its bytes below the boundary to within one entry of its index. Where in that
 * entry the boundary falls is taken to be equally likely everywhere and independent from file to
 * file, so that the errors of many files largely cancel out: the bounds are two standard deviations
 * to both sides of the middle, or what is certain where that is narrower, as it is for one file.
 */
final class Cut {
  private static final double DEVIATIONS = 2;
  // For a value that is equally likely anywhere between 0 and 1.
  private static final double VARIANCE = 1.0 / 12;

  /** Null when there is no boundary; any other cut is then better. */
  final byte[] boundary;

  private final double total;
  private final double least;
  private final double middle;
  private final double most;

  private Cut(byte[] boundary, double total, double least, double middle, double most) {
    this.boundary = boundary;
    this.total = total;
    this.least = least;
    this.middle = middle;
    this.most = most;
  }

  /**
   * The cut at a boundary.
   *
   * @param boundary may be null
   * @param total the bytes of all the files
   */
  static Cut at(byte[] boundary, List<WeightTree> files, double total) {
    if (boundary == null) {
      return new Cut(null, total, 0, 0, 0);
    }
    double least = 0;
    double middle = 0;
    double most = 0;
    double variance = 0;
    for (WeightTree file : files) {
      WeightTree.Bounds bounds = file.below(boundary);
      least += bounds.least;
      middle += bounds.middle;
      most += bounds.most;
      variance += VARIANCE * bounds.width() * bounds.width();
    }
    double margin = DEVIATIONS * Math.sqrt(variance);
    return new Cut(
        boundary, total, Math.max(least, middle - margin), middle, Math.min(most, middle + margin));
  }

  /**
   * Whether at most half of the bytes are below it, even at the most; so too without a boundary.
   */
  boolean isInLowerHalf() {
    return boundary == null || most <= total / 2;
  }

  /** Whether at most half of the bytes are above it, even at the most; likewise. */
  boolean isInUpperHalf() {
    return boundary == null || least >= total / 2;
  }

  /** The bytes of the smaller side, at a guess; -1 without a boundary. */
  double smallerSide() {
    return boundary == null ? -1 : Math.min(middle, total - middle);
  }

  /** The bytes that the smaller side has at least; -1 without a boundary. */
  double smallerSideAtLeast() {
    return boundary == null ? -1 : Math.min(least, total - most);
  }

  /** The bytes that the smaller side has at most; -1 without a boundary. */
  double smallerSideAtMost() {
    return boundary == null ? -1 : Math.min(most, total - least);
  }
}
