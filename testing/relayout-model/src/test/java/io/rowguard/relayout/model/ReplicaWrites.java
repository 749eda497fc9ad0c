package io.rowguard.relayout.model;

import static io.rowguard.relayout.model.ReplicaSetting.LAYOUTS;

import io.rowguard.relayout.model.Descriptor.Phase;

/**
 * One edit on its way: a client of its cluster makes it, and it arrives at others. <b>This class is
 * the specification of what becomes of an edit that arrives.</b>
 *
 * <p>The row that it names is read by the layouts that the table knows. It is written to the row
 * that takes the writes of K in this cluster, after a pull where rows move. A row that no layout
 * reads, a region that has not pulled and a leftover refuse it: the sender keeps it and sends it
 * again. Which region it comes to first does not matter: that one sends it on, once, and the one
 * that gets it then decides for itself.
 */
final class ReplicaWrites implements Actor<Replicas> {
  private final int edit;

  ReplicaWrites(int edit) {
    this.edit = edit;
  }

  /** Where it comes from, 3 for a client; where it goes to; the row named; the row written. */
  @Override
  public int branches() {
    return 4 * 3 * LAYOUTS * LAYOUTS;
  }

  @Override
  public boolean step(Replicas world, int branch) {
    int home = branch % LAYOUTS;
    int named = branch / LAYOUTS % LAYOUTS;
    int to = branch / (LAYOUTS * LAYOUTS) % 3;
    int from = branch / (3 * LAYOUTS * LAYOUTS);
    if (to >= world.clusters.length) {
      return false;
    }
    if (from == 3) {
      return make(world, world.clusters[to], named, home);
    }
    return from < world.clusters.length
        && arrive(world, world.clusters[from], world.clusters[to], named, home);
  }

  /**
   * A client's write, which names the row that takes it.
   *
   * @param together for a mistake: a cluster from which another edit arrives at the same time
   */
  private boolean make(Replicas world, Replica cluster, int together, int home) {
    ReplicaEdit plan = world.edits.get(edit);
    boolean sharing = world.setting.has(ReplicaMistake.CLUSTERS_OF_ANOTHER);
    boolean isSane = sharing ? together < world.clusters.length : together == 0;
    if (!isSane || plan.cluster() != cluster.index || cluster.plain.has(edit)) {
      return false;
    }
    int row = cluster.row[home];
    if (!cluster.takes(home) || isHeldBack(world, row)) {
      return false;
    }
    if (plan.kind() == ReplicaEdit.Kind.INCREMENT_C1) {
      String wrong = cluster.plain.wrong(world.cells.visible(row));
      if (wrong != null) {
        world.violate(plan + " " + wrong);
      }
    }
    boolean cleared =
        world.setting.has(ReplicaMistake.SCOPE_CLEARED_FOR_ALL)
            && cluster.descriptor(home).phase() == Phase.MOVING;
    world.write(cluster, edit, home, sharing ? 1 << together : 0, !cleared);
    world.writePlain(cluster, edit, 0);
    return true;
  }

  private boolean arrive(Replicas world, Replica from, Replica to, int named, int home) {
    boolean isSent =
        (from.shipTo[edit] >>> to.index & 1) == 1 && (from.under[edit] >>> named & 1) == 1;
    if (!isSent || (to.plain.has(edit) && !world.setting.hasRepeats() && isOfPlain(from, to))) {
      return false;
    }
    if (!mayBeWritten(world, to, named, home)) {
      return false;
    }
    int passed = world.passed(edit, from.index);
    world.say("from cluster ", from.index + 1, " as ", Descriptor.layout(named), "(K)");
    boolean forgotten = world.setting.has(ReplicaMistake.CLUSTERS_FORGOTTEN);
    world.write(to, edit, home, forgotten ? 0 : passed, true);
    if (isOfPlain(from, to)) {
      world.writePlain(to, edit, passed);
    }
    return true;
  }

  /** Whether plain tables would ship it, too. */
  private boolean isOfPlain(Replica from, Replica to) {
    return (from.plainShipTo[edit] >>> to.index & 1) == 1;
  }

  private boolean mayBeWritten(Replicas world, Replica to, int named, int home) {
    ReplicaSetting setting = world.setting;
    boolean asNamed =
        setting.has(ReplicaMistake.STORED_AS_NAMED)
            || (setting.has(ReplicaMistake.UNKNOWN_ROW_ACCEPTED) && !to.knows(named));
    if (asNamed) {
      return home == named;
    }
    boolean unpulled =
        setting.has(
            world.edits.get(edit).isPut()
                ? ReplicaMistake.PUT_DOES_NOT_PULL
                : ReplicaMistake.DELETE_DOES_NOT_PULL);
    boolean takes = unpulled ? to.takesUnpulled(home) : to.takes(home);
    return to.knows(named) && takes && !isHeldBack(world, to.row[home]);
  }

  /**
   * Whether a leftover refuses it, until a compaction. Deletes too: the next pull would take it for
   * something that has been taken away, and leave it behind.
   */
  private boolean isHeldBack(Replicas world, int row) {
    ReplicaMistake mistake =
        world.edits.get(edit).isPut()
            ? ReplicaMistake.PUT_UNDER_A_LEFTOVER
            : ReplicaMistake.DELETE_UNDER_A_LEFTOVER;
    return !world.setting.has(mistake) && world.cells.isUnderALeftover(row, 1 << edit);
  }
}
