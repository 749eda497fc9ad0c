package io.rowguard.benchmarks.quality;

import io.rowguard.workload.RowRange;
import java.util.List;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.RegionInfo;

/**
 * All rows of a table with the bytes of each, and which belong together: what is true of the table,
 * whatever its files and their indexes say. Each row has one cell.
 */
final class TableRows {
  static final byte[] FAMILY = {'f'};
  static final byte[] QUALIFIER = {'v'};

  private final List<byte[]> keys;
  private final int[] valueBytes;
  // The bytes of all rows before each, and of all.
  private final long[] starts;
  private final boolean[] beginsGroup;

  TableRows(List<byte[]> keys, int[] valueBytes, Grouping grouping) {
    this.keys = keys;
    this.valueBytes = valueBytes;
    this.starts = new long[keys.size() + 1];
    this.beginsGroup = new boolean[keys.size()];
    for (int i = 0; i < keys.size(); i++) {
      starts[i + 1] = starts[i] + cellBytes(keys.get(i).length, valueBytes[i]);
      beginsGroup[i] = i == 0 || !grouping.isSame(keys.get(i - 1), keys.get(i));
    }
  }

  private static long cellBytes(int keyLength, int valueLength) {
    return KeyValue.getKeyValueDataStructureSize(
        keyLength, FAMILY.length, QUALIFIER.length, valueLength);
  }

  RowRange all() {
    return new RowRange(0, keys.size());
  }

  byte[] key(int row) {
    return keys.get(row);
  }

  List<byte[]> keys(RowRange range) {
    return keys.subList(range.from(), range.to());
  }

  int valueBytes(int row) {
    return valueBytes[row];
  }

  long bytes(RowRange range) {
    return starts[range.to()] - starts[range.from()];
  }

  /** How many groups have rows there. */
  int groups(RowRange range) {
    int groups = range.size() == 0 ? 0 : 1;
    for (int i = range.from() + 1; i < range.to(); i++) {
      groups += beginsGroup[i] ? 1 : 0;
    }
    return groups;
  }

  /** Whether a group lies on both sides of a row's beginning. */
  boolean isInsideGroup(int row) {
    return row < keys.size() && !beginsGroup[row];
  }

  /** The rows that a region holds. */
  RowRange in(RegionInfo region) {
    return RowRange.of(keys, region);
  }

  /** The bytes of the smaller part when a range is cut in front of a row. */
  long smallerSide(RowRange range, int cut) {
    long below = starts[cut] - starts[range.from()];
    return Math.min(below, bytes(range) - below);
  }

  /**
   * Where a range is divided best between two groups, by trying every place: the row that begins
   * the upper part, or -1 when all is one group.
   *
   * <p>Between the last row of one group and the first of the next there always is a legal
   * boundary: the beginning of the latter up to its group's end.
   */
  int bestCut(RowRange range) {
    int best = -1;
    long most = -1;
    for (int cut = range.from() + 1; cut < range.to(); cut++) {
      if (beginsGroup[cut] && smallerSide(range, cut) > most) {
        best = cut;
        most = smallerSide(range, cut);
      }
    }
    return best;
  }
}
