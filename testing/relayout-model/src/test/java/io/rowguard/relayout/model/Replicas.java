package io.rowguard.relayout.model;

import java.util.List;

/** One state of some clusters whose tables replicate, and of what is on its way between them. */
final class Replicas extends Explored {
  final ReplicaSetting setting;
  final List<ReplicaEdit> edits;
  final ReplicaCells cells;
  final Replica[] clusters;

  /** Whether the peer has been added that is added in the middle, and has a copy of the table. */
  boolean peerAdded;

  boolean tableCopied;

  Replicas(ReplicaSetting setting) {
    this.setting = setting;
    edits = setting.edits();
    cells = setting.cells();
    clusters = new Replica[setting.clusters()];
    for (int i = 0; i < clusters.length; i++) {
      clusters[i] = new Replica(i, setting, cells);
    }
  }

  @Override
  void pass(Bits bits) {
    for (Replica cluster : clusters) {
      cluster.pass(bits);
    }
    peerAdded = bits.of(peerAdded);
    tableCopied = bits.of(tableCopied);
  }

  /** The clusters that a cluster's edits are shipped to from now on. */
  int peers(int cluster) {
    boolean isLate = peerAdded && cluster == setting.lateFrom();
    return setting.peers(cluster) | (isLate ? 1 << setting.lateTo() : 0);
  }

  /** The clusters that an edit has been on when it has come from one. */
  int passed(int edit, int from) {
    return 1 << from | 1 << edits.get(edit).cluster();
  }

  /**
   * A region writes an edit to a row of K and to its log.
   *
   * @param passed the clusters that it has been on, as the log says
   * @param ship whether it keeps its scope
   */
  void write(Replica cluster, int edit, int layout, int passed, boolean ship) {
    cluster.row[layout] |= 1 << edit;
    log(cluster, edit, layout, passed, ship);
    String row = text(cluster, layout);
    say(edits.get(edit), " is written in cluster ", cluster.index + 1, ", ", row);
  }

  void log(Replica cluster, int edit, int layout, int passed, boolean ship) {
    cluster.under[edit] |= 1 << layout;
    int others = peers(cluster.index) & ~(1 << cluster.index);
    cluster.shipTo[edit] |= ship ? others & ~passed : 0;
  }

  /** The same edit in the cluster without a relayout. */
  void writePlain(Replica cluster, int edit, int passed) {
    cluster.plain.arrive(edit);
    cluster.plainShipTo[edit] |= peers(cluster.index) & ~(1 << cluster.index) & ~passed;
  }

  /** Whether all edits are made and have arrived wherever those of plain tables would. */
  boolean isDelivered() {
    for (int edit = 0; edit < edits.size(); edit++) {
      if (!clusters[edits.get(edit).cluster()].plain.has(edit)) {
        return false;
      }
      for (Replica from : clusters) {
        for (Replica to : clusters) {
          boolean isShipped = (from.plainShipTo[edit] >>> to.index & 1) == 1;
          if (isShipped && !to.plain.has(edit)) {
            return false;
          }
        }
      }
    }
    return true;
  }

  /**
   * All edits are everywhere, and all steps are taken: a step that cannot be taken is a mistake.
   */
  @Override
  boolean nobodyWaits() {
    return isDelivered() && isLast() && tableCopied == setting.hasLatePeer();
  }

  @Override
  boolean isLast() {
    for (Replica cluster : clusters) {
      if (!cluster.isLast()) {
        return false;
      }
    }
    return true;
  }

  /** A row as {@link #say} has it; empty before {@link #listen}, since it costs. */
  String text(Replica cluster, int layout) {
    return isHeard() ? Descriptor.layout(layout) + "(K)=" + cells.text(cluster.row[layout]) : "";
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    for (Replica cluster : clusters) {
      text.append(text.length() == 0 ? "" : " | ").append(cluster.text(cells));
    }
    return text.toString();
  }
}
