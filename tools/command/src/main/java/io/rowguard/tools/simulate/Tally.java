package io.rowguard.tools.simulate;

import io.rowguard.layout.EntityGroup;
import io.rowguard.model.RegionIndex;
import io.rowguard.tools.keys.KeyIntake;
import java.util.Arrays;

/**
 * One thread's share of a run: rows and bytes per region, over time, and which regions hold one
 * entity group only. Its size depends on the regions, not on the keys. Not thread-safe.
 */
final class Tally implements KeySink {
  private final EntityGroup group;
  private final RegionIndex index;
  private final KeyIntake intake;
  private final Timeline timeline;
  private final long[] rows;
  private final long[] rowBytes;
  private final byte[][] firstGroups;
  private final boolean[] severalGroups;

  /**
   * @param keys how many keys there will be; 0 when unknown
   */
  Tally(Design design, long keys) {
    this.group = design.group();
    this.index = new RegionIndex(design.splitKeys());
    this.intake = new KeyIntake(design.layout());
    this.timeline = new Timeline(design.regions(), keys);
    this.rows = new long[design.regions()];
    this.rowBytes = new long[design.regions()];
    this.firstGroups = new byte[design.regions()][];
    this.severalGroups = new boolean[design.regions()];
    // Without a group every row is one, and a region of one row is nothing to speak of.
    Arrays.fill(severalGroups, group.segment() == null);
  }

  @Override
  public void write(long number, byte[] key, int length) {
    if (intake.take(key, length)) {
      count(number, intake.row(), intake.rowLength());
    }
  }

  @Override
  public void writeRow(long number, byte[] row, int length) {
    intake.takeRow(row, length);
    count(number, row, length);
  }

  private void count(long number, byte[] row, int rowLength) {
    int region = index.regionOf(row, rowLength);
    rows[region]++;
    rowBytes[region] += rowLength;
    timeline.add(number, region);
    if (!severalGroups[region]) {
      noteGroup(region, row, rowLength);
    }
  }

  private void noteGroup(int region, byte[] row, int length) {
    int end = group.end(row, 0, length);
    byte[] first = firstGroups[region];
    if (first == null) {
      firstGroups[region] = Arrays.copyOf(row, end);
    } else {
      severalGroups[region] = !Arrays.equals(first, 0, first.length, row, 0, end);
    }
  }

  /** Counts what another thread saw of the same run. */
  void add(Tally other) {
    intake.add(other.intake);
    timeline.add(other.timeline);
    for (int i = 0; i < rows.length; i++) {
      rows[i] += other.rows[i];
      rowBytes[i] += other.rowBytes[i];
      byte[] theirs = other.firstGroups[i];
      if (firstGroups[i] == null) {
        firstGroups[i] = theirs;
      } else if (theirs != null) {
        severalGroups[i] |= !Arrays.equals(firstGroups[i], theirs);
      }
      severalGroups[i] |= other.severalGroups[i];
    }
  }

  KeyIntake intake() {
    return intake;
  }

  Timeline timeline() {
    return timeline;
  }

  /** How many rows each region got. */
  long[] rows() {
    return rows;
  }

  /** How many bytes the rowkeys of each region have. */
  long[] rowBytes() {
    return rowBytes;
  }

  /** Whether a region holds rows of one entity group only, so that it cannot be split. */
  boolean isOneGroup(int region) {
    return rows[region] > 0 && !severalGroups[region];
  }
}
