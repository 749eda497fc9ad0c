package io.rowguard.load;

/** An answer of {@link LoadSplitRule}: cut now, wait, or the load cannot be divided. */
public enum LoadSplitAnswer {
  /** The region's load is not above the one at which it is cut. */
  BELOW("wait: the load is not above rowguard.split.load"),
  /** The region was made too short a time ago. */
  YOUNG("wait: the region is younger than rowguard.split.load.minutes"),
  /** The load is above it, but was not all the time. */
  SHORT("wait: the load is not above rowguard.split.load for long enough"),
  /** There are too few sampled operations to judge. */
  LITTLE("wait: too few operations are sampled to judge"),
  /** No cut helps, for the reason that the verdict gives. */
  CANNOT("cannot: no split divides the load"),
  /** HBase would refuse it: by its split policy, or as files of the region's parent are left. */
  UNSPLITTABLE(
      "wait: the region cannot be split: SPLIT_POLICY forbids it, or files of its parent are left"),
  /** The master was asked for a split too short a time ago. */
  ASKED("wait: the master was asked within rowguard.split.load.minutes"),
  /** The server has as many regions of the table as load may make. */
  REGIONS("wait: the server has rowguard.split.load.max.regions regions of the table"),
  /** The region is to be cut at the boundary that divides its load best. */
  CUT("cut: the master is asked for a split");

  private final String text;

  LoadSplitAnswer(String text) {
    this.text = text;
  }

  /** The answer and its reason in one clause. */
  public String text() {
    return text;
  }
}
