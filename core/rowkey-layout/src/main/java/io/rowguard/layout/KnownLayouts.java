package io.rowguard.layout;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Several layouts with the same bare keys, under any of which a row of one table may be named, as
 * edits are that arrive from clusters with other layouts. Immutable and thread-safe.
 *
 * <p>No row is read by two of them as different bare keys: {@link #obstacle} excludes that. So a
 * row has one bare key, whoever has named it.
 *
 * <p>As for {@link LayoutChange}, rows are as long as all the layouts allow: each bare key has a
 * row under each of them, and a longer row has no bare key here. Clusters that know the same
 * layouts, with the same {@code rowguard.row.max.length}, so take the same bare keys.
 */
public final class KnownLayouts {
  private final List<RowkeyLayout> given;
  private final int longestKey;
  private final List<RowkeyLayout> layouts = new ArrayList<>();

  private KnownLayouts(List<RowkeyLayout> given) {
    this.given = given;
    this.longestKey = LayoutChange.longestKey(given);
    given.forEach(layout -> layouts.add(LayoutChange.limited(layout, longestKey)));
  }

  /**
   * Several layouts. One that is named twice counts once.
   *
   * @param layouts at least one, that of the table first
   * @throws IllegalArgumentException when there is an {@link #obstacle}
   */
  public static KnownLayouts of(List<RowkeyLayout> layouts) {
    String obstacle = obstacle(layouts);
    if (obstacle != null) {
      throw new IllegalArgumentException(obstacle);
    }
    return new KnownLayouts(withoutRepeats(layouts));
  }

  /**
   * Why rows of one table cannot be named under all of these layouts: a sentence without its full
   * stop, or null where nothing is in the way. It is that of {@link LayoutChange#obstacle} for two
   * of them, with its cost for each two.
   */
  public static String obstacle(List<RowkeyLayout> layouts) {
    List<RowkeyLayout> different = withoutRepeats(layouts);
    for (int i = 0; i < different.size(); i++) {
      for (int j = 0; j < i; j++) {
        String obstacle = LayoutChange.obstacle(different.get(j), different.get(i));
        if (obstacle != null) {
          return obstacle;
        }
      }
    }
    return null;
  }

  private static List<RowkeyLayout> withoutRepeats(List<RowkeyLayout> layouts) {
    List<RowkeyLayout> different = new ArrayList<>();
    for (RowkeyLayout layout : layouts) {
      if (different.stream().noneMatch(other -> other.parts().equals(layout.parts()))) {
        different.add(layout);
      }
    }
    return different;
  }

  /** The layouts, for rows of at most the length that has a counterpart under all; unmodifiable. */
  public List<RowkeyLayout> layouts() {
    return Collections.unmodifiableList(layouts);
  }

  /**
   * The change from one of the layouts to another, for the rows of these lengths.
   *
   * @param from its place among {@link #layouts}
   * @param to likewise
   */
  public LayoutChange change(int from, int to) {
    return new LayoutChange(given.get(from), given.get(to), longestKey);
  }

  /**
   * The bare key of a row; null where none of the layouts reads it.
   *
   * <p>Cost: a check for each layout up to the first that reads it, and nothing is allocated but
   * the answer.
   */
  public byte[] stripIfRow(byte[] row) {
    for (RowkeyLayout layout : layouts) {
      if (layout.check(row).conforms()) {
        return layout.strip(row);
      }
    }
    return null;
  }

  @Override
  public String toString() {
    return layouts.toString();
  }
}
