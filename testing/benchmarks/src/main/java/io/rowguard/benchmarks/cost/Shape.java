package io.rowguard.benchmarks.cost;

import io.rowguard.workload.KeySets;
import java.util.ArrayList;
import java.util.List;

/**
 * The shape of a region's store files. Files overlap: each has rows from all over the region.
 *
 * @param what in words, beside the numbers
 * @param files how many
 * @param keys the rows of all files together
 * @param columns cells of each row
 * @param valueBytes of each cell
 * @param blockBytes of the family: the size from which on a data block ends
 * @param indexBlockBytes the size from which on an index gets a further level
 */
record Shape(
    String what,
    int files,
    List<byte[]> keys,
    int columns,
    int valueBytes,
    int blockBytes,
    int indexBlockBytes) {
  private static final int HBASES_BLOCK = 64 * 1024;
  private static final int HBASES_INDEX_BLOCK = 128 * 1024;
  private static final int HUGE = 1 << 28;

  /** All that is to be measured. */
  static List<Shape> all() {
    List<Shape> shapes = new ArrayList<>();
    for (int files : new int[] {1, 10, 100, 1_000}) {
      for (int rows : new int[] {1_000, 10_000, 100_000}) {
        // Files of one block have no middle for HBase, so there would be nothing to compare with.
        if (rows > files) {
          shapes.add(blockPerRow("all in the root", files, rows, HUGE));
        }
      }
    }
    // Levels as HBase makes them for so many blocks, and more of them.
    for (int files : new int[] {1, 10}) {
      shapes.add(blockPerRow("leaves of 128 KB", files, 100_000, HBASES_INDEX_BLOCK));
      shapes.add(blockPerRow("leaves of 8 KB", files, 100_000, HBASES_INDEX_BLOCK / 16));
    }
    for (int files : new int[] {1, 10, 100}) {
      shapes.add(ordinary("blocks of 64 KB", files, evenly(130_000), 5, 100));
    }
    shapes.add(ordinary("few blocks of 64 KB", 10, evenly(3_000), 5, 100));
    shapes.add(ordinary("one large group, 30 rows after it", 1, oneLargeGroup(), 1, 2_600));
    return shapes;
  }

  /** Many index entries from few bytes. */
  private static Shape blockPerRow(String what, int files, int rows, int indexBlockBytes) {
    return new Shape(what, files, evenly(rows), 1, 8, 1, indexBlockBytes);
  }

  private static Shape ordinary(
      String what, int files, List<byte[]> keys, int columns, int valueBytes) {
    return new Shape(what, files, keys, columns, valueBytes, HBASES_BLOCK, HBASES_INDEX_BLOCK);
  }

  /** Some of the world's places, from all countries. */
  private static List<byte[]> evenly(int rows) {
    List<byte[]> all = KeySets.geonames();
    List<byte[]> some = new ArrayList<>(rows);
    for (int row = 0; row < rows; row++) {
      some.add(all.get((int) ((long) row * all.size() / rows)));
    }
    return some;
  }

  /** All places of the largest country, and the 30 that come next. */
  private static List<byte[]> oneLargeGroup() {
    List<byte[]> all = KeySets.geonames();
    int from = 0;
    while (all.get(from)[0] != 'U' || all.get(from)[1] != 'S') {
      from++;
    }
    int to = from;
    while (all.get(to)[0] == 'U' && all.get(to)[1] == 'S') {
      to++;
    }
    return all.subList(from, to + 30);
  }

  /** Whether each row is a data block by itself. */
  boolean isBlockPerRow() {
    return blockBytes == 1;
  }
}
