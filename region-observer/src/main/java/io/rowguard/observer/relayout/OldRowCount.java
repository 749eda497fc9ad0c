package io.rowguard.observer.relayout;

import io.rowguard.layout.LayoutChange;
import io.rowguard.layout.LayoutChange.Place;
import io.rowguard.layout.RowText;
import io.rowguard.relayout.Answer.Item;
import io.rowguard.relayout.Answer.Outcome;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.io.TimeRange;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;

/**
 * How many old rows a region has, and which delete markers at its new rows would hide what is
 * written there from now on: those with a timestamp that the server's clock has not reached.
 *
 * <p>Bounded by a number of rows and by time, whatever there is to be skipped; so it may end before
 * the region does. Cost: the keys of the region are read, no values; markers are looked for only in
 * files with cells of the future, of which there mostly are none.
 */
final class OldRowCount {
  /** So many rows end a count. */
  static final int MOST_ROWS = 1_000;

  /** So many markers are named. */
  private static final int MOST_MARKERS = 100;

  private static final long MOST_MILLIS = 5_000;

  private final List<Item> items = new ArrayList<>();
  private long oldRows;

  private OldRowCount() {}

  /**
   * Counts.
   *
   * @param from the row to begin at, inclusive; empty for the region's first
   */
  static OldRowCount of(HRegion region, LayoutChange change, byte[] from) throws IOException {
    OldRowCount count = new OldRowCount();
    long nanos = TimeUnit.MILLISECONDS.toNanos(millis()) / 2;
    RowsAt markers = new RowsAt(change, Place.NEW, MOST_MARKERS, nanos);
    count.findMarkers(region, from, markers);
    RowsAt rows = new RowsAt(change, Place.OLD, MOST_ROWS, nanos);
    rows.stopBefore(markers.stoppedAt());
    count.countRows(region, from, rows);
    if (rows.stoppedAt() != null) {
      count.items.add(Item.of(Outcome.LATER, rows.stoppedAt()));
    }
    return count;
  }

  /** How many old rows were found, up to {@link #MOST_ROWS}. */
  long oldRows() {
    return oldRows;
  }

  /** What is in the way, and the row to go on from, if any. */
  List<Item> items() {
    return items;
  }

  /** Half of what is left to the request. */
  private static long millis() {
    long now = EnvironmentEdgeManager.currentTime();
    long deadline = RpcServer.getCurrentCall().map(RpcCall::getDeadline).orElse(Long.MAX_VALUE);
    return Math.min(MOST_MILLIS, (deadline - now) / 2);
  }

  private void findMarkers(HRegion region, byte[] from, RowsAt markers) throws IOException {
    long now = EnvironmentEdgeManager.currentTime();
    Scan scan = scan(from, markers.ofMarkers());
    scan.setRaw(true).readAllVersions().setTimeRange(now + 1, TimeRange.allTime().getMax());
    try (RegionScanner scanner = region.getScanner(scan)) {
      List<Cell> cells = new ArrayList<>();
      boolean more = true;
      while (more) {
        more = scanner.next(cells);
        if (!cells.isEmpty()) {
          markers.found();
          items.add(Item.of(Outcome.FAILED, inTheWay(region, cells.get(0), now)));
        }
        cells.clear();
      }
    }
  }

  private static String inTheWay(HRegion region, Cell marker, long now) {
    return "A delete marker of the future would hide what is written from now on. table="
        + region.getTableDescriptor().getTableName().getNameAsString()
        + " row=\""
        + RowText.abbreviated(CellUtil.cloneRow(marker))
        + "\" timestamp="
        + marker.getTimestamp()
        + " now="
        + now
        + ". A major compaction removes it.";
  }

  private void countRows(HRegion region, byte[] from, RowsAt rows) throws IOException {
    Scan scan = scan(from, rows);
    try (RegionScanner scanner = region.getScanner(scan)) {
      List<Cell> cells = new ArrayList<>();
      boolean more = true;
      while (more) {
        more = scanner.next(cells);
        if (!cells.isEmpty()) {
          oldRows++;
          rows.found();
        }
        cells.clear();
      }
    }
  }

  private static Scan scan(byte[] from, RowsAt filter) {
    return new Scan().withStartRow(from).setFilter(filter).setCacheBlocks(false);
  }
}
