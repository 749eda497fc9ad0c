package io.rowguard.layout;

import java.util.Arrays;
import java.util.List;

/**
 * Two layouts with the same bare keys: each bare key has a row under the one and a row under the
 * other, mostly a different one. Immutable and thread-safe.
 *
 * <p>No row is read by the two as different bare keys: {@link #obstacle} excludes that. So a row
 * says by itself where it stands ({@link #place}), and the two rows of a bare key lead to each
 * other ({@link #toNew}, {@link #toOld}).
 *
 * <p>Rows are as long as both layouts allow: where one adds more bytes to a bare key than the
 * other, the longest row under the other is shorter by the difference, so that every row has its
 * counterpart. A longer stored row is no row of the change: {@link #isTooLongToMove}.
 */
public final class LayoutChange {
  /** The place of a row among the rows of two layouts. */
  public enum Place {
    /** It conforms to the layout that rows leave, and not to the other. */
    OLD,
    /** It conforms to the layout that rows go to, and not to the other. */
    NEW,
    /** It conforms to both, and is the row of one bare key under both: nothing moves. */
    SAME,
    /** It conforms to neither. */
    NONE
  }

  private final RowkeyLayout givenFrom;
  private final RowkeyLayout givenTo;
  private final int longestKey;
  private final RowkeyLayout from;
  private final RowkeyLayout to;

  /** A change of two layouts without an {@link #obstacle}, for bare keys of at most that length. */
  LayoutChange(RowkeyLayout givenFrom, RowkeyLayout givenTo, int longestKey) {
    this.givenFrom = givenFrom;
    this.givenTo = givenTo;
    this.longestKey = longestKey;
    this.from = limited(givenFrom, longestKey);
    this.to = limited(givenTo, longestKey);
  }

  /** A layout for the rows of bare keys of at most that length. */
  static RowkeyLayout limited(RowkeyLayout layout, int longestKey) {
    return layout.withMaxRowLength(longestKey + addedBytes(layout));
  }

  /** The longest bare key that has a row under each of some layouts. */
  static int longestKey(List<RowkeyLayout> layouts) {
    int limit = layouts.stream().mapToInt(RowkeyLayout::rowLengthLimit).min().getAsInt();
    return limit - layouts.stream().mapToInt(LayoutChange::addedBytes).max().getAsInt();
  }

  /**
   * The change from one layout to another.
   *
   * @throws IllegalArgumentException when there is an {@link #obstacle}
   */
  public static LayoutChange of(RowkeyLayout from, RowkeyLayout to) {
    String obstacle = obstacle(from, to);
    if (obstacle != null) {
      throw new IllegalArgumentException(obstacle);
    }
    return new LayoutChange(from, to, longestKey(Arrays.asList(from, to)));
  }

  /**
   * Why rows cannot go from one layout to another in place: a sentence without its full stop, or
   * null where nothing is in the way. Null is certain, whatever the hashes give; that a row can be
   * read both ways is said also where looking for such a row would take too long.
   *
   * <p>What is in the way of a change is in the way of its reverse, too.
   *
   * <p>Cost: mostly none; a bounded search through pairs of states of the layouts, up to some tens
   * of milliseconds, where they do not have what is derived at the same places. Call it when
   * configuring, not per row.
   */
  public static String obstacle(RowkeyLayout from, RowkeyLayout to) {
    if (from.parts().equals(to.parts())) {
      return "both layouts are the same, " + to;
    }
    if (!from.bare().parts().equals(to.bare().parts())) {
      return "the bare keys differ, "
          + from.bare()
          + " and "
          + to.bare()
          + "; only what is derived can change in place";
    }
    if (from.hasChoice() || to.hasChoice()) {
      return "writers choose among several rows of a bare key under "
          + (from.hasChoice() ? from : to)
          + ", so no row leads to one other";
    }
    String length = lengthObstacle(from, to);
    if (length != null) {
      return length;
    }
    boolean partByLength =
        longestRow(from) < to.minRowLength() || longestRow(to) < from.minRowLength();
    if (partByLength
        || Arrays.equals(addedBefore(from), addedBefore(to))
        || Ambiguity.isExcluded(from, to)) {
      return null;
    }
    return "a row can be read by both layouts, as two different bare keys"
        + example(from, to)
        + "; end what is derived with a literal that cannot stand there in the other layout, such"
        + " as \"-\"";
  }

  /**
   * Whether each row of a layout is known to conform to another, too, so that nothing has to move:
   * the two differ in nothing but derived values, and where they do, writers {@linkplain
   * RowkeyLayout#hasChoice choose} in the other, from all values that the first has.
   *
   * <p>So it is from {@code any of 8} to {@code any of 10}, and from {@code murmur3(id)%16} to
   * {@code murmur3(id)%16+any of 4}.
   */
  public static boolean keepsAllRows(RowkeyLayout from, RowkeyLayout to) {
    if (from.parts().size() != to.parts().size() || from.maxRowLength() > to.maxRowLength()) {
      return false;
    }
    for (int i = 0; i < to.parts().size(); i++) {
      if (!keepsAllRows(from.parts().get(i), to.parts().get(i))) {
        return false;
      }
    }
    return true;
  }

