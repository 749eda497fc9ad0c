package io.rowguard.model;

/**
 * A store file of a simulated region. Immutable.
 *
 * @param sketch its rows, weighted with their bytes
 * @param cells how many cells it has
 * @param sequenceBytes the bytes of its cells' sequence ids, which no row's weight has
 * @param length its bytes as HBase counts them; of a reference, those of the whole file it refers
 *     to
 * @param isReference whether it is a part of a file of the parent region
 */
record SimulatedStoreFile(
    RowSketch sketch, long cells, long sequenceBytes, long length, boolean isReference) {
  static SimulatedStoreFile of(RowSketch sketch, long cells, long sequenceBytes, CellSizes sizes) {
    long length = sizes.ofFile(sketch.weight() + sequenceBytes, cells);
    return new SimulatedStoreFile(sketch, cells, sequenceBytes, length, false);
  }

  /** The bytes of its cells, without their sequence ids. */
  long bytes() {
    return sketch.weight();
  }

  /** The bytes of its data blocks, without their heads. */
  long dataBytes() {
    return bytes() + sequenceBytes;
  }

  /**
   * The part of this file that a daughter region gets: all of it as a link, when all its rows
   * belong there, else a reference; null when there are none. ({@code
   * HRegionFileSystem.splitStoreFile}.)
   */
  SimulatedStoreFile part(byte[] splitPoint, boolean isLower) {
    RowSketch rows = isLower ? sketch.below(splitPoint) : sketch.from(splitPoint);
    if (rows == null) {
      return null;
    }
    if (rows.weight() == sketch.weight()) {
      return this;
    }
    double lower = (double) sketch.weightBelow(splitPoint) / sketch.weight();
    return new SimulatedStoreFile(
        rows, part(cells, lower, isLower), part(sequenceBytes, lower, isLower), length, true);
  }

  private static long part(long all, double lower, boolean isLower) {
    long below = Math.round(all * lower);
    return isLower ? below : all - below;
  }
}
