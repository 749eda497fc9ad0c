package io.rowguard.tools.digest;

import io.rowguard.layout.RowText;
import io.rowguard.mapreduce.digest.CellsDigest;
import io.rowguard.mapreduce.digest.RangeDigests;
import io.rowguard.mapreduce.digest.RangeDigests.Range;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;

/**
 * A range of bare keys in which two tables differ.
 *
 * @param from its first key, as text; null where it begins with the scope
 * @param to its end, exclusive, as text; null where it ends with the scope
 * @param here what the one table has there
 * @param there what the other has
 */
record DigestDifference(String from, String to, CellsDigest here, CellsDigest there) {

  /**
   * Compares two digests of one scope, as far as both have been divided alike: the finer one is
   * brought to the level of the other, and a range that begins in one of them only is joined with
   * the one before it.
   *
   * @return the ranges that differ, in the order of keys
   */
  static List<DigestDifference> between(RangeDigests here, RangeDigests there) {
    here.raiseTo(there.level());
    there.raiseTo(here.level());
    TreeSet<byte[]> common = starts(here);
    common.retainAll(starts(there));
    List<byte[]> bounds = new ArrayList<>(common);
    List<CellsDigest> mine = within(bounds, here);
    List<CellsDigest> theirs = within(bounds, there);
    List<DigestDifference> differences = new ArrayList<>();
    for (int i = 0; i <= bounds.size(); i++) {
      if (!mine.get(i).equals(theirs.get(i))) {
        differences.add(
            new DigestDifference(
                i == 0 ? null : RowText.toStringBinary(bounds.get(i - 1)),
                i == bounds.size() ? null : RowText.toStringBinary(bounds.get(i)),
                mine.get(i),
                theirs.get(i)));
      }
    }
    return differences;
  }

  /** Of the first range only where its key would begin one anywhere. */
  private static TreeSet<byte[]> starts(RangeDigests digests) {
    TreeSet<byte[]> starts = new TreeSet<>(Arrays::compareUnsigned);
    for (Range range : digests.ranges()) {
      if (RangeDigests.levelOf(range.start()) >= digests.level()) {
        starts.add(range.start());
      }
    }
    return starts;
  }

  /** The digests below the first bound, from each bound to the next, and from the last one on. */
  private static List<CellsDigest> within(List<byte[]> bounds, RangeDigests digests) {
    List<CellsDigest> within = new ArrayList<>();
    within.add(new CellsDigest());
    int next = 0;
    for (Range range : digests.ranges()) {
      while (next < bounds.size() && Arrays.compareUnsigned(range.start(), bounds.get(next)) >= 0) {
        within.add(new CellsDigest());
        next++;
      }
      within.get(next).add(range.digest());
    }
    while (within.size() <= bounds.size()) {
      within.add(new CellsDigest());
    }
    return within;
  }
}
