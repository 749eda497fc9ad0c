package io.rowguard.master;

import io.rowguard.layout.LayoutBoundaries;
import java.util.Arrays;
import java.util.StringJoiner;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;

/**
 * Judges regions that are to become one. A merge never cuts a group, so it is never refused; but
 * where it takes away a boundary between two salts, writes that these kept apart come together
 * again. A pure function.
 */
final class MergeCheck {
  private MergeCheck() {}

  /** The warning, or null when the merge takes nothing away. */
  static RuleViolation of(TableName table, LayoutBoundaries boundaries, RegionInfo[] regions) {
    RegionInfo[] sorted = regions.clone();
    Arrays.sort(sorted, RegionInfo.COMPARATOR);
    StringJoiner lost = new StringJoiner(", ");
    for (int i = 1; i < sorted.length; i++) {
      byte[] boundary = sorted[i].getStartKey();
      if (boundaries.dividesSalts(boundary)) {
        lost.add(MessageText.key(boundary));
      }
    }
    return lost.length() == 0
        ? null
        : RuleViolation.of(
            Rule.MERGE_UNDOES_PRESPLIT,
            "A merge takes away boundaries between salts: what they kept apart is written to one"
                + " region again. "
                + MessageText.where(table, Rule.MERGE_UNDOES_PRESPLIT)
                + " boundaries="
                + lost
                + ". To keep the regions, set MERGE_ENABLED => 'false' (or"
                + " NORMALIZATION_ENABLED => 'false') on the table; to have them back, split at"
                + " these keys.");
  }
}
