package io.rowguard.config;

/** How closely HFiles are looked at before a bulk load takes them, {@code rowguard.bulkload}. */
public enum HFileCheck {
  /** The first and the last row, and the first rows of blocks, as far as the block index tells. */
  BLOCKS,
  /** Every row: reads the whole file. */
  FULL,
  /** HFiles are not checked. */
  OFF
}
