package io.rowguard.layout;

import java.util.Arrays;
import java.util.StringJoiner;

/**
 * One bucket of a salted layout: the rows whose free derived segments have certain values.
 * Immutable and thread-safe.
 *
 * @see SaltBuckets
 */
public final class SaltBucket {
  private final SaltBuckets buckets;
  private final byte[][] values;
  private final byte[][] valuesByPart;
  private final KeyRange all;

  /**
   * @param values one per free segment of the buckets
   */
  SaltBucket(SaltBuckets buckets, byte[][] values) {
    this.buckets = buckets;
    this.values = values;
    this.valuesByPart = new byte[buckets.layout().parts().size()][];
    for (int i = 0; i < values.length; i++) {
      valuesByPart[buckets.free()[i].part()] = values[i];
    }
    this.all = KeyRange.ofPrefix(salted(buckets.bareBeginning()));
  }

  /**
   * The position of a key among the rows of this bucket: the salted row of every bare key of the
   * bucket compares with the result as the bare key compares with {@code key}, be it below, equal
   * or above. And it begins with the result exactly when the bare key begins with {@code key}.
   *
   * @param key any bytes; a bare key of the layout, the beginning of one, or neither
   */
  public byte[] salted(byte[] key) {
    return buckets.walk().salted(key, valuesByPart);
  }

  /**
   * The range of salted rows that holds, of this bucket's rows, those of a range of bare keys and
   * no others; of other buckets it may hold any.
   */
  public KeyRange salted(KeyRange bareKeys) {
    byte[] lower = bareKeys.lower();
    byte[] upper = bareKeys.upper();
    return KeyRange.of(
            lower.length == 0 ? lower : salted(lower),
            bareKeys.isLowerInclusive(),
            upper.length == 0 ? upper : salted(upper),
            bareKeys.isUpperInclusive())
        .intersect(all);
  }

  /** Whether a row, {@code length} bytes from {@code offset} that conform, is of this bucket. */
  public boolean holds(byte[] row, int offset, int length) {
    RowMatcher matcher = buckets.layout().matcher();
    for (int i = 0; i < values.length; i++) {
      int at = matcher.startOf(buckets.free()[i].part(), row, offset, offset + length);
      for (int j = 0; j < values[i].length; j++) {
        if (row[at + j] != values[i][j]) {
          return false;
        }
      }
    }
    return true;
  }

  /**
   * Whether all that stands under a bare key of this bucket is in it; false where writers
   * {@linkplain RowkeyLayout#hasChoice choose} the bucket.
   */
  public boolean hasWholeRows() {
    return !buckets.layout().hasChoice();
  }

  /**
   * The values that the salted rows of this bucket have in their free segments, one after the
   * other.
   */
  @Override
  public String toString() {
    StringJoiner text = new StringJoiner(" ");
    for (int i = 0; i < values.length; i++) {
      text.add(buckets.free()[i].segment().name() + "=\"" + RowText.abbreviated(values[i]) + "\"");
    }
    return text.length() == 0 ? "the only bucket" : text.toString();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof SaltBucket
        && buckets.layout().equals(((SaltBucket) other).buckets.layout())
        && Arrays.deepEquals(values, ((SaltBucket) other).values);
  }

  @Override
  public int hashCode() {
    return Arrays.deepHashCode(values);
  }
}
