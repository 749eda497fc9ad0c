package io.rowguard.layout;

/** The order of rows in a table: as unsigned bytes, a prefix before what it begins. */
public final class RowOrder {
  private RowOrder() {}

  /** Compares two rows; negative when the first comes first. Allocates nothing. */
  public static int compare(byte[] a, byte[] b) {
    return ByteRanges.compare(a, b);
  }
}
