package io.rowguard.model;

import java.util.Arrays;
import java.util.List;

/**
 * Finds the region of a row. Immutable and thread-safe; allocates nothing.
 *
 * <p>Split keys are compared by their first eight bytes as one number, and byte by byte only where
 * those are equal.
 */
public final class RegionIndex {
  private final byte[][] keys;
  private final long[] heads;

  /**
   * @param splitKeys ascending
   */
  public RegionIndex(List<byte[]> splitKeys) {
    this.keys = splitKeys.toArray(new byte[0][]);
    this.heads = new long[keys.length];
    for (int i = 0; i < keys.length; i++) {
      heads[i] = head(keys[i], keys[i].length);
    }
  }

  /** The region of the row in the first {@code length} bytes: how many split keys are not above. */
  public int regionOf(byte[] row, int length) {
    long head = head(row, length);
    int low = 0;
    int high = keys.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      int order = Long.compareUnsigned(heads[middle], head);
      if (order == 0) {
        order = Arrays.compareUnsigned(keys[middle], 0, keys[middle].length, row, 0, length);
      }
      if (order <= 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** The first eight bytes as an unsigned number; a shorter row is as if zeros followed. */
  private static long head(byte[] row, int length) {
    long head = 0;
    int bytes = Math.min(Long.BYTES, length);
    for (int i = 0; i < bytes; i++) {
      head |= (row[i] & 0xffL) << (56 - 8 * i);
    }
    return head;
  }
}
