package io.rowguard.splitpoint;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A store file in memory: rows in blocks, an index of one or two levels, block reads as in HBase.
 */
final class ArrayFile {
  private final List<byte[]> rows = new ArrayList<>();
  private final List<Long> starts = new ArrayList<>();
  // Indexes of the rows that begin a block, and of the blocks that begin a leaf of the index.
  private final List<Integer> blocks = new ArrayList<>();
  private final List<Integer> leaves = new ArrayList<>();
  private final int blocksPerLeaf;
  int blockReads;

  ArrayFile(SortedMap<byte[], Long> bytesByRow, int blockSize, int blocksPerLeaf) {
    this.blocksPerLeaf = blocksPerLeaf;
    long at = 0;
    long blockStart = -blockSize;
    for (Map.Entry<byte[], Long> row : bytesByRow.entrySet()) {
      if (at - blockStart >= blockSize) {
        if (blocks.size() % blocksPerLeaf == 0) {
          leaves.add(blocks.size());
        }
        blocks.add(rows.size());
        blockStart = at;
      }
      rows.add(row.getKey());
      starts.add(at);
      at += row.getValue();
    }
    starts.add(at);
  }

  long bytes() {
    return starts.get(rows.size());
  }

  byte[] lastRow() {
    return rows.get(rows.size() - 1);
  }

  KeyWeights root() {
    if (blocksPerLeaf == 1) {
      return new Level(blocks, rows.size(), 1);
    }
    List<Integer> entries = new ArrayList<>();
    leaves.forEach(block -> entries.add(blocks.get(block)));
    return new Level(entries, rows.size(), 2);
  }

  /** Entries as indexes of rows; {@code end} is the row after the last entry. */
  private final class Level implements KeyWeights {
    private final List<Integer> entries;
    private final int end;
    private final int height;

    Level(List<Integer> entries, int end, int height) {
      this.entries = entries;
      this.end = end;
      this.height = height;
    }

    private int rowIndex(int entry) {
      return entry < entries.size() ? entries.get(entry) : end;
    }

    @Override
    public int size() {
      return entries.size();
    }

    @Override
    public byte[] row(int entry) {
      return rows.get(entries.get(entry));
    }

    @Override
    public int compareRow(int entry, byte[] row) {
      return Bytes.compareTo(row(entry), row);
    }

    @Override
    public long start(int entry) {
      return starts.get(rowIndex(entry));
    }

    @Override
    public boolean isInFileBytes() {
      return false;
    }

    @Override
    public boolean isGuess() {
      return false;
    }

    @Override
    public boolean isOneRow(int entry) {
      return height == 0;
    }

    @Override
    public KeyWeights readEntry(int entry) {
      blockReads++;
      List<Integer> finer = new ArrayList<>();
      if (height == 2) {
        for (int block : blocks) {
          if (block >= rowIndex(entry) && block < rowIndex(entry + 1)) {
            finer.add(block);
          }
        }
      } else {
        for (int row = rowIndex(entry); row < rowIndex(entry + 1); row++) {
          finer.add(row);
        }
      }
      return new Level(finer, rowIndex(entry + 1), height - 1);
    }
  }
}
