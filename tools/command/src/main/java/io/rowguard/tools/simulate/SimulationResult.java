package io.rowguard.tools.simulate;

import io.rowguard.model.SimulatedRegionState;
import io.rowguard.tools.cli.Gini;
import io.rowguard.tools.keys.KeyIntake;
import java.util.Arrays;
import java.util.List;

/** The result of a design, in either model, and figures made of it. Immutable. */
final class SimulationResult {
  /** The hottest region of a moment takes so many times its even share: a hotspot. */
  private static final double HOTSPOT = 3;

  private final Design design;
  private final KeyIntake intake;
  private final Timeline timeline;
  private final long[] rows;
  private final long[] bytes;
  private final boolean[] oneGroup;
  private final boolean[] reachable;
  private final Growth growth;

  /**
   * The result of the simple model.
   *
   * @param valueBytes how many bytes each row has beside its key
   */
  SimulationResult(Design design, Tally tally, int valueBytes) {
    this.design = design;
    this.intake = tally.intake();
    this.timeline = tally.timeline();
    this.rows = tally.rows().clone();
    this.bytes = tally.rowBytes().clone();
    this.oneGroup = new boolean[rows.length];
    for (int i = 0; i < rows.length; i++) {
      bytes[i] += rows[i] * valueBytes;
      oneGroup[i] = tally.isOneGroup(i);
    }
    this.reachable = design.reachable();
    this.growth = null;
  }

  /**
   * The result of the full model.
   *
   * @param design with the regions as they are in the end
   * @param timeline the writes, by those regions
   */
  SimulationResult(Design design, KeyIntake intake, Timeline timeline, Growth growth) {
    List<SimulatedRegionState> states = growth.states();
    this.design = design;
    this.intake = intake;
    this.timeline = timeline;
    this.rows = states.stream().mapToLong(SimulatedRegionState::rows).toArray();
    this.bytes = states.stream().mapToLong(SimulatedRegionState::bytes).toArray();
    this.oneGroup = new boolean[rows.length];
    for (int i = 0; i < rows.length; i++) {
      byte[] first = states.get(i).firstRow();
      // Without a group every row is one, and a region of one row is nothing to speak of.
      oneGroup[i] =
          design.group().segment() != null
              && first != null
              && design.group().same(first, states.get(i).lastRow());
    }
    this.reachable = design.reachable();
    this.growth = growth;
  }

  Design design() {
    return design;
  }

  KeyIntake intake() {
    return intake;
  }

  /** The writes over time, by the regions as they are in the end. */
  Timeline timeline() {
    return timeline;
  }

  /** The writes over time, by the regions as they were at each moment. */
  Timeline live() {
    return growth == null ? timeline : growth.regions();
  }

  /** How the regions came about; null in the simple model, where they stay as they are. */
  Growth growth() {
    return growth;
  }

  int regions() {
    return design.regions();
  }

  long rows(int region) {
    return rows[region];
  }

  /** The rows of all regions. */
  long rows() {
    return Arrays.stream(rows).sum();
  }

  /** The bytes of a region: rowkeys and values. */
  long bytes(int region) {
    return bytes[region];
  }

  /** The bytes of all regions. */
  long bytes() {
    return Arrays.stream(bytes).sum();
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
    return oneGroup[region];
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
    return Gini.of(rows);
  }

  /**
   * Whether at most times one region takes far more of the writes than its even share; in the full
   * model one server, if there are several.
   */
  boolean isHotspot() {
    if (growth != null && growth.settings().servers() > 1) {
      return isFarAbove(growth.servers().meanHottestShare(), growth.settings().servers());
    }
    return isFarAbove(live().meanHottestShare(), regions());
  }

  private static boolean isFarAbove(double share, int count) {
    return count > 1 && share > Math.min(HOTSPOT / count, (1 + 1.0 / count) / 2);
  }
}
