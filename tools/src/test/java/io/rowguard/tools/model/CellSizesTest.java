package io.rowguard.tools.model;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.ClassSize;
import org.junit.jupiter.api.Test;

/** What a cell weighs in a memstore, against what HBase counts. */
class CellSizesTest {
  @Test
  void inMemstore_cellsOfManySizes_isWhatHBaseCounts() {
    for (int row : List.of(1, 8, 9, 16, 33, 200)) {
      for (int value : List.of(0, 1, 7, 100, 501, 5000)) {
        KeyValue cell =
            new KeyValue(
                new byte[row], Bytes.toBytes("f"), Bytes.toBytes("q"), 1L, new byte[value]);
        // As it lies in a chunk of the memstore's own (MSLAB), behind other cells.
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
