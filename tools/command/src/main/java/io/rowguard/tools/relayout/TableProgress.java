package io.rowguard.tools.relayout;

import io.rowguard.relayout.PolledRegion;
import io.rowguard.relayout.RegionProgress;
import java.util.List;
import java.util.concurrent.TimeUnit;

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
 * @param secondsSinceOpened how long ago the last of the regions has opened; null where none tells
 * @param pausedRegions how many regions refuse to have rows pulled by a mover
 */
record TableProgress(
    long moved,
    long left,
    int uncountedRegions,
    Double percent,
    double rowsPerSecond,
    Long secondsLeft,
    Long secondsSinceOpened,
    int pausedRegions) {
  /** Rows of less time say little of a second. */
  private static final long FEWEST_MILLIS = 1_000;

  private static TableProgress of(
      long moved,
      long left,
      int uncountedRegions,
      double rowsPerSecond,
      Long secondsSinceOpened,
      int pausedRegions) {
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
        secondsSinceOpened,
        pausedRegions);
  }

  /** Sums up what regions have told. */
  static TableProgress of(List<PolledRegion> polled) {
    long moved = 0;
    long left = 0;
    int uncounted = 0;
    int paused = 0;
    long open = Long.MAX_VALUE;
    for (PolledRegion region : polled) {
      paused += region.response() != null && region.response().isPaused() ? 1 : 0;
      RegionProgress progress = progressOf(region);
      if (progress == null) {
        uncounted++;
        continue;
      }
      uncounted += progress.isCounted() ? 0 : 1;
      moved += progress.gone();
      left += progress.left();
      open = Math.min(open, openMillis(region, progress));
    }
    Long opened = open == Long.MAX_VALUE ? null : (Long) TimeUnit.MILLISECONDS.toSeconds(open);
    return of(moved, left, uncounted, rowsPerSecond(polled), opened, paused);
  }

  /**
   * The sum of what each region has given away since the first row of all went, in the last minute;
   * or since it opened, where that was later: it knows of nothing before.
   */
  private static double rowsPerSecond(List<PolledRegion> polled) {
    long millis = FEWEST_MILLIS;
    for (PolledRegion region : polled) {
      RegionProgress progress = progressOf(region);
      millis = progress == null ? millis : Math.max(millis, progress.latelyMillis());
    }
    double sum = 0;
    for (PolledRegion region : polled) {
      RegionProgress progress = progressOf(region);
      if (progress != null) {
        long of = Math.max(FEWEST_MILLIS, Math.min(millis, openMillis(region, progress)));
        sum += progress.lately() * 1000.0 / of;
      }
    }
    return sum;
  }

  /** How long a region has been open, by its server's clock alone. */
  private static long openMillis(PolledRegion region, RegionProgress progress) {
    return Math.max(0, region.response().clock() - progress.openedMillis());
  }

  /** Null where a region does not tell. */
  private static RegionProgress progressOf(PolledRegion region) {
    return region.response() == null ? null : RegionProgress.of(region.response());
  }

  /**
   * The same, not less than before: rows that had moved when a region opened anew count as moved.
   *
   * @param rows how many were moved or left before
   */
  TableProgress ofAtLeast(long rows) {
    return uncountedRegions > 0
        ? this
        : of(
            Math.max(moved, rows - left),
            left,
            0,
            rowsPerSecond,
            secondsSinceOpened,
            pausedRegions);
  }

  /** Whether movers wait: one region that refuses is enough. */
  boolean isPaused() {
    return pausedRegions > 0;
  }

  /** How many rows have moved or are left. */
  long rows() {
    return moved + left;
  }
}
