package io.rowguard.split;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileIndexLevel;
import org.apache.hadoop.hbase.io.hfile.HFileScanner;

/**
 * The bytes of a store file by row, from one level of its block index. Zooming in goes down the
 * index, and from its lowest level to the rows of one data block.
 */
final class IndexWeights implements KeyWeights {
  private final HFile.Reader reader;
  private final Configuration conf;
  private final HFileIndexLevel index;

  IndexWeights(HFile.Reader reader, Configuration conf, HFileIndexLevel index) {
    this.reader = reader;
    this.conf = conf;
    this.index = index;
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
  public boolean isOneRow(int entry) {
    return false; // maybe it is, but the index does not say so
  }

  @Override
  public KeyWeights zoom(int entry) throws IOException {
    if (index.isLowest()) {
      return rowsOfBlock(entry);
    }
    HFileIndexLevel child = index.child(entry);
    return child == null ? null : new IndexWeights(reader, conf, child);
  }

  /** Reads the rows of one data block, up to the first row of the next. */
  private KeyWeights rowsOfBlock(int entry) throws IOException {
    byte[] end = entry + 1 < size() ? row(entry + 1) : null;
    List<byte[]> rows = new ArrayList<>();
    List<Long> starts = new ArrayList<>();
    long bytes = 0;
    try (HFileScanner scanner = reader.getScanner(conf, false, true)) {
      if (scanner.seekTo(PrivateCellUtil.createFirstOnRow(row(entry))) < 0 && !scanner.seekTo()) {
        return null;
      }
      do {
        Cell cell = scanner.getCell();
        if (isAtOrAbove(cell, end)) {
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
