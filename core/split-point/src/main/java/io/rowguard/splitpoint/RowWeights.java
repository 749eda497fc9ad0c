package io.rowguard.splitpoint;

import io.rowguard.layout.RowOrder;
import java.util.List;

/** Rows and their bytes, as they were read one by one: there is nothing finer. */
public final class RowWeights implements KeyWeights {
  private final List<byte[]> rows;
  private final long[] starts;

  /**
   * The weights of rows.
   *
   * @param rows ascending, one or more
   * @param starts where the bytes of each row begin, and the end
   */
  public RowWeights(List<byte[]> rows, long[] starts) {
    this.rows = rows;
    this.starts = starts;
  }

  @Override
  public int size() {
    return rows.size();
  }

  @Override
  public byte[] row(int entry) {
    return rows.get(entry);
  }

  @Override
  public int compareRow(int entry, byte[] row) {
    return RowOrder.compare(rows.get(entry), row);
  }

  @Override
  public long start(int entry) {
    return starts[entry];
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
    return true;
  }

  @Override
  public KeyWeights readEntry(int entry) {
    return null;
  }
}
