package io.rowguard.load;

/**
 * The rule by which a region is cut by its load, with the brakes on that. It remembers since when
 * the region's load is too high, and when a cut was due last. Not thread-safe.
 *
 * <p>A region is cut when its load was above a bound each time that it was looked at, for so long;
 * when the region is that old; when the last cut was due that long ago; when a legal boundary
 * leaves {@link LoadFinding#SMALLER_SIDE} of the load to the smaller side, now and later ({@link
 * LoadFinding#isWorthCutting}); when HBase would split it; and when the server has fewer regions of
 * the table than load may make.
 */
public final class LoadSplitRule {
  private static final long NEVER = -1;

  private final double load;
  private final long millis;
  private final int maxRegions;

  private long aboveSince = NEVER;
  private long cutAt = NEVER;

  private LoadSplitRule(double load, long millis, int maxRegions) {
    this.load = load;
    this.millis = millis;
    this.maxRegions = maxRegions;
  }

  /**
   * The rule for a region that is looked at for the first time.
   *
   * @param load operations per second, which its load must be above
   * @param millis how long it must be, how old the region, and how long ago the last cut
   * @param maxRegions regions of the table on a server at which none is cut by load
   */
  public static LoadSplitRule of(double load, long millis, int maxRegions) {
    return new LoadSplitRule(load, millis, maxRegions);
  }

  /**
   * Looks at the region once more. After {@link LoadSplitAnswer#CUT} the cut counts as due now,
   * whatever becomes of it.
   *
   * @param now the time in milliseconds, 0 or more, not before that of the last call
   * @param age milliseconds since the region was made
   * @param perSecond operations per second
   * @param finding the finding of the same load
   * @param isSplittable whether HBase would split the region
   * @param regions how many regions of the table the server has, this one too
   */
  public LoadSplitAnswer answer(
      long now,
      long age,
      double perSecond,
      LoadFinding finding,
      boolean isSplittable,
      int regions) {
    if (perSecond <= load) {
      aboveSince = NEVER;
      return LoadSplitAnswer.BELOW;
    }
    if (aboveSince == NEVER) {
      aboveSince = now;
    }
    if (age < millis) {
      return LoadSplitAnswer.YOUNG;
    }
    if (now - aboveSince < millis) {
      return LoadSplitAnswer.SHORT;
    }
    if (finding.verdict() == LoadVerdict.LITTLE) {
      return LoadSplitAnswer.LITTLE;
    }
    if (!finding.isWorthCutting()) {
      return LoadSplitAnswer.CANNOT;
    }
    if (!isSplittable) {
      return LoadSplitAnswer.UNSPLITTABLE;
    }
    if (cutAt != NEVER && now - cutAt < millis) {
      return LoadSplitAnswer.ASKED;
    }
    if (regions >= maxRegions) {
      return LoadSplitAnswer.REGIONS;
    }
    cutAt = now;
    return LoadSplitAnswer.CUT;
  }
}
