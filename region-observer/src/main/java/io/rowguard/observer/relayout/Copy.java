package io.rowguard.observer.relayout;

import java.util.Collections;
import java.util.List;
import org.apache.hadoop.hbase.Cell;

/** One row on its way from its old row to its new one. Of one thread. */
final class Copy {
  private final int index;
  private final byte[] newRow;
  private final byte[] oldRow;
  private final List<Cell> cells;
  private final long newest;
  private final long newestPut;
  private final long newestOfThePast;
  private boolean written;
  private boolean retried;
  private String failure;

  /**
   * @param index of the row among all that are pulled
   * @param oldRow null where nothing is there
   * @param cells of the old row, as cells of the new one
   * @param oldClock of the server that read them, when it did
   */
  private Copy(int index, byte[] newRow, byte[] oldRow, List<Cell> cells, long oldClock) {
    this.index = index;
    this.newRow = newRow;
    this.oldRow = oldRow;
    this.cells = cells;
    long last = Long.MIN_VALUE;
    long lastPut = Long.MIN_VALUE;
    long lastOfThePast = Long.MIN_VALUE;
    for (Cell cell : cells) {
      long timestamp = cell.getTimestamp();
      last = Math.max(last, timestamp);
      if (cell.getType() == Cell.Type.Put) {
        lastPut = Math.max(lastPut, timestamp);
      }
      if (timestamp <= oldClock) {
        lastOfThePast = Math.max(lastOfThePast, timestamp);
      }
    }
    this.newest = last;
    this.newestPut = lastPut;
    this.newestOfThePast = lastOfThePast;
  }

  static Copy ofNothing(int index, byte[] newRow) {
    return new Copy(index, newRow, null, Collections.emptyList(), 0);
  }

  static Copy of(int index, byte[] newRow, byte[] oldRow, List<Cell> cells, long oldClock) {
    return new Copy(index, newRow, oldRow, cells, oldClock);
  }

  int index() {
    return index;
  }

  byte[] newRow() {
    return newRow;
  }

  byte[] oldRow() {
    return oldRow;
  }

  /** The cells of the old row, markers too, as cells of the new one. */
  List<Cell> cells() {
    return cells;
  }

  boolean isNothing() {
    return oldRow == null;
  }

  /**
   * The timestamp up to which the old row is deleted: that of its newest put. Users' markers hide
   * nothing that the delete does not: a leftover that is as young as they are would hide more.
   *
   * @param withMarkers up to its newest marker, where that is younger: it has to go, too
   */
  long upTo(boolean withMarkers) {
    return withMarkers ? newest : newestPut;
  }

  /** The newest, of markers too, that the old row's server had passed; less than any for none. */
  long newestOfThePast() {
    return newestOfThePast;
  }

  /** The new row has all of it. */
  void written() {
    written = true;
  }

  /** The new row had all of it before, of a pull that failed. */
  void wasThere() {
    written = true;
    retried = true;
  }

  /** Whether another pull has copied it, and failed. */
  boolean isRetried() {
    return retried;
  }

  /** Whether the old row is to be removed, or has been: what it has is at the new one. */
  boolean isToBeDropped() {
    return written && failure == null;
  }

  /** Fails the pull of the row for now; the first reason stands. */
  void fail(String words) {
    failure = failure == null ? words : failure;
  }

  /** Why it is not pulled; null where it is, or may still be. */
  String failure() {
    return failure;
  }
}
