package io.rowguard.benchmarks.constraint;

/** Rows are {@code {id:hex(16)}}. */
public final class HexIdConstraint extends RowConstraint {
  private static final int LENGTH = 16;

  /** For HBase, which makes one by name. */
  public HexIdConstraint() {}

  @Override
  boolean isRight(String row) {
    return row.length() == LENGTH && isHex(row);
  }
}
