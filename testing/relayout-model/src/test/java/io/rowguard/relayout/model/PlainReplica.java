package io.rowguard.relayout.model;

/**
 * The same cluster if its layout never changed: what edits it has, and what its readers may see of
 * them. Its rows are never moved, so it needs to know little: a put is hidden if a marker that
 * covers it came later; and if one came before it, as long as no major compaction can have purged
 * that marker. Where one can have, HBase may hide the put or show it.
 */
final class PlainReplica {
  private final ReplicaCells cells;

  /** The edits that have come, from clients or from another cluster. */
  int applied;

  /** The puts that a later marker covers. */
  private int dead;

  /** The markers that a major compaction can have purged. */
  private int purgeable;

  PlainReplica(ReplicaCells cells) {
    this.cells = cells;
  }

  void pass(Bits bits) {
    applied = bits.of(applied, ReplicaCells.MOST_EDITS);
    dead = bits.of(dead, ReplicaCells.MOST_EDITS);
    purgeable = bits.of(purgeable, ReplicaCells.MOST_EDITS);
  }

  boolean has(int edit) {
    return (applied >>> edit & 1) == 1;
  }

  void arrive(int edit) {
    dead |= cells.hides(edit) & applied;
    dead &= ~(1 << edit);
    purgeable &= ~(1 << edit);
    applied |= 1 << edit;
  }

  /** A major compaction has purged these markers. */
  void purged(int markers) {
    purgeable |= markers & applied;
  }

  /** Whether what can be seen does not depend on when there was a major compaction. */
  boolean isSure() {
    return purgeable == 0;
  }

  /** Says what is wrong with what a reader sees, or null. */
  String wrong(int visible) {
    int hidden = dead;
    int perhaps = 0;
    for (int edit = 0; edit < ReplicaCells.MOST_EDITS; edit++) {
      if (cells.markers(applied & 1 << edit) != 0) {
        hidden |= (purgeable >>> edit & 1) == 0 ? cells.hides(edit) : 0;
        perhaps |= cells.hides(edit);
      }
    }
    int there = cells.puts(applied);
    if ((visible & ~there) != 0) {
      return "sees what has never come: " + cells.text(visible & ~there);
    }
    if ((visible & hidden) != 0) {
      return "sees what is deleted: " + cells.text(visible & hidden);
    }
    int lost = there & ~visible & ~hidden & ~perhaps;
    return lost == 0 ? null : "does not see " + cells.text(lost);
  }
}
