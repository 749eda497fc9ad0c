package io.rowguard.relayout.model;

import static io.rowguard.relayout.model.ReplicaSetting.LAYOUTS;

import io.rowguard.relayout.model.Descriptor.Phase;

/**
 * The key K in one cluster of several that replicate: its rows, of which each lies in a region of
 * its own, the pull that may be under way, and what the log has for the other clusters. Beside it,
 * the same cluster without a relayout.
 *
 * <p>{@link PullSteps} is taken for granted: a pull is two steps here, the copy and the delete, and
 * between them regions restart, compact and reopen.
 */
final class Replica {
  final int index;
  final PlainReplica plain;
  private final ReplicaSetting setting;
  private final Descriptor[] alters;

  /** The layouts that the table ever has, one bit each. */
  private final int own;

  /** The version of the table's descriptor, and by layout that of its region. */
  int current;

  final int[] version = new int[LAYOUTS];

  /** By layout, the row of K. */
  final int[] row = new int[LAYOUTS];

  /** The regions that have pulled K, by layout, one bit each; in memory only. */
  int pulled;

  /** The layout whose row is a copy while the other is still there, plus 1; 0 for none. */
  int copied;

  /** The timestamp up to which that other row will be deleted. */
  int copiedUpTo;

  /** By edit, the layouts under whose rows the log has it, one bit each. */
  final int[] under;

  /** By edit, the clusters that it will be shipped to, one bit each; and those of a plain table. */
  final int[] shipTo;

  final int[] plainShipTo;

  /** By a mistake: the rows whose delete by a pull is shipped, and up to when. */
  int dropUnder;

  int dropUpTo;

  Replica(int index, ReplicaSetting setting, ReplicaCells cells) {
    this.index = index;
    this.setting = setting;
    this.alters = setting.alters(index);
    this.plain = new PlainReplica(cells);
    this.own = layouts(0, alters.length - 1);
    int edits = setting.edits().size();
    this.under = new int[edits];
    this.shipTo = new int[edits];
    this.plainShipTo = new int[edits];
  }

  void pass(Bits bits) {
    current = bits.of(current, 3);
    for (int layout = 0; layout < LAYOUTS; layout++) {
      version[layout] = bits.of(version[layout], 3);
      row[layout] = bits.of(row[layout], ReplicaCells.WIDTH);
    }
    pulled = bits.of(pulled, LAYOUTS);
    copied = bits.of(copied, 2);
    copiedUpTo = bits.of(copiedUpTo, 3);
    for (int edit = 0; edit < under.length; edit++) {
      under[edit] = bits.of(under[edit], LAYOUTS);
      shipTo[edit] = bits.of(shipTo[edit], 3);
      plainShipTo[edit] = bits.of(plainShipTo[edit], 3);
    }
    dropUnder = bits.of(dropUnder, LAYOUTS);
    dropUpTo = bits.of(dropUpTo, 3);
    plain.pass(bits);
  }

  Descriptor descriptor() {
    return alters[current];
  }

  /** The descriptor of the region that has the row of a layout. */
  Descriptor descriptor(int layout) {
    return alters[version[layout]];
  }

  boolean isLast() {
    return current == alters.length - 1 && isEverywhere();
  }

  /** Whether all regions have reopened since the last alter. */
  boolean isEverywhere() {
    for (int layout = 0; layout < LAYOUTS; layout++) {
      if (isToReopen(layout)) {
        return false;
      }
    }
    return true;
  }

  /** Whether the region of a layout has a descriptor that is not the table's any more. */
  boolean isToReopen(int layout) {
    return (own >>> layout & 1) == 1 && version[layout] != current;
  }

  /** The descriptor that the next alter makes, or null. */
  Descriptor next() {
    return current == alters.length - 1 ? null : alters[current + 1];
  }

  /** Whether the region of a layout takes writes of K; where rows move, once it has pulled. */
  boolean takes(int layout) {
    Descriptor descriptor = descriptor(layout);
    return descriptor.home() == layout
        && (descriptor.phase() != Phase.MOVING || (pulled >>> layout & 1) == 1);
  }

  /** Whether it would if it did not pull. */
  boolean takesUnpulled(int layout) {
    return descriptor(layout).home() == layout;
  }

  /** Whether rows of a layout are read when they come from another cluster. */
  boolean knows(int layout) {
    boolean isForgetful = setting.has(ReplicaMistake.FORMER_LAYOUT_FORGOTTEN);
    int all = setting.known(index) | layouts(isForgetful ? current : 0, current);
    return (all >>> layout & 1) == 1;
  }

  /** The layouts of the table from one version to another, one bit each. */
  private int layouts(int first, int last) {
    int all = 0;
    for (int i = first; i <= last; i++) {
      all |= 1 << alters[i].to() | (alters[i].atHome() ? 0 : 1 << alters[i].from());
    }
    return all;
  }

  /** The puts that a client's Get finds: at the new row, or else at the old one. */
  int seen(ReplicaCells cells) {
    Descriptor descriptor = descriptor();
    int to = cells.visible(row[descriptor.to()]);
    return to != 0 || descriptor.atHome() ? to : cells.visible(row[descriptor.from()]);
  }

  /** The layout of a row that is where no client looks for it; -1 for none. */
  int stray(ReplicaCells cells) {
    Descriptor descriptor = descriptor();
    for (int layout = 0; layout < LAYOUTS; layout++) {
      boolean isLookedFor =
          layout == descriptor.to() || (!descriptor.atHome() && layout == descriptor.from());
      if (!isLookedFor && cells.visible(row[layout]) != 0) {
        return layout;
      }
    }
    return -1;
  }

  /** The region of a layout loses what it has in memory. */
  void restart(int layout) {
    pulled &= ~(1 << layout);
    if (copied == layout + 1) {
      copied = 0;
      copiedUpTo = 0;
    }
  }

  String text(ReplicaCells cells) {
    StringBuilder text = new StringBuilder("cluster ").append(index + 1);
    text.append(" at ").append(current).append(" (").append(descriptor()).append(")");
    for (int layout = 0; layout < LAYOUTS; layout++) {
      if (row[layout] != 0 || descriptor(layout).home() == layout) {
        text.append(" ").append(Descriptor.layout(layout)).append("(K)=");
        text.append(cells.text(row[layout])).append(" at ").append(version[layout]);
      }
    }
    return text.toString();
  }
}
