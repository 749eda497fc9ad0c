package io.rowguard.model;

import io.rowguard.layout.LegalBoundaries;
import io.rowguard.splitpoint.SplitPointChooser;
import io.rowguard.splitpoint.WeightTree;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * The split point of a region: the answer of {@code RegionSplitPolicy.getSplitPoint} of each
 * policy. Rowguard's answer comes from its own {@link SplitPointChooser}. Immutable.
 */
final class SplitPoints {
  private final TableSettings settings;
  private final LegalBoundaries boundaries;

  SplitPoints(TableSettings settings, LegalBoundaries boundaries) {
    this.settings = settings;
    this.boundaries = boundaries;
  }

  /** The point, or null when the policy has none; not always inside of the region. */
  byte[] of(SimulatedRegion region) {
    List<SimulatedStoreFile> files = region.files();
    if (files.isEmpty() || region.hasReferences()) {
      return null;
    }
    switch (settings.where()) {
      case ROWGUARD:
        return chosen(region);
      case PREFIX:
        return prefix(middle(files));
      case DELIMITER:
        return upToDelimiter(middle(files));
      default:
        return middle(files);
    }
  }

  private byte[] chosen(SimulatedRegion region) {
    List<WeightTree> trees =
        region.files().stream()
            .map(file -> file.sketch())
            .map(rows -> new WeightTree(rows.weights(), rows.last(), rows.weight()))
            .toList();
    return new SplitPointChooser(boundaries, region.firstRow(), region.lastRow()).choose(trees);
  }

  /**
   * The first row of the block in the middle of the largest file, of several the oldest; null when
   * that is the first or the last row of the file ({@code StoreUtils.getSplitPoint}, {@code
   * CellBasedKeyBlockIndexReader.midkey}). HBase's key is a shorter one between that row and the
   * one before.
   */
  private byte[] middle(List<SimulatedStoreFile> files) {
    SimulatedStoreFile largest = files.get(0);
    for (SimulatedStoreFile file : files) {
      largest = file.length() > largest.length() ? file : largest;
    }
    RowSketch rows = largest.sketch();
    CellSizes cells = settings.cells();
    long data = largest.dataBytes();
    long blocks = cells.blocks(data, largest.cells());
    double before = (double) (blocks / 2 * cells.ofBlock(data, largest.cells())) / data;
    long place = Math.round(before * rows.weight());
    byte[] middle = blocks == 1 ? rows.first() : rows.rowAt(Math.min(place, rows.weight() - 1));
    boolean isAtAnEnd = Arrays.equals(middle, rows.first()) || Arrays.equals(middle, rows.last());
    return isAtAnEnd ? null : middle;
  }

  private byte[] prefix(byte[] middle) {
    return middle == null
        ? null
        : Arrays.copyOf(middle, Math.min(settings.prefixLength(), middle.length));
  }

  private byte[] upToDelimiter(byte[] middle) {
    byte[] delimiter = settings.delimiter().getBytes(StandardCharsets.UTF_8);
    int end = middle == null ? 0 : middle.length - delimiter.length;
    for (int i = 0; i <= end; i++) {
      if (middle != null
          && Arrays.equals(middle, i, i + delimiter.length, delimiter, 0, delimiter.length)) {
        return Arrays.copyOf(middle, i);
      }
    }
    return middle;
  }
}
