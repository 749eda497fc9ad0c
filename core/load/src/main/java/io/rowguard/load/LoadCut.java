package io.rowguard.load;

import io.rowguard.layout.KeyRange;
import io.rowguard.layout.LegalBoundaries;
import io.rowguard.layout.RowOrder;
import io.rowguard.splitpoint.RowWeights;
import io.rowguard.splitpoint.SplitPointChooser;
import io.rowguard.splitpoint.WeightTree;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The legal boundary that divides a sample of rows best, chosen as the one that divides the bytes
 * of a region is. Immutable.
 */
final class LoadCut {
  // The chooser counts in whole numbers.
  private static final double UNITS = 1L << 40;

  private final byte[] boundary;
  private final double smallerSide;

  LoadCut(byte[] boundary, double smallerSide) {
    this.boundary = boundary;
    this.smallerSide = smallerSide;
  }

  /**
   * The best cut inside of a region; null when no boundary has rows of the sample on both sides.
   */
  static LoadCut best(List<SampledRow> sample, LegalBoundaries boundaries, KeyRange region) {
    List<SampledRow> sorted = new ArrayList<>(sample);
    sorted.sort((a, b) -> RowOrder.compare(a.row(), b.row()));
    double total = total(sorted);
    List<byte[]> rows = new ArrayList<>();
    long[] starts = new long[sorted.size() + 1];
    double below = 0;
    for (SampledRow row : sorted) {
      if (rows.isEmpty() || RowOrder.compare(last(rows), row.row()) != 0) {
        rows.add(row.row());
      }
      below += row.weight();
      starts[rows.size()] = Math.round(UNITS * below / total);
    }
    if (rows.size() < 2) {
      return null;
    }
    // The sample has only the beginning of a long row, which may lie below the region.
    boolean beginsBelow = RowOrder.compare(rows.get(0), region.lower()) < 0;
    byte[] boundary =
        new SplitPointChooser(
                new SampleBoundaries(boundaries, sorted),
                beginsBelow ? region.lower() : rows.get(0),
                last(rows))
            .choose(
                Collections.singletonList(
                    new WeightTree(new RowWeights(rows, starts), last(rows), starts[rows.size()])));
    boolean isInside =
        boundary != null
            && region.contains(boundary)
            && RowOrder.compare(boundary, region.lower()) != 0;
    return isInside ? new LoadCut(boundary, smallerSide(sorted, boundary, total)) : null;
  }

  private static byte[] last(List<byte[]> rows) {
    return rows.get(rows.size() - 1);
  }

  private static double total(List<SampledRow> rows) {
    double total = 0;
    for (SampledRow row : rows) {
      total += row.weight();
    }
    return total;
  }

  private static double smallerSide(List<SampledRow> rows, byte[] boundary, double total) {
    double below = 0;
    for (SampledRow row : rows) {
      below += RowOrder.compare(row.row(), boundary) < 0 ? row.weight() : 0;
    }
    return Math.min(below, total - below) / total;
  }

  byte[] boundary() {
    return boundary;
  }

  /** The share of the smaller side. */
  double smallerSide() {
    return smallerSide;
  }
}
