package io.rowguard.model;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.ClassSize;
import org.apache.hadoop.io.WritableUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The weight of a cell in a memstore, against HBase's count. */
class CellSizesTest {
  @Test
  void inMemstore_cellsOfManySizes_isWhatHBaseCounts() {
    for (int row : List.of(1, 8, 9, 16, 33, 200)) {
      for (int value : List.of(0, 1, 7, 100, 501, 5000)) {
        KeyValue cell =
            new KeyValue(
                new byte[row], Bytes.toBytes("f"), Bytes.toBytes("q"), 1L, new byte[value]);
        // As it lies in a chunk of the memstore's own (MSLAB), after other cells.
        byte[] chunk = new byte[8 + cell.getLength()];
        System.arraycopy(cell.getBuffer(), cell.getOffset(), chunk, 8, cell.getLength());
        KeyValue stored = new KeyValue(chunk, 8, cell.getLength());
        // Segment.heapSizeChange, MutableSegment.indexEntrySize
        long expected = ClassSize.align(ClassSize.CONCURRENT_SKIPLISTMAP_ENTRY + stored.heapSize());
        long actual = new CellSizes(cell.getLength() - row, 65_536).inMemstore(row);
        assertEquals(expected, actual, "row=" + row + " value=" + value);
      }
    }
  }

  /**
   * Lengths of files that HBase 2.6.1 wrote: rows of 8 bytes, cells of 533, blocks of two sizes.
   */
  @ParameterizedTest
  @CsvSource({"65536, 165, 93244", "65536, 990, 535222", "4096, 165, 94554", "4096, 990, 543144"})
  void ofFile_filesThatHBaseWrote_isWithinHalfAPercent(int blockSize, int cells, long length) {
    long actual = new CellSizes(525, blockSize).ofFile(533L * cells, cells);
    assertEquals((double) length, (double) actual, 0.005 * length);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 127, 128, 255, 256, 65_535, 65_536, 16_777_216, 1L << 40})
  void ofSequenceId_anyNumber_isThatOfWritableUtils(long id) {
    assertEquals(WritableUtils.getVIntSize(id), CellSizes.ofSequenceId(id));
  }

  @Test
  void blocks_cellsThatDoNotDivideABlock_endWithTheCellThatReachesItsSize() {
    CellSizes sizes = new CellSizes(90, 1_000);
    // 300 bytes a cell: four of them reach 1,000.
    assertEquals(1_200, sizes.ofBlock(30_000, 100));
    assertEquals(25, sizes.blocks(30_000, 100));
    assertEquals(1, sizes.blocks(300, 1));
    assertEquals(2, sizes.blocks(1_500, 5));
  }
}
