package io.rowguard.master;

import io.rowguard.config.RowguardKey;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;

/**
 * Judges a merge in a table whose regions are split by their load: such a split is not undone for a
 * day, as the load may come back. HBase tells no such region from another, so any region counts
 * that is as young. A pure function.
 */
final class YoungMergeCheck {
  private static final long HOURS = 24;

  private YoungMergeCheck() {}

  /**
   * The first region that is too young to be merged, or null for none.
   *
   * @param regions those that are to be merged
   * @param now milliseconds of the epoch; the id of a region is the time at which it was made
   */
  static RuleViolation of(TableName table, RegionInfo[] regions, long now) {
    for (RegionInfo region : regions) {
      long age = now - region.getRegionId();
      if (age < TimeUnit.HOURS.toMillis(HOURS)) {
        return RuleViolation.of(
            Rule.MERGE_TOO_YOUNG,
            "A region is too young to be merged in a table whose regions are split by their load. "
                + MessageText.where(table, Rule.MERGE_TOO_YOUNG)
                + " region="
                + region.getEncodedName()
                + " ageMinutes="
                + TimeUnit.MILLISECONDS.toMinutes(age)
                + ". Merge it when it is "
                + HOURS
                + " hours old, or switch such splits off: "
                + RowguardKey.SPLIT_LOAD.key()
                + " = 0.");
      }
    }
    return null;
  }
}
