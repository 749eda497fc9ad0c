package io.rowguard.master;

import io.rowguard.layout.KeyRange;
import io.rowguard.layout.LayoutBoundaries;
import io.rowguard.layout.Legality;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import org.apache.hadoop.hbase.TableName;

/**
 * Judges the regions that a table is to begin with: their boundaries must be legal, and each must
 * be able to get a row. A pure function of boundaries and split keys.
 *
 * <p>A message names each mistake with what to use instead, up to {@link #MOST_NAMED}, and where
 * the layout allows it a whole list that divides its keys evenly.
 */
final class PresplitCheck {
  /** The number of mistakes that are spelt out; the rest is counted. */
  static final int MOST_NAMED = 10;

  /** Longer lists are left to the operator. */
  private static final int MOST_SUGGESTED = 64;

  private final TableName table;
  private final LayoutBoundaries boundaries;
  private final List<byte[]> splitKeys;

  /**
   * @param splitKeys the start keys of all regions but the first, ascending
   */
  PresplitCheck(TableName table, LayoutBoundaries boundaries, List<byte[]> splitKeys) {
    this.table = table;
    this.boundaries = boundaries;
    this.splitKeys = splitKeys;
  }

  /** The mistakes; empty when there is none. */
  List<RuleViolation> violations() {
    List<RuleViolation> violations = new ArrayList<>();
    Named illegal = new Named();
    Named unreachable = new Named();
    for (byte[] key : splitKeys) {
      Legality legality = boundaries.judge(key);
      if (!legality.isLegal()) {
        illegal.add(
            MessageText.key(key)
                + " ("
                + legality
                + ") nearest="
                + MessageText.keyOrNone(nearest(boundaries, key, legality)));
      }
    }
    for (KeyRange region : boundaries.unreachable(splitKeys)) {
      byte[] end = region.upper();
      unreachable.add(
          "["
              + MessageText.key(region.lower())
              + ", "
              + MessageText.key(end)
              + ") leave out "
              + MessageText.key(end.length > 0 ? end : region.lower()));
    }
    if (illegal.count > 0) {
      violations.add(
          violation(
              Rule.PRESPLIT_ILLEGAL,
              "The table would be split at keys that are no legal boundaries of its layout.",
              illegal,
              "Use the nearest legal keys instead"));
    }
    if (unreachable.count > 0) {
      violations.add(
          violation(
              Rule.PRESPLIT_UNREACHABLE,
              "The table would have regions that no row can ever reach.",
              unreachable,
              "Leave out the keys that are named"));
    }
    return violations;
  }

  /**
   * The legal boundary that stands for an illegal one: the beginning of the group that it would
   * cut; else the one that divides the rows as it does, which is the next one above.
   */
  static byte[] nearest(LayoutBoundaries boundaries, byte[] key, Legality legality) {
    byte[] below = boundaries.floor(key);
    byte[] above = boundaries.ceiling(key);
    boolean takeBelow = legality.cutsGroup() ? below != null : above == null;
    return takeBelow ? below : above;
  }

  private RuleViolation violation(Rule rule, String sentence, Named named, String wayOut) {
    return RuleViolation.of(
        rule,
        sentence
            + " "
            + MessageText.where(table, rule)
            + " count="
            + named.count
            + ": "
            + named
            + ". "
            + wayOut
            + evenly()
            + ". Layout: "
            + boundaries.group().layout()
            + ".");
  }

  private String evenly() {
    int regions = splitKeys.size() + 1;
    if (regions > MOST_SUGGESTED) {
      return "";
    }
    try {
      StringJoiner keys = new StringJoiner(", ");
      for (byte[] key : boundaries.evenly(regions)) {
        keys.add(MessageText.key(key));
      }
      return ", or these, which divide the keys evenly: " + keys;
    } catch (IllegalArgumentException e) {
      // The layout does not begin with enough bytes of a fixed width: there is no even division.
      return "";
    }
  }

  private static final class Named {
    private final StringJoiner text = new StringJoiner("; ");
    private int count;

    void add(String one) {
      count++;
      if (count <= MOST_NAMED) {
        text.add(one);
      }
    }

    @Override
    public String toString() {
      return count <= MOST_NAMED
          ? text.toString()
          : text + "; and " + (count - MOST_NAMED) + " more";
    }
  }
}
