package io.rowguard.model;

/** A simulated region as it is when no more is written. */
public final class SimulatedRegionState {
  private final SimulatedRegion region;
  private final boolean isStuck;

  SimulatedRegionState(SimulatedRegion region, boolean isStuck) {
    this.region = region;
    this.isStuck = isStuck;
  }

  /** The start key, inclusive; empty for the first region. */
  public byte[] start() {
    return region.start;
  }

  /** The end key, exclusive; empty for the last region. */
  public byte[] end() {
    return region.end;
  }

  /** How many rows it has; after a split an estimate ({@link RowSketch}). */
  public long rows() {
    return region.cells();
  }

  /** The bytes of its rows and values; likewise. */
  public long bytes() {
    return region.bytes();
  }

  /** How many store files it has. */
  public int files() {
    return region.files().size();
  }

  /** The number of its server. */
  public int server() {
    return region.server;
  }

  /** The first row that was flushed, or null when none was. */
  public byte[] firstRow() {
    return region.files().isEmpty() ? null : region.firstRow();
  }

  /** The last row that was flushed, or null when none was. */
  public byte[] lastRow() {
    return region.files().isEmpty() ? null : region.lastRow();
  }

  /**
   * Whether it is large enough to be split, and the policy has no point for it, or one that the
   * master refuses.
   */
  public boolean isStuck() {
    return isStuck;
  }

  /** How many of its splits the master refused, since the point was its own start key. */
  public long refusedSplits() {
    return region.refusedSplits;
  }
}
