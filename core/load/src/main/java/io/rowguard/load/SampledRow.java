package io.rowguard.load;

/**
 * A row that an operation read or wrote, and the weight that it stands for, in sampled operations.
 * Immutable.
 */
final class SampledRow {
  private final byte[] row;
  private final int length;
  private final double weight;
  private final boolean write;

  SampledRow(byte[] row, int length, double weight, boolean write) {
    this.row = row;
    this.length = length;
    this.weight = weight;
    this.write = write;
  }

  /** The row's first bytes, shared, not to be changed: all when {@link #isWhole}. */
  byte[] row() {
    return row;
  }

  /** Whether {@link #row} has all bytes. */
  boolean isWhole() {
    return row.length == length;
  }

  /** The weight. */
  double weight() {
    return weight;
  }

  /** Whether it was written, not read. */
  boolean isWrite() {
    return write;
  }
}
