package io.rowguard.tools.relayout;

import java.util.ArrayList;
import java.util.List;

/**
 * The work of a relayout, and the obstacles in its way.
 *
 * @param table the table's name
 * @param from the layout that rows would leave; null where the table has none
 * @param to the layout that rows would go to
 * @param group the segment that ends the entity group; null for none
 * @param mode what happens to rows that do not conform
 * @param version of the table's layouts, before
 * @param estimate of what moves; null where something is in the way that makes it meaningless
 * @param regions how many regions the table has
 * @param newRegions the keys at which regions are to be made, ascending
 * @param rowsPerSecond how fast rows are taken to move
 * @param isSpeedGiven whether the user gave it
 * @param diskBytes what is needed until the next major compaction, all copies of blocks counted
 * @param diskFree free bytes; -1 where unknown
 * @param compactsFirst whether start begins with a major compaction of regions
 * @param obstacles what is in the way; empty when it can be started
 * @param notes what else there is to know, a sentence each
 */
record RelayoutPlan(
    String table,
    String from,
    String to,
    String group,
    String mode,
    long version,
    MoveEstimate estimate,
    int regions,
    List<byte[]> newRegions,
    double rowsPerSecond,
    boolean isSpeedGiven,
    long diskBytes,
    long diskFree,
    boolean compactsFirst,
    List<RelayoutObstacle> obstacles,
    List<String> notes) {

  /** Whether it can be started. */
  boolean isClear() {
    return obstacles.isEmpty();
  }

  /** The same with one thing more in the way. */
  RelayoutPlan with(RelayoutObstacle obstacle) {
    List<RelayoutObstacle> all = new ArrayList<>(obstacles);
    all.add(obstacle);
    return new RelayoutPlan(
        table,
        from,
        to,
        group,
        mode,
        version,
        estimate,
        regions,
        newRegions,
        rowsPerSecond,
        isSpeedGiven,
        diskBytes,
        diskFree,
        compactsFirst,
        List.copyOf(all),
        notes);
  }

  /** How long the moving may take, in seconds. */
  long seconds() {
    return estimate == null ? 0 : Math.round(estimate.movingRows() / rowsPerSecond);
  }
}
