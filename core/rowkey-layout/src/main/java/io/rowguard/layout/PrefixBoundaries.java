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
 * <p>A boundary is the prefix of some rows, without its delimiter, or the smallest key above all of
 * them. (HBase's restriction cuts whatever a policy answers at the delimiter, so a boundary that
 * held it would not stay what was chosen.)
 */
public final class PrefixBoundaries implements LegalBoundaries {
  private final int length;
  private final byte[] delimiter;
  private final boolean delimiterInBoundary;

  private PrefixBoundaries(int length, byte[] delimiter, boolean delimiterInBoundary) {
    this.length = length;
    this.delimiter = delimiter;
    this.delimiterInBoundary = delimiterInBoundary;
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
    return new PrefixBoundaries(length, null, false);
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
    return new PrefixBoundaries(0, delimiter.clone(), true);
  }

  /**
   * The same groups, with boundaries that end before the delimiter. HBase's {@code
   * DelimitedKeyPrefix} restriction cuts every boundary there, so one that held the delimiter would
   * not stay what was chosen. There are fewer of these: between the groups {@code abz|} and {@code
   * ab|}, for one, lies none.
   */
  public PrefixBoundaries withoutDelimiter() {
    return new PrefixBoundaries(length, delimiter, false);
  }

  @Override
  public byte[] floor(byte[] key) {
    int end = groupEnd(key);
    if (end < 0) {
      end = key.length;
    } else if (delimiter != null && !delimiterInBoundary) {
      end -= delimiter.length;
    }
    return end == 0 ? null : Arrays.copyOf(key, end);
  }

  @Override
  public byte[] ceiling(byte[] key) {
    int end = groupEnd(key);
    if (end < 0) {
      byte[] next = ByteRanges.next(key);
      return delimiter == null || delimiterInBoundary || groupEnd(next) < 0 ? next : ceiling(next);
    }
    byte[] above = ByteRanges.successorOfPrefix(Arrays.copyOf(key, end));
    return above.length == 0 ? null : above;
  }

  /** How many bytes all rows of a key's group begin with; -1 when it is a group of its own. */
  private int groupEnd(byte[] key) {
    if (delimiter == null) {
      return key.length < length ? -1 : length;
    }
    int at = ByteRanges.indexOf(key, 0, key.length, delimiter);
    return at < 0 ? -1 : at + delimiter.length;
  }

  /** Equal when the groups are, wherever the boundaries end. */
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
