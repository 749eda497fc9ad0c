package io.rowguard.observer.relayout;

import io.rowguard.layout.LayoutBoundaries;
import io.rowguard.layout.LayoutChange;
import io.rowguard.layout.LayoutChange.Place;
import io.rowguard.relayout.RegionProgress;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;

/**
 * A region's tally of its old rows while rows move: each is counted once, piece by piece when
 * somebody asks, and taken off when it goes. For the progress that people see; no step of a
 * relayout relies on it ({@link MisplacedRows} is for those).
 *
 * <p>A piece is one scan. A row that goes before it has begun is not seen by it; one that goes
 * later is, and is taken off if the piece has come so far. So nothing may go while a piece begins.
 *
 * <p>Cost: the keys of the region are read once after it has opened; a row that goes is compared
 * with one key. One per region instance; thread-safe.
 */
final class OldRowTally {
  private static final long PIECE_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** A piece that cannot begin so soon begins when somebody asks again. */
  private static final long BEGINNING_MILLIS = 100;

  private final HRegion region;
  private final LayoutChange change;
  private final long pieceNanos;
  private final boolean mayHaveSome;
  private final long openedMillis = EnvironmentEdgeManager.currentTime();

  /** Held for reading while rows go, for writing while a piece begins. */
  private final ReentrantReadWriteLock going = new ReentrantReadWriteLock();

  private final ReentrantLock counting = new ReentrantLock();
  private final LastMinute lastMinute = new LastMinute();
  private long gone;
  private long left;

  /** The row up to which old ones are counted, exclusive; null when all are. */
  private byte[] upTo;

  /** The rows after {@link #upTo} that have gone since a piece began; null while there is none. */
  private List<byte[]> goneMeanwhile;

  OldRowTally(HRegion region, LayoutChange change) {
    this(region, change, PIECE_NANOS);
  }

  /** A tally with pieces of another length; for tests. */
  OldRowTally(HRegion region, LayoutChange change, long pieceNanos) {
    this.region = region;
    this.change = change;
    this.pieceNanos = pieceNanos;
    this.mayHaveSome =
        LayoutBoundaries.of(change.from(), null)
            .isReachable(region.getRegionInfo().getStartKey(), region.getRegionInfo().getEndKey());
    this.upTo = mayHaveSome ? new byte[0] : null;
  }

  /** The lock under which old rows go and {@link #gone} is told of them. */
  Lock going() {
    return going.readLock();
  }

  /** Old rows have gone. The arrays are kept for a time. */
  synchronized void gone(List<byte[]> rows) {
    gone += rows.size();
    lastMinute.add(rows.size(), System.nanoTime());
    for (byte[] row : rows) {
      if (isBefore(row, upTo)) {
        takeOff();
      } else if (goneMeanwhile != null) {
        goneMeanwhile.add(row);
      }
    }
  }

  /** Never below none: a delete that is carried out twice is told of twice. */
  private void takeOff() {
    left = Math.max(0, left - 1);
  }

  private static boolean isBefore(byte[] row, byte[] end) {
    return end == null || Bytes.compareTo(row, end) < 0;
  }

  /** The progress, after another piece where not all is counted and no other thread counts. */
  RegionProgress progress() throws IOException {
    if (from() != null && counting.tryLock()) {
      try {
        countOn();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt(); // the region closes
      } finally {
        counting.unlock();
      }
    }
    return known();
  }

  private synchronized byte[] from() {
    return upTo;
  }

  /** Whether all rows that were counted have gone, of a region that may have had some. */
  synchronized boolean comesToNone() {
    return mayHaveSome && upTo == null && left == 0;
  }

  private synchronized RegionProgress known() {
    long now = System.nanoTime();
    return new RegionProgress(
        openedMillis, gone, left, upTo == null, lastMinute.rows(now), lastMinute.millis(now));
  }

  private void countOn() throws IOException, InterruptedException {
    byte[] from = from();
    if (from == null || !going.writeLock().tryLock(BEGINNING_MILLIS, TimeUnit.MILLISECONDS)) {
      return;
    }
    RowsAt old = new RowsAt(change, Place.OLD, Integer.MAX_VALUE, pieceNanos);
    RegionScanner scanner;
    try {
      scanner =
          region.getScanner(new Scan().withStartRow(from).setFilter(old).setCacheBlocks(false));
      begin();
    } finally {
      going.writeLock().unlock();
    }
    try (RegionScanner closed = scanner) {
      long rows = rowsOf(closed);
      add(rows, old.stoppedAt());
    } finally {
      end();
    }
  }

  private static long rowsOf(RegionScanner scanner) throws IOException {
    long rows = 0;
    List<Cell> cells = new ArrayList<>();
    boolean more = true;
    while (more) {
      more = scanner.next(cells);
      rows += cells.isEmpty() ? 0 : 1;
      cells.clear();
    }
    return rows;
  }

  private synchronized void begin() {
    goneMeanwhile = new ArrayList<>();
  }

  private synchronized void add(long rows, byte[] stoppedAt) {
    left += rows;
    upTo = stoppedAt;
    for (byte[] row : goneMeanwhile) {
      if (isBefore(row, upTo)) {
        takeOff();
      }
    }
  }

  private synchronized void end() {
    goneMeanwhile = null;
  }
}
