package io.rowguard.split;

import io.rowguard.splitpoint.KeyWeights;
import io.rowguard.splitpoint.RowWeights;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.io.hfile.HFileCells;
import org.apache.hadoop.hbase.io.hfile.HFileIndexLevel;
import org.apache.hadoop.hbase.io.hfile.HFileScanner;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The bytes of a store file by row, from one level of its block index. Reading an entry goes down
 * the index, and from its lowest level to the rows of one data block.
 */
final class IndexWeights implements KeyWeights {
  private static final Logger LOG = LoggerFactory.getLogger(IndexWeights.class);

  private final Configuration conf;
  private final HFileIndexLevel index;
  private final byte[] end;

  IndexWeights(Configuration conf, HFileIndexLevel index) {
    this(conf, index, null);
  }

  /**
   * @param end the row at which the next part of the file begins, null for the last part
   */
  private IndexWeights(Configuration conf, HFileIndexLevel index, byte[] end) {
    this.conf = conf;
    this.index = index;
    this.end = end;
  }

  @Override
  public int size() {
    return index.size();
  }

  @Override
  public byte[] row(int entry) {
    return CellUtil.cloneRow(index.key(entry));
  }

  @Override
  public int compareRow(int entry, byte[] row) {
    return CellComparator.getInstance().compareRows(index.key(entry), row, 0, row.length);
  }

  @Override
  public long start(int entry) {
    return index.start(entry);
  }

  @Override
  public boolean isInFileBytes() {
    return index.isInFileBytes();
  }

  @Override
  public boolean isGuess() {
    return !index.isInFileBytes();
  }

  @Override
  public boolean isOneRow(int entry) {
    return false; // maybe it is, but the index does not say so
  }

  @Override
  public KeyWeights readEntry(int entry) {
    try {
      return read(entry);
    } catch (IOException | RuntimeException e) {
      // A file may be compacted away meanwhile. The index entries known so far serve well enough.
      LOG.debug("A block of a store file could not be read; the index above it has to do", e);
      return null;
    }
  }

  private KeyWeights read(int entry) throws IOException {
    if (index.isLowest()) {
      return rowsOfBlock(entry);
    }
    HFileIndexLevel child = index.child(entry);
    return child == null ? null : new IndexWeights(conf, child, endOf(entry));
  }

  /** The row at which the next entry begins, be it of this part or not; null for the very last. */
  private byte[] endOf(int entry) {
    return entry + 1 < size() ? row(entry + 1) : end;
  }

  /** Reads the rows of one data block, up to the first row of the next. */
  private KeyWeights rowsOfBlock(int entry) throws IOException {
    byte[] blockEnd = endOf(entry);
    List<byte[]> rows = new ArrayList<>();
    List<Long> starts = new ArrayList<>();
    long bytes = 0;
    try (HFileScanner scanner = index.cells(entry, conf)) {
      if (scanner == null) {
        return null;
      }
      do {
        Cell cell = HFileCells.current(scanner);
        if (isAtOrAbove(cell, blockEnd)) {
          break;
        }
        if (rows.isEmpty() || !CellUtil.matchingRows(cell, rows.get(rows.size() - 1))) {
          rows.add(CellUtil.cloneRow(cell));
          starts.add(bytes);
        }
        bytes += PrivateCellUtil.estimatedSerializedSizeOf(cell);
      } while (scanner.next());
    }
    starts.add(bytes);
    return rows.isEmpty()
        ? null
        : new RowWeights(rows, starts.stream().mapToLong(Long::longValue).toArray());
  }

  private static boolean isAtOrAbove(Cell cell, byte[] end) {
    return end != null && CellComparator.getInstance().compareRows(cell, end, 0, end.length) >= 0;
  }
}
