package io.rowguard.benchmarks.quality;

import java.util.Arrays;

/**
 * The rows that belong together, found without the measured code: rows that agree on all up to and
 * including the n-th delimiter. A row without is a group of its own.
 *
 * @param delimiter one byte
 * @param occurrence n, from 1
 */
record Grouping(char delimiter, int occurrence) {

  boolean isSame(byte[] one, byte[] other) {
    int end = end(one);
    return end >= 0 && end == end(other) && Arrays.equals(one, 0, end, other, 0, end);
  }

  /** Where the group ends in a row, exclusive; -1 when the row is a group of its own. */
  private int end(byte[] row) {
    int seen = 0;
    for (int i = 0; i < row.length; i++) {
      if (row[i] == delimiter && ++seen == occurrence) {
        return i + 1;
      }
    }
    return -1;
  }
}
