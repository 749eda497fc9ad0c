package io.rowguard.master;

import io.rowguard.config.Guards;
import io.rowguard.layout.LayoutBoundaries;
import io.rowguard.layout.Legality;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.util.Bytes;

/** Judges one key at which a region is to be cut. A pure function. */
final class SplitPointCheck {
  private final TableName table;
  private final LayoutBoundaries boundaries;
  private final Supplier<RegionInfo> region;
  private final byte[] key;
  private final Legality legality;

  /**
   * @param region the region that holds the key, or null when that is not known; asked only for a
   *     message
   */
  SplitPointCheck(
      TableName table, LayoutBoundaries boundaries, Supplier<RegionInfo> region, byte[] key) {
    this.table = table;
    this.boundaries = boundaries;
    this.region = region;
    this.key = key;
    this.legality = boundaries.judge(key);
  }

  /** The mistake of a key that was given: it must be a legal boundary. Null when it is. */
  RuleViolation asChosen() {
    return legality.isLegal()
        ? null
        : RuleViolation.of(
            Rule.SPLIT_ILLEGAL,
            "The split key is no legal boundary of the table's layout. "
                + MessageText.where(table, Rule.SPLIT_ILLEGAL)
                + pairs()
                + " Split at one of these, or give no key and let the split policy choose. Layout: "
                + boundaries.group().layout()
                + ".");
  }

  /**
   * For any split: it must not cut a group. A key that merely no row begins with passes here; it
   * cuts nothing, and a region that asks in vain for its split would not compact meanwhile.
   */
  RuleViolation asAny() {
    return !legality.cutsGroup()
        ? null
        : RuleViolation.of(
            Rule.SPLIT_CUTS_GROUP,
            "The split would divide an entity group. "
                + MessageText.where(table, Rule.SPLIT_CUTS_GROUP)
                + " group="
                + boundaries.group()
                + pairs()
                + " A region that is refused its split asks again instead of compacting, so give"
                + " the table SPLIT_POLICY="
                + Guards.POLICY
                + ", which cuts beside groups. Layout: "
                + boundaries.group().layout()
                + ".");
  }

  private String pairs() {
    RegionInfo holder = region.get();
    return " key="
        + MessageText.key(key)
        + " offset="
        + legality.offset()
        + " reason=\""
        + legality.reason()
        + "\" below="
        + MessageText.keyOrNone(below(holder))
        + " above="
        + MessageText.keyOrNone(above(holder))
        + ".";
  }

  /** HBase refuses a split at a region's start key. */
  private byte[] below(RegionInfo holder) {
    byte[] below = boundaries.floor(key);
    boolean usable =
        below != null && (holder == null || Bytes.compareTo(below, holder.getStartKey()) > 0);
    return usable ? below : null;
  }

  private byte[] above(RegionInfo holder) {
    byte[] above = boundaries.ceiling(key);
    return above != null && (holder == null || holder.containsRow(above)) ? above : null;
  }
}
