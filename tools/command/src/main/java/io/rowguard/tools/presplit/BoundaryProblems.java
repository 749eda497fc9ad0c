package io.rowguard.tools.presplit;

import io.rowguard.layout.KeyRange;
import io.rowguard.layout.LayoutBoundaries;
import io.rowguard.layout.Legality;
import io.rowguard.layout.RowText;
import java.util.ArrayList;
import java.util.List;

/**
 * The mistakes in the keys between regions, by the layout alone: keys that are no legal boundary,
 * and regions that no row can reach. A pure function.
 */
public final class BoundaryProblems {
  /** The kinds of mistakes. */
  public enum Kind {
    /** A key cuts an entity group: its rows lie in two regions. */
    CUTS_GROUP,
    /** A key is one at which no conforming row can begin; it cuts no group. */
    ILLEGAL,
    /** No conforming row can fall into a region. */
    UNREACHABLE
  }

  /**
   * One thing that is wrong.
   *
   * @param where the key, or the region as {@code start .. end}
   * @param why for people
   */
  public record Problem(Kind kind, String where, String why) {}

  private BoundaryProblems() {}

  /**
   * The mistakes in a table's split keys: first the keys, then the regions, both ascending.
   *
   * @param keys the start keys of all regions but the first, ascending and distinct
   */
  public static List<Problem> of(LayoutBoundaries boundaries, List<byte[]> keys) {
    List<Problem> problems = new ArrayList<>();
    for (byte[] key : keys) {
      Legality legality = boundaries.judge(key);
      if (!legality.isLegal()) {
        problems.add(
            new Problem(
                legality.cutsGroup() ? Kind.CUTS_GROUP : Kind.ILLEGAL,
                shown(key),
                legality.reason()
                    + ", at byte "
                    + legality.offset()
                    + "; legal: "
                    + shown(boundaries.floor(key))
                    + " below, "
                    + shown(boundaries.ceiling(key))
                    + " above"));
      }
    }
    for (KeyRange region : boundaries.unreachable(keys)) {
      problems.add(
          new Problem(
              Kind.UNREACHABLE,
              region(region.lower(), region.upper()),
              "no row of the layout can fall into this region"));
    }
    return problems;
  }

  /** A region for people, by its start and its end key; empty for none. */
  public static String region(byte[] start, byte[] end) {
    return (start.length == 0 ? "(start)" : shown(start))
        + " .. "
        + (end.length == 0 ? "(end)" : shown(end));
  }

  private static String shown(byte[] key) {
    return key == null ? "none" : RowText.abbreviated(key);
  }
}