  private static boolean keepsAllRows(Part from, Part to) {
    if (!(from instanceof Segment && to instanceof Segment)) {
      return from.equals(to);
    }
    Derivation before = ((Segment) from).derivation();
    Derivation after = ((Segment) to).derivation();
    if (before == null || after == null) {
      return from.equals(to);
    }
    // All the rest of the two is compared by making the one of the other.
    return ((Segment) to).derivedBy(before).equals(from) && after.allowsAllOf(before);
  }

  /**
   * As far as it can be told, keys whose row fits under one layout only are refused: all of them,
   * or the longest where every segment has a longest value.
   */
  private static String lengthObstacle(RowkeyLayout from, RowkeyLayout to) {
    boolean toIsLonger = addedBytes(to) > addedBytes(from);
    RowkeyLayout longer = toIsLonger ? to : from;
    RowkeyLayout shorter = toIsLonger ? from : to;
    int limit = rowLengthLimit(from, to);
    if (longer.minRowLength() > limit) {
      return "rows of "
          + longer
          + " have at least "
          + longer.minRowLength()
          + " bytes, more than the "
          + limit
          + " that are allowed";
    }
    if (isBounded(longer) && longestRow(shorter) <= limit && longestRow(longer) > limit) {
      return "rows of "
          + longer
          + " have up to "
          + longestRow(longer)
          + " bytes, more than the "
          + limit
          + " that are allowed, while all of "
          + shorter
          + " fit";
    }
    return null;
  }

  private static boolean isBounded(RowkeyLayout layout) {
    return layout.parts().stream()
        .allMatch(part -> part.isFixedLength() || part.maxLength() < RowkeyLayout.MAX_ROW_LENGTH);
  }

  private static long longestRow(RowkeyLayout layout) {
    return layout.parts().stream().mapToLong(Part::maxLength).sum();
  }

  private static int rowLengthLimit(RowkeyLayout from, RowkeyLayout to) {
    return Math.min(from.rowLengthLimit(), to.rowLengthLimit());
  }

  /** How many bytes a row has more than its bare key. */
  private static int addedBytes(RowkeyLayout layout) {
    return Arrays.stream(addedBefore(layout)).sum();
  }

  /**
   * How many bytes a row has more than its bare key right before each part of the bare key, and at
   * the end.
   *
   * <p>Where these are equal for two layouts with equal bare parts, a row that conforms to both is
   * the row of one bare key: from left to right each part of the bare key begins at the same place
   * in both readings, and ends at the same, since it has the same length, or the same literal right
   * behind it ends it.
   */
  private static int[] addedBefore(RowkeyLayout layout) {
    List<Part> parts = layout.parts();
    int[] added = new int[parts.size() + 1];
    int kept = 0;
    for (int i = 0; i < parts.size(); i++) {
      if (BareKeys.isKept(parts, i)) {
        kept++;
      } else {
        added[kept] += parts.get(i).minLength();
      }
    }
    return Arrays.copyOf(added, kept + 1);
  }

  /** For the message, where one is found. */
  private static String example(RowkeyLayout from, RowkeyLayout to) {
    byte[] row = Ambiguity.example(from, to);
    if (row == null || Arrays.equals(from.strip(row), to.strip(row))) {
      return "";
    }
    return ", for example \""
        + RowText.abbreviated(row)
        + "\" as \""
        + RowText.abbreviated(from.strip(row))
        + "\" and as \""
        + RowText.abbreviated(to.strip(row))
        + "\"";
  }

  /** The layout that rows leave, for rows of at most the length that has a counterpart. */
  public RowkeyLayout from() {
    return from;
  }

  /** The layout that rows go to, for rows of at most the length that has a counterpart. */
  public RowkeyLayout to() {
    return to;
  }

  /** The way back. */
  public LayoutChange reversed() {
    return new LayoutChange(givenTo, givenFrom, longestKey);
  }

  /** The place of a row; two checks at most, and nothing is allocated. */
  public Place place(byte[] row, int offset, int length) {
    if (to.check(row, offset, length).conforms()) {
      return from.check(row, offset, length).conforms() ? Place.SAME : Place.NEW;
    }
    return from.check(row, offset, length).conforms() ? Place.OLD : Place.NONE;
  }

  /** {@link #place(byte[], int, int)} of a whole array. */
  public Place place(byte[] row) {
    return place(row, 0, row.length);
  }

  /**
   * Whether a row conforms to the layout that rows leave, as it was given, but its new row would be
   * longer than allowed: its place is {@link Place#NONE}, and it cannot move. To be looked for
   * among what is stored before rows move; only rows within a few bytes of the longest that is
   * allowed can be such. Allocates nothing.
   */
  public boolean isTooLongToMove(byte[] row, int offset, int length) {
    return length > from.rowLengthLimit() && givenFrom.check(row, offset, length).conforms();
  }

  /**
   * The new row of what stands at an old one; the row itself where that is its place under both.
   *
   * @throws IllegalArgumentException when the row does not conform to {@link #from}
   */
  public byte[] toNew(byte[] oldRow) {
    return to.complete(from.strip(oldRow));
  }

  /**
   * The old row of what stands at a new one; the row itself where that is its place under both.
   *
   * @throws IllegalArgumentException when the row does not conform to {@link #to}
   */
  public byte[] toOld(byte[] newRow) {
    return from.complete(to.strip(newRow));
  }

  @Override
  public String toString() {
    return from + " -> " + to;
  }
}
