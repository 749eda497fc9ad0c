package io.rowguard.tools.relayout;

import io.rowguard.tools.cluster.RoundedBytes;

/**
 * The rows that were looked at in one region, and how many it may have: those, where all were
 * counted; else as many as its size allows, if its other rows are like them. Not thread-safe.
 */
final class SeenRegion {
  /** Bytes of a file beside a cell at most: the sequence number, the length of its tags. */
  private static final int FILE_BYTES_PER_CELL = 7;

  /** Bytes of a file for a row in its Bloom filter. */
  private static final int FILE_BYTES_PER_ROW = 2;

  /** Bytes of a file beside its cells: heads of blocks, checksums, the index. */
  private static final double FILE_SHARE = 0.02;

  private final RoundedBytes size;
  private long rows;
  private long moving;
  private long cells;
  private long bytes;
  private long movingBytes;
  private boolean isCounted;

  /**
   * A region of which no row was looked at yet.
   *
   * @param size what its cells take, in files before compression and in memory
   */
  SeenRegion(RoundedBytes size) {
    this.size = size;
  }

  /**
   * Takes one of its rows.
   *
   * @param rowBytes what its cells take
   */
  void add(int rowCells, long rowBytes, boolean isMoving) {
    rows++;
    cells += rowCells;
    bytes += rowBytes;
    if (isMoving) {
      moving++;
      movingBytes += rowBytes;
    }
  }

  /** There are no other rows. */
  void setCounted() {
    isCounted = true;
  }

  boolean isCounted() {
    return isCounted;
  }

  /** How many rows were looked at. */
  long rows() {
    return rows;
  }

  /** How many of the rows that were looked at will move. */
  long moving() {
    return moving;
  }

  long bytes() {
    return bytes;
  }

  long movingBytes() {
    return movingBytes;
  }

  /** How many rows of the region there are for each that was looked at: the middle. */
  double scale() {
    return (most() + least()) / 2;
  }

  /** How far from {@link #scale} the true number can be. */
  double scaleError() {
    return (most() - least()) / 2;
  }

  private double least() {
    double fileBytes =
        (1 + FILE_SHARE) * bytes
            + (double) FILE_BYTES_PER_CELL * cells
            + (double) FILE_BYTES_PER_ROW * rows;
    return isCounted || rows == 0 ? 1 : Math.max(1, size.least() / fileBytes);
  }

  private double most() {
    return isCounted || rows == 0 ? 1 : Math.max(least(), (double) size.most() / bytes);
  }
}
