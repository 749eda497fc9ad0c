package io.rowguard.observer.decide;

import java.io.IOException;
import java.util.Arrays;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileCells;
import org.apache.hadoop.hbase.io.hfile.HFileIndexLevel;
import org.apache.hadoop.hbase.io.hfile.HFileScanner;

/**
 * The rows of an HFile that a check reads: all of them, or a few that cost little.
 *
 * <p>The keys in a block index are no rows: HBase writes the shortest key between the last cell of
 * a block and the first of the next ({@code HFileWriterImpl#getMidpoint}). So a row is never judged
 * by the index; the index only says where a block read is worth its while.
 */
public final class HFileRows {
  /** Limit of blocks that are read: 16 MB of HBase's default blocks. */
  public static final int MOST_BLOCKS = 256;

  /** Takes rows one by one, in order, each once; it may keep them. */
  public interface Visitor {
    void row(byte[] row) throws IOException;
  }

  /** Says of a range of rows, both ends inclusive, whether a row that conforms may lie in it. */
  public interface Range {
    boolean isPossible(byte[] first, byte[] last);
  }

  private final HFile.Reader reader;
  private final Configuration conf;

  public HFileRows(HFile.Reader reader, Configuration conf) {
    this.reader = reader;
    this.conf = conf;
  }

  /** Visits every row. Reads the whole file. */
  void visitAll(Visitor visitor) throws IOException {
    try (HFileScanner scanner = reader.getScanner(conf, false, false)) {
      byte[] row = null;
      for (boolean more = scanner.seekTo(); more; more = scanner.next()) {
        Cell cell = HFileCells.current(scanner);
        if (row == null || !CellUtil.matchingRows(cell, row)) {
          row = CellUtil.cloneRow(cell);
          visitor.row(row);
        }
      }
    }
  }

  /**
   * Visits the first row, the last, and the first rows of data blocks: of those where no row that
   * conforms can lie, and of others, spread evenly, {@link #MOST_BLOCKS} at most. Reads the index
   * and the blocks it visits.
   */
  public void visitBlocks(Range conforming, Visitor visitor) throws IOException {
    HFileIndexLevel root = HFileIndexLevel.root(reader);
    if (root == null) {
      return;
    }
    byte[] last = reader.getLastRowKey().get();
    try (HFileScanner scanner = reader.getScanner(conf, false, true)) {
      Visit visit = new Visit(scanner, conforming, visitor);
      visit.level(root, last, MOST_BLOCKS);
      visit.row(last);
    }
  }

  /** One walk through the index of a file. */
  private static final class Visit {
    private final HFileScanner scanner;
    private final Range conforming;
    private final Visitor visitor;
    private byte[] visited;

    Visit(HFileScanner scanner, Range conforming, Visitor visitor) {
      this.scanner = scanner;
      this.conforming = conforming;
      this.visitor = visitor;
    }

    /**
     * @param end a row at or above the last one of this part of the file
     * @param blocks how many blocks of it are read, whatever the index says
     */
    void level(HFileIndexLevel level, byte[] end, int blocks) throws IOException {
      int size = level.size();
      byte[] start = CellUtil.cloneRow(level.key(0));
      for (int entry = 0; entry < size; entry++) {
        byte[] next = entry + 1 < size ? CellUtil.cloneRow(level.key(entry + 1)) : end;
        int share = share(entry + 1, blocks, size) - share(entry, blocks, size);
        HFileIndexLevel child = level.isLowest() ? null : level.child(entry);
        if (child != null) {
          level(child, next, share);
        } else if (share > 0 || !conforming.isPossible(start, next)) {
          firstRowAt(level.key(entry));
        }
        start = next;
      }
    }

    /**
     * The share of the block reads for the first entries; rounded up, so that the first gets one.
     */
    private static int share(int entries, int blocks, int size) {
      return (int) (((long) entries * blocks + size - 1) / size);
    }

    private void firstRowAt(Cell indexKey) throws IOException {
      // Unless the key is a cell of the file, the answer is HConstants.INDEX_KEY_MAGIC, and the
      // scanner stands at the block's first cell all the same.
      HFileCells.seekTo(scanner, indexKey);
      row(CellUtil.cloneRow(HFileCells.current(scanner)));
    }

    void row(byte[] row) throws IOException {
      if (!Arrays.equals(row, visited)) {
        visitor.row(row);
      }
      visited = row;
    }
  }
}
