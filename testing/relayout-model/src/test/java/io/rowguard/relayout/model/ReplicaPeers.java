package io.rowguard.relayout.model;

import static io.rowguard.relayout.model.ReplicaSetting.LAYOUTS;

/**
 * A peer that is added in the middle, and gets a copy of the table as clients read it; and, by a
 * mistake, deletes of pulls that arrive like a user's.
 */
final class ReplicaPeers implements Actor<Replicas> {
  @Override
  public int branches() {
    return 2 + LAYOUTS * 3 * 3;
  }

  @Override
  public boolean step(Replicas world, int branch) {
    int from = (branch - 2) / 3 % 3;
    int to = (branch - 2) % 3;
    return switch (branch) {
      case 0 -> add(world);
      case 1 -> copy(world);
      default ->
          Math.max(from, to) < world.clusters.length
              && arrive(world, world.clusters[from], world.clusters[to], (branch - 2) / 9);
    };
  }

  private static boolean add(Replicas world) {
    if (!world.setting.hasLatePeer() || world.peerAdded) {
      return false;
    }
    world.peerAdded = true;
    world.say("cluster ", world.setting.lateTo() + 1, " becomes a peer");
    return true;
  }

  /** A scan of the one table, and puts to the other with the timestamps that it has found. */
  private static boolean copy(Replicas world) {
    if (!world.peerAdded || world.tableCopied) {
      return false;
    }
    int seen = world.clusters[world.setting.lateFrom()].seen(world.cells);
    Replica to = world.clusters[world.setting.lateTo()];
    for (int home = 0; home < LAYOUTS; home++) {
      if (to.takes(home) && !world.cells.isUnderALeftover(to.row[home], seen)) {
        world.say("the table is copied");
        for (int edit = 0; edit < world.edits.size(); edit++) {
          if ((seen >>> edit & 1) == 1) {
            world.write(to, edit, home, 0, true);
            world.writePlain(to, edit, 0);
          }
        }
        world.tableCopied = true;
        return true;
      }
    }
    return false;
  }

  private static boolean arrive(Replicas world, Replica from, Replica to, int home) {
    boolean isSent = from.dropUpTo > 0 && (world.peers(from.index) >>> to.index & 1) == 1;
    if (!isSent || !to.takes(home)) {
      return false;
    }
    to.row[home] = ReplicaCells.dropShipped(to.row[home], from.dropUpTo);
    world.say("a delete of a pull in cluster ", from.index + 1, " arrives in ", to.index + 1);
    return true;
  }
}
