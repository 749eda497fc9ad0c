package io.rowguard.relayout.model;

import java.util.StringJoiner;

/**
 * The cells of one row in a region, where only the edits of one setting can come: a number with a
 * bit for each edit that is there, the newest timestamp of a <i>leftover</i> (the marker of a pull,
 * {@link Row#leftover}), and that of a leftover which has been shipped to here by mistake and
 * passes for a user's delete.
 *
 * <p>So a row is a set, and to write an edit twice is to write it once: cells have their timestamps
 * with them. Two puts of one column at one timestamp would not be a set; a setting has none.
 * Nothing that is hidden goes before a major compaction.
 */
final class ReplicaCells {
  static final int MOST_EDITS = 6;
  static final int WIDTH = MOST_EDITS + 6;

  private static final int EDITS = (1 << MOST_EDITS) - 1;
  private static final int LEFTOVER = MOST_EDITS;
  private static final int SHIPPED = LEFTOVER + 3;

  private final ReplicaEdit[] edits;

  /** By edit, the puts that it hides. */
  private final int[] hides;

  private int puts;

  ReplicaCells(ReplicaEdit... edits) {
    this.edits = edits;
    this.hides = new int[edits.length];
    for (int i = 0; i < edits.length; i++) {
      puts |= edits[i].isPut() ? 1 << i : 0;
      for (int j = 0; j < edits.length; j++) {
        hides[i] |= edits[j].isPut() && edits[i].hides(edits[j]) ? 1 << j : 0;
        boolean sameColumn = edits[i].isPut() && edits[j].isPut();
        sameColumn &= edits[i].isOfC1() == edits[j].isOfC1();
        if (i != j && sameColumn && edits[i].timestamp() == edits[j].timestamp()) {
          throw new IllegalArgumentException("Two puts of one cell. edit=" + edits[i]);
        }
      }
    }
  }

  /** The puts among some edits. */
  int puts(int some) {
    return some & puts;
  }

  int markers(int some) {
    return some & EDITS & ~puts;
  }

  /** The puts that an edit hides. */
  int hides(int edit) {
    return hides[edit];
  }

  /** The puts that a reader finds. */
  int visible(int row) {
    int hidden = 0;
    for (int i = 0; i < edits.length; i++) {
      boolean isUnder = edits[i].timestamp() <= Math.max(leftover(row), row >>> SHIPPED);
      hidden |= isUnder ? 1 << i : 0;
      hidden |= (row >>> i & 1) == 1 ? hides[i] : 0;
    }
    return puts(row) & ~hidden;
  }

  /** The edits that are of the row: all but what a pull has taken away, as its leftover says. */
  int content(int row) {
    return row & EDITS & ~upTo(leftover(row));
  }

  private int upTo(int timestamp) {
    int some = 0;
    for (int i = 0; i < edits.length; i++) {
      some |= edits[i].timestamp() <= timestamp ? 1 << i : 0;
    }
    return some;
  }

  /** The newest timestamp of some edits; 0 without one. */
  int newest(int some) {
    int newest = 0;
    for (int i = 0; i < edits.length; i++) {
      newest = (some >>> i & 1) == 1 ? Math.max(newest, edits[i].timestamp()) : newest;
    }
    return newest;
  }

  static int leftover(int row) {
    return row >>> LEFTOVER & 7;
  }

  /** Whether a leftover of the row is not older than one of some edits. */
  boolean isUnderALeftover(int row, int some) {
    return (some & upTo(leftover(row))) != 0;
  }

  /** Whether markers of the row would hide a put that is seen where it comes from. */
  boolean wouldHide(int row, int some) {
    return (visible(some) & ~visible((row & ~puts) | some)) != 0;
  }

  /** The row after a pull has taken it away. */
  static int drop(int row, int timestamp) {
    return (row & ~(7 << LEFTOVER)) | Math.max(leftover(row), timestamp) << LEFTOVER;
  }

  /** The row under a leftover of another cluster, which is a user's delete here. */
  static int dropShipped(int row, int timestamp) {
    return (row & ~(7 << SHIPPED)) | Math.max(row >>> SHIPPED, timestamp) << SHIPPED;
  }

  /** The row after a major compaction. */
  int compacted(int row) {
    return visible(row);
  }

  String text(int row) {
    StringJoiner text = new StringJoiner(" ", "[", "]");
    for (int i = 0; i < edits.length; i++) {
      if ((row >>> i & 1) == 1) {
        text.add(edits[i].kind() + "@" + edits[i].timestamp());
      }
    }
    if (leftover(row) > 0) {
      text.add("left up to @" + leftover(row));
    }
    if (row >>> SHIPPED > 0) {
      text.add("deleted up to @" + (row >>> SHIPPED));
    }
    return text.toString();
  }
}
