package io.rowguard.observer.relayout;

import io.rowguard.layout.LayoutChange;
import io.rowguard.layout.LayoutChange.Place;
import io.rowguard.layout.RowText;
import io.rowguard.relayout.EmptiedRange;
import io.rowguard.relayout.RelayoutResponse.Item;
import io.rowguard.relayout.RelayoutResponse.Outcome;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;

/**
 * Counts the rows of a region that do not belong there: old ones while rows move, new ones while
 * that is only prepared. Also finds what else is in the way: rows that have no place under the
 * other layout, since they would be too long there; and delete markers that an earlier relayout has
 * left at its new rows, and that would hide what is written there ({@link Leftovers}).
 *
 * <p>Where edits come in any order, a row of delete markers only is counted, too.
 *
 * <p>Bounded by a number of rows and by time, whatever there is to be skipped; so a count may end
 * before the region does. Cost: the keys of the region are read, no values; twice where its files
 * have markers of families. An empty result is remembered, for nothing can come while the region is
 * open: the next count is answered at once.
 *
 * <p>One per region instance. Thread-safe.
 */
final class MisplacedRows {
  /** Number of rows that ends a count. */
  static final int MOST_ROWS = 1_000;

  /** Limit of markers that are named, and of rows that are too long. */
  private static final int MOST_NAMED = 100;

  private static final long MOST_MILLIS = 5_000;
  private static final long LOOK_MILLIS = 500;

  private final HRegion region;
  private final LayoutChange change;
  private final Place place;
  private final Leftovers leftovers;
  private final boolean anyOrder;

  private final ReentrantLock looking = new ReentrantLock();

  /** The first row that may be in the way; null when none is in the whole region. */
  private byte[] noneBefore = {};

  /** The first row that may be at the place; null when none is in the whole region. */
  private byte[] goneBefore = {};

  /**
   * A count of a region.
   *
   * @param place of the rows that are not at home
   * @param anyOrder whether edits arrive from other clusters in any order
   */
  MisplacedRows(HRegion region, LayoutChange change, Place place, boolean anyOrder) {
    this.region = region;
    this.change = change;
    this.leftovers = new Leftovers(region, anyOrder);
    this.anyOrder = anyOrder;
    this.place = place;
  }

  /** The result of a count. */
  static final class Count {
    private final List<Item> items = new ArrayList<>();
    private long rows;
    private byte[] first;

    /** How many rows were found, up to {@link #MOST_ROWS}. */
    long rows() {
      return rows;
    }

    /** Other obstacles, and the row to go on from, if any. */
    List<Item> items() {
      return items;
    }
  }

  /** Whether it is known that a row, one of the region, is not there. */
  boolean isGone(byte[] row) {
    byte[] known = goneBefore();
    return known == null || Bytes.compareTo(row, known) < 0;
  }

  /** The rows of the region of which none is there, as far as is known. */
  EmptiedRange gone() {
    RegionInfo info = region.getRegionInfo();
    byte[] known = goneBefore();
    return new EmptiedRange(info.getStartKey(), known == null ? info.getEndKey() : known);
  }

  /** Looks further how many rows are gone, for half a second, unless another thread does. */
  void findGone() throws IOException {
    byte[] from = goneBefore();
    if (from != null && looking.tryLock()) {
      try {
        RowsAt rows = new RowsAt(change, place, 1, TimeUnit.MILLISECONDS.toNanos(LOOK_MILLIS));
        Count count = new Count();
        rememberGone(countRows(from, rows, count) ? rows.stoppedAt() : count.first);
      } finally {
        looking.unlock();
      }
    }
  }

