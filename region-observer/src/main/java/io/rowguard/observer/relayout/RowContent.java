package io.rowguard.observer.relayout;

import java.util.function.Predicate;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;

/**
 * Tells of the stored cells of one row which are of the row: all but {@link Leftovers} and what
 * they hide. Takes them in HBase's order, in which a marker of a family comes before the cells of
 * that. Of one row and one thread.
 */
final class RowContent implements Predicate<Cell> {
  private byte[] family;
  private long leftUpTo;
  private boolean hasPut;
  private boolean hasMarker;

  @Override
  public boolean test(Cell cell) {
    if (family == null || !CellUtil.matchingFamily(cell, family)) {
      family = CellUtil.cloneFamily(cell);
      leftUpTo = Long.MIN_VALUE;
    }
    if (leftUpTo == Long.MIN_VALUE && Leftovers.isOne(cell)) {
      leftUpTo = cell.getTimestamp();
    }
    boolean isLeft = cell.getTimestamp() <= leftUpTo;
    hasPut |= !isLeft && cell.getType() == Cell.Type.Put;
    hasMarker |= !isLeft && cell.getType() != Cell.Type.Put;
    return !isLeft;
  }

  /** Whether a put was among what is of the row so far. */
  boolean hasPut() {
    return hasPut;
  }

  /** Whether a delete marker was among what is of the row so far. */
  boolean hasMarker() {
    return hasMarker;
  }
}
