package io.rowguard.master;

import io.rowguard.config.RowguardKey;
import io.rowguard.layout.LayoutBoundaries;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.StringJoiner;
import java.util.TreeSet;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Judges regions that are to become one. A merge never cuts a group; but where it takes away a
 * boundary of the table's pre-split, writes that this kept apart come together again. A pure
 * function.
 *
 * <p>Nobody remembers a pre-split, so it is known by its form. A boundary belongs to one if it lies
 * between two values of the salt that rows begin with, or is one of those that divide the keys
 * evenly into some number of regions, up to {@link #MOST_REGIONS} or as many as there are, and the
 * table has all of these. Regions that no row can reach keep nothing apart, such as those of salts
 * that a layout no longer has.
 */
final class MergeCheck {
  private static final int MOST_REGIONS = 256;

  private final TableName table;
  private final LayoutBoundaries boundaries;
  private final RegionInfo[] regions;

  private MergeCheck(TableName table, LayoutBoundaries boundaries, RegionInfo[] regions) {
    this.table = table;
    this.boundaries = boundaries;
    this.regions = regions.clone();
    Arrays.sort(this.regions, RegionInfo.COMPARATOR);
  }

  /**
   * What a merge takes away, or null when that is nothing.
   *
   * @param regions those that are to be merged
   * @param splitKeys the start keys of all regions of the table but the first
   */
  static RuleViolation of(
      TableName table,
      LayoutBoundaries boundaries,
      RegionInfo[] regions,
      Collection<byte[]> splitKeys) {
    return new MergeCheck(table, boundaries, regions).violation(splitKeys);
  }

  private RuleViolation violation(Collection<byte[]> splitKeys) {
    Set<byte[]> candidates = new TreeSet<>(Bytes.BYTES_COMPARATOR);
    Set<byte[]> lost = new TreeSet<>(Bytes.BYTES_COMPARATOR);
    boolean reachable = false;
    for (RegionInfo region : regions) {
      if (boundaries.isReachable(region.getStartKey(), region.getEndKey())) {
        if (reachable) {
          byte[] boundary = region.getStartKey();
          (boundaries.dividesSalts(boundary) ? lost : candidates).add(boundary);
        }
        reachable = true;
      }
    }
    if (!candidates.isEmpty()) {
      lost.addAll(ofAnEvenDivision(candidates, splitKeys));
    }
    return lost.isEmpty() ? null : violation(lost);
  }

  private Set<byte[]> ofAnEvenDivision(Set<byte[]> candidates, Collection<byte[]> splitKeys) {
    Set<byte[]> all = new TreeSet<>(Bytes.BYTES_COMPARATOR);
    splitKeys.forEach(key -> all.add(shortened(key)));
    Set<byte[]> even = new TreeSet<>(Bytes.BYTES_COMPARATOR);
    for (int number = 2; number <= Math.min(all.size(), MOST_REGIONS); number++) {
      addDivision(even, number, all);
    }
    addDivision(even, all.size() + 1, all);
    Set<byte[]> found = new TreeSet<>(Bytes.BYTES_COMPARATOR);
    candidates.stream().filter(key -> even.contains(shortened(key))).forEach(found::add);
    return found;
  }

  private void addDivision(Set<byte[]> even, int number, Set<byte[]> all) {
    List<byte[]> keys = new ArrayList<>();
    try {
      boundaries.evenly(number).forEach(key -> keys.add(shortened(key)));
    } catch (IllegalArgumentException e) {
      return; // the keys' beginnings have no more values than that
    }
    if (all.containsAll(keys)) {
      even.addAll(keys);
    }
  }

  /** The same boundary without bytes that all rows there have: {@code 8} for {@code 80} in hex. */
  private byte[] shortened(byte[] key) {
    byte[] shortest = key;
    while (shortest.length > 1) {
      byte[] shorter = Arrays.copyOf(shortest, shortest.length - 1);
      if (boundaries.isReachable(shorter, shortest)) {
        return shortest;
      }
      shortest = shorter;
    }
    return shortest;
  }

  private RuleViolation violation(Set<byte[]> lost) {
    StringJoiner keys = new StringJoiner(", ");
    lost.forEach(key -> keys.add(MessageText.key(key)));
    return RuleViolation.of(
        Rule.MERGE_UNDOES_PRESPLIT,
        "A merge takes away boundaries of the table's pre-split: what they kept apart is written to"
            + " one region again. "
            + MessageText.where(table, Rule.MERGE_UNDOES_PRESPLIT)
            + " boundaries="
            + keys
            + ". What is done about such merges, also the normalizer's, says "
            + RowguardKey.MERGE.key()
            + " on the table: warn, refuse or allow. To have a boundary back, split at its key.");
  }
}
