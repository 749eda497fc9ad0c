package io.rowguard.observer.relayout;

import io.rowguard.layout.LayoutChange;
import io.rowguard.layout.LayoutChange.Place;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.filter.FilterBase;

/**
 * Leaves of a region's rows those of one place among two layouts, one cell of each, and stops after
 * a number of rows or some time. HBase asks it about deleted rows as well ({@code
 * RegionScannerImpl.nextInternal}), so it is not held up by those.
 *
 * <p>Used in the region itself, for one scan by one thread; it does not travel.
 */
final class RowsAt extends FilterBase {
  private final LayoutChange change;
  private final Place place;
  private final int most;
  private final long began = System.nanoTime();
  private final long nanos;
  private boolean ofLeftovers;
  private boolean withTooLong;

  /** Null unless rows of markers only are left as well. */
  private RowContent content;

  private long now;
  private byte[] end;
  private byte[] stoppedAt;
  private boolean hasSeenRow;
  private boolean hasCell;
  private int found;

  RowsAt(LayoutChange change, Place place, int most, long nanos) {
    this.change = change;
    this.place = place;
    this.most = most;
    this.nanos = nanos;
  }

  /** Leaves {@link Leftovers} only. */
  RowsAt ofLeftovers() {
    ofLeftovers = true;
    return this;
  }

  /** Leaves those as well that are {@link LayoutChange#isTooLongToMove}. */
  RowsAt withTooLong() {
    withTooLong = true;
    return this;
  }

  /**
   * Leaves rows of delete markers only as well, but for those of {@link Leftovers}; for a raw scan.
   *
   * @param millis by which a cell's own time to live may have ended
   */
  RowsAt withMarkersOnly(long millis) {
    content = new RowContent();
    now = millis;
    return this;
  }

  /** Ends the scan at a row, exclusive; null for none. */
  void stopBefore(byte[] row) {
    end = row;
  }

  /** The scan has given a row. */
  void found() {
    found++;
  }

  /** The row that was not looked at any more; null where there is none. */
  byte[] stoppedAt() {
    return stoppedAt;
  }

  @Override
  public void reset() {
    hasCell = false;
    content = content == null ? null : new RowContent();
  }

  @Override
  public boolean filterRowKey(Cell cell) {
    if (stoppedAt == null && isToStop(cell)) {
      stoppedAt = CellUtil.cloneRow(cell);
    }
    if (stoppedAt != null) {
      return true;
    }
    hasSeenRow = true;
    byte[] row = cell.getRowArray();
    int offset = cell.getRowOffset();
    int length = cell.getRowLength();
    return change.place(row, offset, length) != place
        && !(withTooLong && change.isTooLongToMove(row, offset, length));
  }

  /** Never stops at the first row, so that a scan from where the last one stopped advances. */
  private boolean isToStop(Cell cell) {
    return (hasSeenRow && (found >= most || System.nanoTime() - began > nanos))
        || (end != null && CellComparator.getInstance().compareRows(cell, end, 0, end.length) >= 0);
  }

  @Override
  public boolean filterAllRemaining() {
    return stoppedAt != null;
  }

  @Override
  public ReturnCode filterCell(Cell cell) {
    if (hasCell) {
      return ReturnCode.NEXT_ROW;
    }
    ReturnCode code = ofLeftovers ? Leftovers.newest(cell) : codeOfRow(cell);
    hasCell = code != ReturnCode.SKIP && code != ReturnCode.NEXT_ROW;
    return code;
  }

  private ReturnCode codeOfRow(Cell cell) {
    boolean isOfRow = content == null || (content.test(cell) && !OldRows.isEnded(cell, now));
    return isOfRow ? ReturnCode.INCLUDE : ReturnCode.SKIP;
  }
}
