package io.rowguard.tools.relayout;

import io.rowguard.relayout.PolledRegion;
import io.rowguard.relayout.RegionProgress;
import java.util.List;

/**
 * The progress of a table whose rows move, as its regions tell it. A region that opens anew, where
 * it moves or its server ends, knows no more what has left it before, and counts what it has left.
 * So the share is of the rows that the regions have had since they opened.
 *
 * @param moved how many rows have left the regions since these opened, by whoever moved them
 * @param left how many old rows are left, of those that the regions have counted
 * @param uncountedRegions how many regions have not counted all of theirs, or do not tell
 * @param percent how many rows of a hundred have moved, in tenths, rounded down; null where some
 *     are not counted
 * @param rowsPerSecond how many rows move in a second at present: in the last minute, or since the
 *     first one moved in it
 * @param secondsLeft how long the rest takes at that; null where some are not counted, or none
 *     moves
 * @param lastOpenedMillis when the last of the regions has opened, by the clock of its server; 0
 *     where none tells
 */
record TableProgress(
    long moved,
    long left,
    int uncountedRegions,
    Double percent,
    double rowsPerSecond,
    Long secondsLeft,
    long lastOpenedMillis) {

  private static TableProgress of(
      long moved, long left, int uncountedRegions, double rowsPerSecond, long lastOpenedMillis) {
    boolean isCounted = uncountedRegions == 0;
    long all = moved + left;
    Double percent = all == 0 ? (Double) 100.0 : (Double) (Math.floor(1000.0 * moved / all) / 10);
    boolean isTold = isCounted && (left == 0 || rowsPerSecond > 0);
    return new TableProgress(
        moved,
        left,
        uncountedRegions,
        isCounted ? percent : null,
        rowsPerSecond,
        isTold ? (Long) (left == 0 ? 0 : Math.round(left / rowsPerSecond)) : null,
        lastOpenedMillis);
  }

  /** Sums up what regions have told. */
  static TableProgress of(List<PolledRegion> polled) {
    long moved = 0;
    long left = 0;
    int uncounted = 0;
    long lately = 0;
    long latelyMillis = 0;
    long lastOpened = 0;
    for (PolledRegion region : polled) {
      RegionProgress progress =
          region.response() == null ? null : RegionProgress.of(region.response());
      if (progress == null) {
        uncounted++;
        continue;
      }
      uncounted += progress.isCounted() ? 0 : 1;
      moved += progress.gone();
      left += progress.left();
      lately += progress.lately();
      latelyMillis = Math.max(latelyMillis, progress.latelyMillis());
      lastOpened = Math.max(lastOpened, progress.openedMillis());
    }
    double rate = lately == 0 ? 0 : lately * 1000.0 / Math.max(1000, latelyMillis);
    return of(moved, left, uncounted, rate, lastOpened);
  }

  /**
   * The same, not less than before: rows that had moved when a region opened anew count as moved.
   *
   * @param rows how many were moved or left before
   */
  TableProgress ofAtLeast(long rows) {
    return uncountedRegions > 0
        ? this
        : of(Math.max(moved, rows - left), left, 0, rowsPerSecond, lastOpenedMillis);
  }

  /** How many rows have moved or are left. */
  long rows() {
    return moved + left;
  }

  /** How long ago the last of the regions has opened, in seconds. */
  long secondsSinceOpened() {
    return Math.max(0, (System.currentTimeMillis() - lastOpenedMillis) / 1000);
  }
}
