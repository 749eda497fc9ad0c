package io.rowguard.tools.merge;

import io.rowguard.layout.PresplitBoundaries;
import java.util.ArrayList;
import java.util.List;

/**
 * The neighbours of a table that are to become one region: those where all but one are empty, or
 * all are small and so is what they become; and never where a boundary of the pre-split would go. A
 * pure function.
 */
final class MergePlan {
  /** HBase merges any number at a time; all of them are closed meanwhile. */
  private static final int MOST_AT_ONCE = 32;

  private final PresplitBoundaries presplit;
  private final long smallerThan;
  private final List<List<MergeRegion>> groups = new ArrayList<>();
  private List<MergeRegion> group = new ArrayList<>();

  private MergePlan(PresplitBoundaries presplit, long smallerThan) {
    this.presplit = presplit;
    this.smallerThan = smallerThan;
  }

  /**
   * Plans.
   *
   * @param regions all of the table, ascending
   * @param presplit of the table
   * @param smallerThan how many bytes a merged region may have at most; 0 to merge only what is
   *     empty
   * @return the regions that become one, two or more each, ascending
   */
  static List<List<MergeRegion>> of(
      List<MergeRegion> regions, PresplitBoundaries presplit, long smallerThan) {
    MergePlan plan = new MergePlan(presplit, smallerThan);
    regions.forEach(plan::add);
    plan.endGroup();
    return plan.groups;
  }

  private void add(MergeRegion region) {
    group.add(region);
    if (!isRight()) {
      group.remove(group.size() - 1);
      endGroup();
      group.add(region);
    }
  }

  private void endGroup() {
    if (group.size() > 1) {
      groups.add(group);
    }
    group = new ArrayList<>();
  }

  private boolean isRight() {
    if (group.size() > MOST_AT_ONCE) {
      return false;
    }
    boolean isFitting =
        smallerThan > 0
            ? group.size() == 1 || group.stream().mapToLong(MergeRegion::bytes).sum() < smallerThan
            : group.stream().filter(region -> !region.isEmpty()).count() <= 1;
    return isFitting
        && presplit
            .lost(
                group.stream().map(MergeRegion::start).toList(),
                group.stream().map(MergeRegion::end).toList())
            .isEmpty();
  }
}
