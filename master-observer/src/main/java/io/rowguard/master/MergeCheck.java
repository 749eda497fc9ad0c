package io.rowguard.master;

import io.rowguard.config.RowguardKey;
import io.rowguard.layout.LayoutBoundaries;
import io.rowguard.layout.PresplitBoundaries;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.StringJoiner;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;

/**
 * Judges regions that are to become one. A merge never cuts a group; but where it takes away a
 * boundary of the table's pre-split ({@link PresplitBoundaries}), writes that this kept apart come
 * together again. A pure function.
 */
final class MergeCheck {
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
   * The boundary that a merge takes away, or null for none.
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

  /**
   * Whether regions overlap, as after a split that was cut short. To mend that, HBCK2's {@code
   * fixMeta} merges them, and a refusal would end it for all tables ({@code
   * MetaFixer.fixOverlaps}).
   */
  static boolean isRepair(RegionInfo[] regions) {
    for (RegionInfo one : regions) {
      for (RegionInfo other : regions) {
        if (one != other && one.isOverlap(other)) {
          return true;
        }
      }
    }
    return false;
  }

  private RuleViolation violation(Collection<byte[]> splitKeys) {
    List<byte[]> starts = new ArrayList<>();
    List<byte[]> ends = new ArrayList<>();
    for (RegionInfo region : regions) {
      starts.add(region.getStartKey());
      ends.add(region.getEndKey());
    }
    List<byte[]> lost = PresplitBoundaries.of(boundaries, splitKeys).lost(starts, ends);
    return lost.isEmpty() ? null : violation(lost);
  }

  private RuleViolation violation(List<byte[]> lost) {
    StringJoiner keys = new StringJoiner(", ");
    lost.forEach(key -> keys.add(MessageText.key(key)));
    return RuleViolation.of(
        Rule.MERGE_UNDOES_PRESPLIT,
        "A merge takes away boundaries of the table's pre-split: what they kept apart is written to"
            + " one region again. "
            + MessageText.where(table, Rule.MERGE_UNDOES_PRESPLIT)
            + " boundaries="
            + keys
            + ". The table's "
            + RowguardKey.MERGE.key()
            + " decides about such merges, also the normalizer's: warn, reject or accept. To have a boundary back, split at its key.");
  }
}
