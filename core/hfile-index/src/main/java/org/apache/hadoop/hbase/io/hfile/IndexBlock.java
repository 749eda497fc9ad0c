package org.apache.hadoop.hbase.io.hfile;

import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The entries of a non-root block of a store file's index. Such a block has the number of entries,
 * where each begins and the last ends, then the entries ({@code HFileBlockIndex}, the same in 2.5,
 * 2.6 and 3.0). HBase's own method for the keys is static in 2.6 only.
 */
final class IndexBlock {
  private static final int BEFORE_KEY = HFileBlockIndex.SECONDARY_INDEX_ENTRY_OVERHEAD;
  private static final int SHORTEST_ENTRY = BEFORE_KEY + KeyValue.KEY_INFRASTRUCTURE_SIZE;

  final Cell[] keys;
  final long[] offsets;
  final int[] sizes;

  private IndexBlock(int size) {
    this.keys = new Cell[size];
    this.offsets = new long[size];
    this.sizes = new int[size];
  }

  /**
   * Reads a block, without its header.
   *
   * @param end of all blocks that an entry may point to, in bytes of the file
   * @throws CorruptHFileException when an entry lies outside of the block, or points to what is no
   *     block of the file. Nothing is allocated for that: an OutOfMemoryError would end the server
   */
  static IndexBlock parse(ByteBuff block, long end) throws CorruptHFileException {
    int limit = block.limit();
    int size = limit < Bytes.SIZEOF_INT ? -1 : block.getInt(0);
    // Each entry takes its place in the list, too, which has one more for the end.
    if (size < 0 || size > (limit - 2 * Bytes.SIZEOF_INT) / (Bytes.SIZEOF_INT + SHORTEST_ENTRY)) {
      throw new CorruptHFileException(
          "An index block of " + limit + " bytes has " + size + " entries.");
    }
    IndexBlock entries = new IndexBlock(size);
    int entriesOffset = Bytes.SIZEOF_INT * (size + 2);
    for (int i = 0; i < size; i++) {
      int at = entriesOffset + block.getInt(Bytes.SIZEOF_INT * (i + 1));
      int next = entriesOffset + block.getInt(Bytes.SIZEOF_INT * (i + 2));
      if (at < entriesOffset || at > limit || next < at + SHORTEST_ENTRY || next > limit) {
        throw new CorruptHFileException(
            "Entry " + i + " of an index block of " + limit + " bytes is at " + at + " to " + next);
      }
      entries.offsets[i] = block.getLong(at);
      entries.sizes[i] = block.getInt(at + Bytes.SIZEOF_LONG);
      if (entries.offsets[i] < 0
          || entries.sizes[i] <= 0
          || entries.offsets[i] > end - entries.sizes[i]) {
        throw new CorruptHFileException(
            "Entry "
                + i
                + " of an index block points to "
                + entries.sizes[i]
                + " bytes at "
                + entries.offsets[i]
                + " of "
                + end);
      }
      int keyAt = at + BEFORE_KEY;
      byte[] key = block.toBytes(keyAt, next - keyAt);
      short rowLength = Bytes.toShort(key);
      if (rowLength < 0 || rowLength > key.length - KeyValue.KEY_INFRASTRUCTURE_SIZE) {
        throw new CorruptHFileException(
            "The key of entry " + i + " of an index block is shorter than its row: " + rowLength);
      }
      entries.keys[i] = new KeyValue.KeyOnlyKeyValue(key, 0, key.length);
    }
    return entries;
  }
}
