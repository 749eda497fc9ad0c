package io.rowguard.load;

import io.rowguard.layout.KeyRange;
import io.rowguard.layout.LayoutBoundaries;

/**
 * The finding of a snapshot of a region's load: the verdict, and the legal boundary that divides
 * the load best. A function of the two; immutable.
 *
 * <p>Where no legal boundary leaves {@value #SMALLER_SIDE} of the load to the smaller side, one
 * entity group has more than half of it: the load below a boundary jumps there from less than a
 * quarter to more than three. The shares come from a sample of 256 rows: two standard deviations
 * are about 0.06.
 *
 * <p>Cost: below a millisecond.
 */
public final class LoadFinding {
  /** The share of the load that the smaller side of a cut must have to be worth it. */
  public static final double SMALLER_SIDE = 0.25;

  /** Sampled operations, halved per half-life, below which nothing is said. */
  public static final double ENOUGH = 50;

  // A load that no boundary divides well has one key with about half of the load or more, and the
  // row most of that.
  private static final double DOMINANT = 0.4;

  private final LoadVerdict verdict;
  private final byte[] boundary;
  private final double smallerSide;
  private final String repeats;

  /**
   * @param cut null where there is none
   */
  LoadFinding(LoadVerdict verdict, LoadCut cut, String repeats) {
    this.verdict = verdict;
    this.boundary = cut == null ? null : cut.boundary();
    this.smallerSide = cut == null ? 0 : cut.smallerSide();
    this.repeats = repeats;
  }

  /**
   * Reads a snapshot.
   *
   * @param boundaries those of the groups that the snapshot was made with
   * @param region the rows of the region
   */
  public static LoadFinding of(
      LoadSnapshot snapshot, LayoutBoundaries boundaries, KeyRange region) {
    if (snapshot.total() < ENOUGH) {
      return new LoadFinding(LoadVerdict.LITTLE, null, null);
    }
    LoadCut cut = LoadCut.best(snapshot.sample(), boundaries, region);
    if (cut == null || cut.smallerSide() < SMALLER_SIDE) {
      boolean isOneRow = snapshot.rows().get(0).atLeast() >= DOMINANT * snapshot.total();
      return new LoadFinding(isOneRow ? LoadVerdict.ONE_ROW : LoadVerdict.ONE_GROUP, cut, null);
    }
    if (Arrivals.areInOrder(snapshot)) {
      return new LoadFinding(LoadVerdict.ASCENDING, cut, null);
    }
    BucketLoad buckets = BucketLoad.of(snapshot, region);
    return buckets.areFew()
        ? new LoadFinding(LoadVerdict.FEW_BUCKETS, cut, buckets.repeated())
        : new LoadFinding(LoadVerdict.EVEN, cut, null);
  }

  /** The verdict. */
  public LoadVerdict verdict() {
    return verdict;
  }

  /**
   * The legal boundary inside the region that divides the load best, whatever the verdict; null
   * when there is none.
   */
  public byte[] boundary() {
    return boundary == null ? null : boundary.clone();
  }

  /** The share of the load on the smaller side of that boundary, 0 to 0.5. */
  public double smallerSide() {
    return smallerSide;
  }

  /**
   * Whether splitting at the boundary helps: both sides then have a good share of the load, now and
   * later.
   */
  public boolean isWorthCutting() {
    return smallerSide >= SMALLER_SIDE && verdict != LoadVerdict.ASCENDING;
  }

  /**
   * With {@link LoadVerdict#FEW_BUCKETS}, the input of the salt that most of the load has, such as
   * {@code tenant="acme"}; else, or where different inputs have few salts, null.
   */
  public String repeats() {
    return repeats;
  }
}
