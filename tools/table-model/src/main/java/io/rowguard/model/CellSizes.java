package io.rowguard.model;

/**
 * The weight of cells in a memstore and in a store file, as HBase 2.6 counts them.
 *
 * @param perRow bytes of a cell in a store file beside its row and its sequence id: family,
 *     qualifier, timestamp, value and lengths
 * @param blockSize of a data block (BLOCKSIZE of the column family), in bytes
 */
public record CellSizes(int perRow, int blockSize) {
  /** HBase's default, {@code ColumnFamilyDescriptorBuilder.DEFAULT_BLOCKSIZE}. */
  public static final int DEFAULT_BLOCK_SIZE = 65_536;

  // Objects around a cell: KeyValue.FIXED_OVERHEAD and ClassSize.CONCURRENT_SKIPLISTMAP_ENTRY, on a
  // JVM with compressed pointers.
  private static final long HEAP_PER_CELL = 72;
  private static final long HEAP_ALIGNMENT = 8;

  // Measured in files of HBase 2.6.1: after the blocks trailer (4 kB) and file info; a Bloom filter
  // by row, in whole powers of two; head and checksums of a block, and its entry in the index.
  private static final long FILE = 4_800;
  private static final double BLOOM_PER_ROW = 2.1;
  private static final long PER_BLOCK = 69;

  /** The heap size of an empty memstore ({@code MutableSegment.DEEP_OVERHEAD}). */
  static final long EMPTY_MEMSTORE = 256;

  /**
   * Bytes of a cell's sequence id in a store file, as {@code WritableUtils.writeVLong} writes it:
   * one up to 127, else one and as many as the number has. Later writes have larger ones.
   */
  static int ofSequenceId(long id) {
    return id <= Byte.MAX_VALUE ? 1 : 1 + (Long.SIZE - Long.numberOfLeadingZeros(id) + 7) / 8;
  }

  /** Bytes that a cell takes in a memstore's heap size, which decides when to flush. */
  long inMemstore(int rowLength) {
    long bytes = HEAP_PER_CELL + rowLength + perRow;
    return (bytes + HEAP_ALIGNMENT - 1) / HEAP_ALIGNMENT * HEAP_ALIGNMENT;
  }

  /**
   * How many bytes of cells a data block holds: HBase ends it with the cell that reaches the block
   * size.
   */
  long ofBlock(long bytes, long cells) {
    double mean = (double) bytes / cells;
    return Math.round(Math.ceil(blockSize / mean) * mean);
  }

  /** How many data blocks a file has. */
  long blocks(long bytes, long cells) {
    return Math.max(1, (bytes + ofBlock(bytes, cells) - 1) / ofBlock(bytes, cells));
  }

  /** The length of a store file, uncompressed, with its indexes, Bloom filter and trailer. */
  long ofFile(long bytes, long cells) {
    return FILE + bytes + Math.round(BLOOM_PER_ROW * cells) + PER_BLOCK * blocks(bytes, cells);
  }
}
