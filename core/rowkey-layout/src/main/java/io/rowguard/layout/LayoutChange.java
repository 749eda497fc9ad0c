package io.rowguard.layout;

import java.util.List;

/**
 * Two layouts with the same bare keys: each bare key has a row under the one and a row under the
 * other, mostly a different one. Immutable and thread-safe.
 *
 * <p>No row is read differently by the two: that is what {@link #obstacle} excludes. So a row says
 * by itself where it stands, {@link #place}.
 */
public final class LayoutChange {
  /** Where a row stands among the rows of two layouts. */
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

  private final RowkeyLayout from;
  private final RowkeyLayout to;

  private LayoutChange(RowkeyLayout from, RowkeyLayout to) {
    this.from = from;
    this.to = to;
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
    return new LayoutChange(from, to);
  }

  /**
   * Why rows cannot go from one layout to another in place: a sentence without its full stop, or
   * null where nothing is in the way.
   *
   * <p>Cost: a search through pairs of states of the layouts, bounded; up to some tens of
   * milliseconds. Call it when configuring, not per row.
   */
  public static String obstacle(RowkeyLayout from, RowkeyLayout to) {
    if (from.parts().equals(to.parts())) {
      return "both layouts are the same, " + to;
    }
    List<Part> bareFrom = from.bare().parts();
    List<Part> bareTo = to.bare().parts();
    if (!bareFrom.equals(bareTo)) {
      return "the bare keys differ: "
          + from.bare()
          + " and "
          + to.bare()
          + "; only what is derived can change in place";
    }
    if (!haveTheirDerivedAtTheSamePlaces(from, to) && !Ambiguity.isExcluded(from, to)) {
      return "a row can be read by both layouts, as two different bare keys";
    }
    return null;
  }

  /** Then a row that both can read is the same bare key for both. */
  private static boolean haveTheirDerivedAtTheSamePlaces(RowkeyLayout from, RowkeyLayout to) {
    List<Part> a = from.parts();
    List<Part> b = to.parts();
    if (a.size() != b.size()) {
      return false;
    }
    for (int i = 0; i < a.size(); i++) {
      boolean kept = BareKeys.isKept(a, i);
      if (kept != BareKeys.isKept(b, i)
          || a.get(i) instanceof Literal != b.get(i) instanceof Literal) {
        return false;
      }
      boolean alike =
          kept || a.get(i) instanceof Literal
              ? a.get(i).equals(b.get(i))
              : a.get(i).minLength() == b.get(i).minLength()
                  && a.get(i).maxLength() == b.get(i).maxLength();
      if (!alike) {
        return false;
      }
    }
    return true;
  }

  /** The layout that rows leave. */
  public RowkeyLayout from() {
    return from;
  }

  /** The layout that rows go to. */
  public RowkeyLayout to() {
    return to;
  }

  /** The way back. */
  public LayoutChange reversed() {
    return new LayoutChange(to, from);
  }

  /** Where a row stands; two checks at most, and nothing is allocated. */
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
   * The new row of what stands at an old one.
   *
   * @throws IllegalArgumentException when the row does not conform to {@link #from}, or the new one
   *     would be too long
   */
  public byte[] toNew(byte[] oldRow) {
    return to.complete(from.strip(oldRow));
  }

  /**
   * The old row of what stands at a new one.
   *
   * @throws IllegalArgumentException when the row does not conform to {@link #to}, or the old one
   *     would be too long
   */
  public byte[] toOld(byte[] newRow) {
    return from.complete(to.strip(newRow));
  }

  @Override
  public String toString() {
    return from + " -> " + to;
  }
}
