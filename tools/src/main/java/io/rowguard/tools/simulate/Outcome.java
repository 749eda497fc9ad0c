package io.rowguard.tools.simulate;

import io.rowguard.tools.cli.Gini;
import io.rowguard.tools.keys.KeyIntake;
import java.util.Arrays;

/** What came of a design: the tally of all threads, and figures made of it. Immutable. */
final class Outcome {
  /** The hottest region of a moment takes so many times its even share: a hotspot. */
  private static final double HOTSPOT = 3;

  private final Design design;
  private final Tally tally;
  private final int valueBytes;
  private final boolean[] reachable;

  /**
   * @param valueBytes how many bytes each row has beside its key
   */
  Outcome(Design design, Tally tally, int valueBytes) {
    this.design = design;
    this.tally = tally;
    this.valueBytes = valueBytes;
    this.reachable = design.reachable();
  }

  Design design() {
    return design;
  }

  KeyIntake intake() {
    return tally.intake();
  }

  Timeline timeline() {
    return tally.timeline();
  }

  int regions() {
    return design.regions();
  }

  long rows(int region) {
    return tally.rows()[region];
  }

  /** The rows of all regions. */
  long rows() {
    return Arrays.stream(tally.rows()).sum();
  }

  /** The bytes of a region: rowkeys and values. */
  long bytes(int region) {
    return tally.rowBytes()[region] + rows(region) * valueBytes;
  }

  /** The bytes of all regions. */
  long bytes() {
    return Arrays.stream(tally.rowBytes()).sum() + rows() * valueBytes;
  }

  /** A region's share of all rows. */
  double share(int region) {
    return rows() == 0 ? 0 : (double) rows(region) / rows();
  }

  boolean isReachable(int region) {
    return reachable[region];
  }

  int unreachable() {
    int count = 0;
    for (boolean each : reachable) {
      count += each ? 0 : 1;
    }
    return count;
  }

  boolean isOneGroup(int region) {
    return tally.isOneGroup(region);
  }

  int oneGroup() {
    int count = 0;
    for (int i = 0; i < regions(); i++) {
      count += isOneGroup(i) ? 1 : 0;
    }
    return count;
  }

  /** The region with the most rows. */
  int fullest() {
    int fullest = 0;
    for (int i = 1; i < regions(); i++) {
      if (rows(i) > rows(fullest)) {
        fullest = i;
      }
    }
    return fullest;
  }

  /** The Gini coefficient of the rows per region. */
  double gini() {
    return Gini.of(tally.rows());
  }

  /** Whether at most times one region takes far more of the writes than its even share. */
  boolean isHotspot() {
    double share = timeline().meanHottestShare();
    return regions() > 1 && share > Math.min(HOTSPOT / regions(), (1 + 1.0 / regions()) / 2);
  }
}
