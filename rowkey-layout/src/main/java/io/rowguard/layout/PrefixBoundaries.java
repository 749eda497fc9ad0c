package io.rowguard.layout;

import java.util.Arrays;

/**
 * The boundaries of tables that group rows by a prefix without declaring a layout: by a number of
 * bytes, or up to the first delimiter. Immutable and thread-safe.
 *
 * <p>These are the groups of HBase's {@code KeyPrefixRegionSplitPolicy}, {@code
 * DelimitedKeyPrefixRegionSplitPolicy} and {@code RegionSplitRestriction}. A row that has no
 * complete prefix is a group of its own.
 *
 * <p>A boundary is the complete prefix of some rows (with its delimiter), or the smallest key above
 * all of them.
 */
public final class PrefixBoundaries implements LegalBoundaries {
  private final int length;
  private final byte[] delimiter;

  private PrefixBoundaries(int length, byte[] delimiter) {
    this.length = length;
    this.delimiter = delimiter;
  }

  /**
   * Groups of rows that agree on their first bytes.
   *
   * @param length how many, 1 or more
   */
  public static PrefixBoundaries ofLength(int length) {
    if (length < 1) {
      throw new IllegalArgumentException("A prefix has 1 byte or more. length=" + length);
    }
    return new PrefixBoundaries(length, null);
  }

  /**
   * Groups of rows that agree on all up to the first delimiter.
   *
   * @param delimiter one or more bytes
   */
  public static PrefixBoundaries ofDelimiter(byte[] delimiter) {
    if (delimiter.length == 0) {
      throw new IllegalArgumentException("A delimiter has 1 byte or more.");
    }
    return new PrefixBoundaries(0, delimiter.clone());
  }

  @Override
  public byte[] floor(byte[] key) {
    return key.length == 0 ? null : Arrays.copyOf(key, prefixLength(key));
  }

  @Override
  public byte[] ceiling(byte[] key) {
    int end = prefixLength(key);
    if (end == key.length && !isComplete(key)) {
      return Arrays.copyOf(key, key.length + 1);
    }
    byte[] above = Arrays.copyOf(key, end);
    // The smallest key above all that begin so: the last byte that can grow grows.
    for (int i = end - 1; i >= 0; i--) {
      if (above[i] != (byte) 0xff) {
        above[i]++;
        return Arrays.copyOf(above, i + 1);
      }
    }
    return null;
  }

  /** How much of a key is its prefix; all of it when the prefix is not complete. */
  private int prefixLength(byte[] key) {
    if (delimiter == null) {
      return Math.min(length, key.length);
    }
    int at = ByteRanges.indexOf(key, 0, key.length, delimiter);
    return at < 0 ? key.length : at + delimiter.length;
  }

  private boolean isComplete(byte[] key) {
    return delimiter == null
        ? key.length >= length
        : ByteRanges.indexOf(key, 0, key.length, delimiter) >= 0;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof PrefixBoundaries
        && length == ((PrefixBoundaries) other).length
        && Arrays.equals(delimiter, ((PrefixBoundaries) other).delimiter);
  }

  @Override
  public int hashCode() {
    return 31 * length + Arrays.hashCode(delimiter);
  }

  @Override
  public String toString() {
    return delimiter == null
        ? "prefix of " + length + " bytes"
        : "prefix up to \"" + RowText.abbreviated(delimiter) + "\"";
  }
}
