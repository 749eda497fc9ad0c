package org.apache.hadoop.hbase.io.hfile;

import java.io.IOException;
import java.lang.reflect.Field;
import java.util.function.IntFunction;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;

/**
 * One level of a store file's block index: keys, and how the file's bytes divide between them. The
 * root level is in memory; a lower one costs a block read.
 *
 * <p>It lives in HBase's package since the classes of the index are not public there. Structure as
 * in 2.5, 2.6 and 3.0 ({@code HFileBlockIndex}, {@code NoOpIndexBlockEncoder}): a root entry points
 * to a data block when the index has one level, to a leaf index block when it has two, to an
 * intermediate one when it has more. Leaf blocks are written inline, each right after the data
 * blocks it lists; intermediate ones stand together after all the data.
 */
public final class HFileIndexLevel {
  private final HFile.Reader reader;
  // How many index levels are below this one; 0 when the entries point to data blocks.
  private final int below;
  private final int size;
  private final IntFunction<Cell> keys;
  private final long[] offsets;
  private final int[] sizes;
  private final boolean first;

  /**
   * @param first whether the data of the first entry is the first of the file
   */
  private HFileIndexLevel(
      HFile.Reader reader,
      int below,
      int size,
      IntFunction<Cell> keys,
      long[] offsets,
      int[] sizes,
      boolean first) {
    this.reader = reader;
    this.below = below;
    this.size = size;
    this.keys = keys;
    this.offsets = offsets;
    this.sizes = sizes;
    this.first = first;
  }

  /**
   * The root level of a file. Reads nothing.
   *
   * @return null when the file has no data
   */
  public static HFileIndexLevel root(HFile.Reader reader) {
    HFileBlockIndex.CellBasedKeyBlockIndexReader index = reader.getDataBlockIndexReader();
    int size = index == null ? 0 : index.getRootBlockCount();
    if (size == 0) {
      return null;
    }
    int below = reader.getTrailer().getNumDataIndexLevels() - 1;
    NoOpIndexBlockEncoder.NoOpEncodedSeeker seeker = seeker(index);
    long[] offsets = seeker == null ? null : seeker.blockOffsets;
    int[] sizes = seeker == null ? null : seeker.blockDataSizes;
    // The keys stay where they are: a search asks for few of them.
    return new HFileIndexLevel(
        reader, below, size, entry -> HFileCells.rootKey(index, entry), offsets, sizes, true);
  }

  /** How many entries there are, 1 or more. */
  public int size() {
    return size;
  }

  /**
   * The key of an entry: above every cell of the entry before, at or below the first cell of its
   * own. It may be shorter than any cell of the file.
   */
  public Cell key(int entry) {
    return keys.apply(entry);
  }

  /**
   * The start of an entry's data: in bytes of the file when {@link #isInFileBytes()}, else counted
   * in entries.
   *
   * @param entry 0 to {@link #size()} (inclusive): the last stands for the end
   */
  public long start(int entry) {
    if (!isInFileBytes()) {
      return entry;
    }
    int last = offsets.length - 1;
    if (below == 0) {
      return entry <= last ? offsets[entry] : offsets[last] + sizes[last];
    }
    // A leaf block stands after its data, so the one before it marks the beginning.
    if (entry > 0) {
      return offsets[entry - 1];
    }
    return first ? 0 : Math.max(0, 2 * offsets[0] - offsets[Math.min(1, last)]);
  }

  /**
   * Whether the places of the data are known. They are not at the upper levels of an index of three
   * or more, whose blocks lie apart from the data.
   */
  public boolean isInFileBytes() {
    return offsets != null && below <= 1;
  }

  /** Whether entries point to data blocks. */
  public boolean isLowest() {
    return below == 0;
  }

  /**
   * The level that an entry points to. Reads one index block, through the block cache.
   *
   * @return null when its form is not known
   * @throws CorruptHFileException when the block does not hold what it says
   */
  public HFileIndexLevel child(int entry) throws IOException {
    if (offsets == null || below == 0) {
      return null;
    }
    BlockType type = below == 1 ? BlockType.LEAF_INDEX : BlockType.INTERMEDIATE_INDEX;
    HFileBlock block =
        reader.readBlock(offsets[entry], sizes[entry], true, true, false, true, type, null);
    try {
      long end = reader.getTrailer().getLoadOnOpenDataOffset();
      IndexBlock child = IndexBlock.parse(block.getBufferWithoutHeader(), end);
      int size = child.keys.length;
      boolean isFirst = first && entry == 0;
      return size == 0
          ? null
          : new HFileIndexLevel(
              reader, below - 1, size, i -> child.keys[i], child.offsets, child.sizes, isFirst);
    } finally {
      block.release();
    }
  }

  /**
   * The cells of the data block that an entry of the lowest level points to. Reads that block and
   * no other, which does not go into the block cache.
   *
   * @return a scanner at the first cell of the block, to be closed; null when the places of the
   *     data are not known
   */
  public HFileScanner cells(int entry, Configuration conf) throws IOException {
    if (offsets == null) {
      return null;
    }
    DataBlockEncoding encoding = reader.getEffectiveEncodingInCache(false);
    HFileBlock block =
        reader.readBlock(
            offsets[entry], sizes[entry], false, true, false, true, BlockType.DATA, encoding);
    return DataBlockScanner.at(block, reader, conf);
  }

  /**
   * The object that holds the root level's offsets, or null where they cannot be had: with an index
   * block encoding, or when a later HBase keeps them elsewhere.
   */
  private static NoOpIndexBlockEncoder.NoOpEncodedSeeker seeker(
      HFileBlockIndex.CellBasedKeyBlockIndexReader index) {
    try {
      Field field = index.getClass().getDeclaredField("seeker");
      field.setAccessible(true);
      Object seeker = field.get(index);
      return seeker instanceof NoOpIndexBlockEncoder.NoOpEncodedSeeker
          ? (NoOpIndexBlockEncoder.NoOpEncodedSeeker) seeker
          : null;
    } catch (ReflectiveOperationException | RuntimeException e) {
      // Entries then count alike, as for HBase's own split point; nothing else depends on it.
      return null;
    }
  }
}
