package io.rowguard.model;

import io.rowguard.layout.KeyRange;
import io.rowguard.layout.LayoutBoundaries;
import io.rowguard.load.LoadFinding;
import io.rowguard.load.LoadSnapshot;
import io.rowguard.load.LoadSplitAnswer;
import io.rowguard.load.LoadSplitRule;
import io.rowguard.load.LoadSummary;
import java.util.concurrent.TimeUnit;

/**
 * The load of a simulated region, counted from when a server has opened it. Every write counts,
 * where a server samples one in a hundred. Not thread-safe.
 */
final class SimulatedLoad {
  private final LayoutBoundaries boundaries;
  private final KeyRange range;
  private final long made;
  private final LoadSummary summary;
  private final LoadSplitRule rule;

  /**
   * @param made when the region was made, in nanoseconds
   * @param now when it is opened
   */
  SimulatedLoad(
      SplitByLoad settings,
      LayoutBoundaries boundaries,
      SimulatedRegion region,
      long made,
      long now,
      long seed) {
    this.boundaries = boundaries;
    this.range = KeyRange.of(region.start, true, region.end, false);
    this.made = made;
    this.summary = LoadSummary.of(boundaries.group(), SplitByLoad.HALF_LIFE_SECONDS, now, seed);
    this.rule =
        LoadSplitRule.of(settings.load(), SplitByLoad.MINUTES_MILLIS, settings.maxRegions());
  }

  /** When the region was made. */
  long made() {
    return made;
  }

  /** A row is written. */
  void write(byte[] row, long now) {
    summary.record(row, 0, row.length, 1, /* isWrite= */ true, now);
  }

  /**
   * The key at which the region is cut now; null where it is not.
   *
   * @param isSplittable whether HBase would split it
   * @param regions how many regions its server has
   */
  byte[] cut(long now, boolean isSplittable, int regions) {
    LoadSnapshot snapshot = summary.snapshot(now);
    LoadFinding finding = LoadFinding.of(snapshot, boundaries, range);
    double perSecond = snapshot.perHalfLife(snapshot.total()) / SplitByLoad.HALF_LIFE_SECONDS;
    LoadSplitAnswer answer =
        rule.answer(millis(now), millis(now - made), perSecond, finding, isSplittable, regions);
    return answer == LoadSplitAnswer.CUT ? finding.boundary() : null;
  }

  private static long millis(long nanos) {
    return TimeUnit.NANOSECONDS.toMillis(nanos);
  }
}
