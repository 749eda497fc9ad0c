package io.rowguard.tools.model;

/**
 * A store file of a region. Immutable.
 *
 * @param sketch its rows, weighted with their bytes
 * @param cells how many cells it has
 * @param length its bytes as HBase counts them; of a reference, those of the whole file it refers
 *     to
 * @param isReference whether it is a part of a file of the parent region
 */
record StoreFile(RowSketch sketch, long cells, long length, boolean isReference) {
  static StoreFile of(RowSketch sketch, long cells, CellSizes sizes) {
    return new StoreFile(sketch, cells, sizes.ofFile(sketch.weight(), cells), false);
  }

  /** The bytes of its cells. */
  long bytes() {
    return sketch.weight();
  }

  /**
   * What a daughter region gets of this file: all of it as a link, when all its rows belong there,
   * else a reference; null when there are none. ({@code HRegionFileSystem.splitStoreFile}.)
   */
  StoreFile part(byte[] splitPoint, boolean isLower) {
    RowSketch rows = isLower ? sketch.below(splitPoint) : sketch.from(splitPoint);
    if (rows == null) {
      return null;
    }
    if (rows.weight() == sketch.weight()) {
      return this;
    }
    long below = Math.round((double) cells * sketch.weightBelow(splitPoint) / sketch.weight());
    return new StoreFile(rows, isLower ? below : cells - below, length, true);
  }
}
