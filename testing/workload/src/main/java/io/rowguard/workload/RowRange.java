package io.rowguard.workload;

import java.util.Collections;
import java.util.List;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Rows of a table that follow one another, by their numbers in byte order.
 *
 * @param from the first, inclusive
 * @param to the last, exclusive
 */
public record RowRange(int from, int to) {

  /**
   * The rows that a region holds.
   *
   * @param rows all of the table, in byte order
   */
  public static RowRange of(List<byte[]> rows, RegionInfo region) {
    byte[] end = region.getEndKey();
    return new RowRange(
        firstAtOrAbove(rows, region.getStartKey()),
        end.length == 0 ? rows.size() : firstAtOrAbove(rows, end));
  }

  private static int firstAtOrAbove(List<byte[]> rows, byte[] key) {
    int found = Collections.binarySearch(rows, key, Bytes.BYTES_COMPARATOR);
    return found < 0 ? -found - 1 : found;
  }

  /** How many they are. */
  public int size() {
    return to - from;
  }
}