  /**
   * Counts.
   *
   * @param from the row to begin at, inclusive; empty for the region's first
   */
  Count count(byte[] from) throws IOException {
    Count count = new Count();
    byte[] known = noneBefore();
    if (known == null) {
      return count;
    }
    boolean joins = Bytes.compareTo(from, known) <= 0;
    byte[] begin = joins ? known : from;
    long nanos = TimeUnit.MILLISECONDS.toNanos(millis()) / 2;
    RowsAt markers = new RowsAt(change, Place.NEW, MOST_NAMED, nanos).ofLeftovers();
    boolean noMarkers = !leftovers.mayBeThere() || findLeftovers(begin, markers, count);
    RowsAt rows = new RowsAt(change, place, MOST_ROWS, nanos).withTooLong();
    rows.stopBefore(markers.stoppedAt());
    boolean noRows = countRows(begin, rows, count);
    byte[] end = rows.stoppedAt();
    if (joins && noRows) {
      rememberGone(end);
    }
    if (joins && noRows && noMarkers) {
      remember(end);
    }
    if (end != null) {
      count.items.add(Item.of(Outcome.LATER, end));
    }
    return count;
  }

  private synchronized byte[] noneBefore() {
    return noneBefore;
  }

  private synchronized void remember(byte[] row) {
    noneBefore = later(noneBefore, row);
  }

  private synchronized byte[] goneBefore() {
    return goneBefore;
  }

  private synchronized void rememberGone(byte[] row) {
    goneBefore = later(goneBefore, row);
  }

  private static byte[] later(byte[] row, byte[] other) {
    return row == null || other == null ? null : Bytes.compareTo(row, other) >= 0 ? row : other;
  }

  /** Half of what is left to the request. */
  private static long millis() {
    long now = EnvironmentEdgeManager.currentTime();
    long deadline = RpcServer.getCurrentCall().map(RpcCall::getDeadline).orElse(Long.MAX_VALUE);
    return Math.min(MOST_MILLIS, (deadline - now) / 2);
  }

  /** Answers whether there are none. */
  private boolean findLeftovers(byte[] from, RowsAt filter, Count count) throws IOException {
    boolean none = true;
    Scan scan = scan(from, filter).setRaw(true).readAllVersions();
    try (RegionScanner scanner = region.getScanner(scan)) {
      List<Cell> cells = new ArrayList<>();
      boolean more = true;
      while (more) {
        more = scanner.next(cells);
        if (!cells.isEmpty()) {
          filter.found();
          count.items.add(Item.of(Outcome.FAILED, inTheWay(cells.get(0))));
          none = false;
        }
        cells.clear();
      }
    }
    return none;
  }

  private String inTheWay(Cell marker) {
    return "A delete marker of an earlier relayout would hide what is written. table="
        + region.getTableDescriptor().getTableName().getNameAsString()
        + " row=\""
        + RowText.abbreviated(CellUtil.cloneRow(marker))
        + "\" timestamp="
        + marker.getTimestamp()
        + ". A major compaction removes it.";
  }

  /** Answers whether there is no such row. */
  private boolean countRows(byte[] from, RowsAt filter, Count count) throws IOException {
    int tooLong = 0;
    Scan scan = scan(from, filter);
    if (anyOrder) {
      long now = EnvironmentEdgeManager.currentTime();
      filter.withMarkersOnly(now);
      OldRows.leaveOutEnded(region.getTableDescriptor(), scan.setRaw(true).readAllVersions(), now);
    }
    try (RegionScanner scanner = region.getScanner(scan)) {
      List<Cell> cells = new ArrayList<>();
      boolean more = true;
      while (more) {
        more = scanner.next(cells);
        if (!cells.isEmpty()) {
          byte[] row = CellUtil.cloneRow(cells.get(0));
          if (change.place(row) == place) {
            count.first = count.rows++ == 0 ? row : count.first;
          } else if (++tooLong <= MOST_NAMED) {
            count.items.add(Item.of(Outcome.FAILED, tooLong(row)));
          }
          filter.found();
        }
        cells.clear();
      }
    }
    return count.rows == 0 && tooLong == 0;
  }

  private String tooLong(byte[] row) {
    return "A row cannot move: under the other layout it would be longer than a row may be. table="
        + region.getTableDescriptor().getTableName().getNameAsString()
        + " row=\""
        + RowText.abbreviated(row)
        + "\" length="
        + row.length
        + " most="
        + change.from().rowLengthLimit()
        + ". Write what is good of it under a shorter key and delete it, or turn back.";
  }

  private static Scan scan(byte[] from, RowsAt filter) {
    return new Scan().withStartRow(from).setFilter(filter).setCacheBlocks(false);
  }
}
