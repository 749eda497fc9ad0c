package io.rowguard.layout;

import java.util.Arrays;

/**
 * A range of keys in unsigned order, each bound inclusive or exclusive; an empty bound is none.
 * Immutable and thread-safe.
 */
public final class KeyRange {
  private static final KeyRange ALL = new KeyRange(new byte[0], true, new byte[0], false);

  private final byte[] lower;
  private final boolean lowerInclusive;
  private final byte[] upper;
  private final boolean upperInclusive;

  private KeyRange(byte[] lower, boolean lowerInclusive, byte[] upper, boolean upperInclusive) {
    this.lower = lower;
    this.lowerInclusive = lowerInclusive;
    this.upper = upper;
    this.upperInclusive = upperInclusive;
  }

  /**
   * The keys between two bounds, which are not copied.
   *
   * @param lower the smallest key; empty for no bound
   * @param upper the largest key; empty for no bound
   */
  public static KeyRange of(
      byte[] lower, boolean lowerInclusive, byte[] upper, boolean upperInclusive) {
    return new KeyRange(lower, lowerInclusive, upper, upperInclusive);
  }

  /** All keys. */
  public static KeyRange all() {
    return ALL;
  }

  /** All keys that begin with {@code prefix}. */
  public static KeyRange ofPrefix(byte[] prefix) {
    return new KeyRange(prefix, true, ByteRanges.successorOfPrefix(prefix), false);
  }

  /** The smallest key, or no bound when it is empty. Shared, not to be changed. */
  public byte[] lower() {
    return lower;
  }

  /** Whether the lower bound belongs to the range. */
  public boolean isLowerInclusive() {
    return lowerInclusive;
  }

  /** The largest key, or no bound when it is empty. Shared, not to be changed. */
  public byte[] upper() {
    return upper;
  }

  /** Whether the upper bound belongs to the range. */
  public boolean isUpperInclusive() {
    return upperInclusive;
  }

  /** Whether a key lies in the range. */
  public boolean contains(byte[] key) {
    int fromLower = ByteRanges.compare(key, lower);
    int toUpper = upper.length == 0 ? -1 : ByteRanges.compare(key, upper);
    return (lower.length == 0 || fromLower > 0 || (fromLower == 0 && lowerInclusive))
        && (toUpper < 0 || (toUpper == 0 && upperInclusive));
  }

  /** The keys that lie in both ranges. */
  public KeyRange intersect(KeyRange other) {
    KeyRange low = isLowerInside(other) ? this : other;
    KeyRange high = isUpperInside(other) ? this : other;
    return new KeyRange(low.lower, low.lowerInclusive, high.upper, high.upperInclusive);
  }

  /**
   * The range that holds the same keys among those of at most {@code length} bytes, and whose
   * bounds are no longer than that.
   */
  public KeyRange withBoundsUpTo(int length) {
    // A cut bound lies below the whole one, and between the two there is no key so short.
    boolean cutLower = lower.length > length;
    boolean cutUpper = upper.length > length;
    return new KeyRange(
        cutLower ? Arrays.copyOf(lower, length) : lower,
        !cutLower && lowerInclusive,
        cutUpper ? Arrays.copyOf(upper, length) : upper,
        cutUpper || upperInclusive);
  }

  private boolean isLowerInside(KeyRange other) {
    if (other.lower.length == 0) {
      return true;
    }
    int order = lower.length == 0 ? -1 : ByteRanges.compare(lower, other.lower);
    return order > 0 || (order == 0 && !lowerInclusive);
  }

  private boolean isUpperInside(KeyRange other) {
    if (other.upper.length == 0) {
      return true;
    }
    int order = upper.length == 0 ? 1 : ByteRanges.compare(upper, other.upper);
    return order < 0 || (order == 0 && !upperInclusive);
  }

  /** The first key that can lie in the range. */
  byte[] from() {
    return lowerInclusive || lower.length == 0 ? lower : ByteRanges.next(lower);
  }

  /** The first key above all that can lie in the range; empty for none. */
  byte[] to() {
    return upperInclusive && upper.length > 0 ? ByteRanges.next(upper) : upper;
  }

  /** Whether no key at all lies in the range. */
  public boolean isEmpty() {
    return upper.length > 0 && ByteRanges.compare(from(), to()) >= 0;
  }

  /** The one key of the range, or null when it can have others or none. */
  byte[] onlyKey() {
    return Arrays.equals(ByteRanges.next(from()), to()) ? from() : null;
  }

  /** The beginning of all keys of the range; of an empty range, anything. */
  byte[] commonPrefix() {
    byte[] from = from();
    byte[] to = to();
    int common = ByteRanges.commonPrefix(from, to);
    boolean oneStep =
        common < from.length
            && to.length == common + 1
            && (to[common] & 0xff) == (from[common] & 0xff) + 1;
    common += oneStep ? 1 : 0;
    // Below the next value of that byte, or without an upper bound, a key is at or above 0xFF where
    // from has one.
    while ((oneStep || to.length == 0) && common < from.length && from[common] == (byte) 0xff) {
      common++;
    }
    return Arrays.copyOf(from, common);
  }

  @Override
  public boolean equals(Object other) {
    if (!(other instanceof KeyRange)) {
      return false;
    }
    KeyRange that = (KeyRange) other;
    return lowerInclusive == that.lowerInclusive
        && upperInclusive == that.upperInclusive
        && Arrays.equals(lower, that.lower)
        && Arrays.equals(upper, that.upper);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(lower) + Arrays.hashCode(upper);
  }

  /** Such as {@code ["alice|", "alice}")}. */
  @Override
  public String toString() {
    return (lowerInclusive ? "[\"" : "(\"")
        + RowText.abbreviated(lower)
        + "\", \""
        + RowText.abbreviated(upper)
        + (upperInclusive ? "\"]" : "\")");
  }
}
