package io.rowguard.tools.merge;

import java.util.List;

/**
 * The merges, done or planned.
 *
 * @param table the table's name
 * @param layout that was gone by
 * @param isDone whether it was done; else it would be
 * @param regions how many regions the table has, or had where nothing was done
 * @param merges what becomes one, or became
 * @param failures how often a merge was refused in the end
 * @param why the last reason; null when none was refused
 */
record MergeOutcome(
    String table,
    String layout,
    boolean isDone,
    int regions,
    List<Merge> merges,
    int failures,
    String why) {

  /**
   * Regions that become one.
   *
   * @param regions how many
   * @param start of the first, as text
   * @param end of the last, as text
   * @param bytes the store files of all, in whole mebibytes
   * @param emptyRegions how many of them have no row
   */
  record Merge(int regions, String start, String end, long bytes, int emptyRegions) {
    /** The range for people. */
    String range() {
      return (start.isEmpty() ? "(start)" : start) + " .. " + (end.isEmpty() ? "(end)" : end);
    }
  }
}
