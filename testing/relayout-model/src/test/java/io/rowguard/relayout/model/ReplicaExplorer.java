package io.rowguard.relayout.model;

import java.util.ArrayList;
import java.util.List;

/**
 * Goes through every state that some clusters can reach.
 *
 * <p>Wrong is: a cluster whose reader sees what the same cluster without a relayout could not show
 * after the same edits ({@link PlainReplica}); a row where no client looks for it; clusters that
 * have the same edits and show different rows, although no compaction explains it; and a state in
 * which an edit never arrives, or a step is never taken.
 */
final class ReplicaExplorer extends Exploration<Replicas> {
  private ReplicaExplorer(ReplicaSetting setting) {
    super(() -> new Replicas(setting), actors(setting));
  }

  private static List<Actor<Replicas>> actors(ReplicaSetting setting) {
    List<Actor<Replicas>> actors = new ArrayList<>();
    for (int edit = 0; edit < setting.edits().size(); edit++) {
      actors.add(new ReplicaWrites(edit));
    }
    for (int cluster = 0; cluster < setting.clusters(); cluster++) {
      actors.add(new ReplicaTables(cluster));
    }
    if (setting.hasLatePeer() || setting.has(ReplicaMistake.DROPS_SHIPPED)) {
      actors.add(new ReplicaPeers());
    }
    return actors;
  }

  static Outcome explore(ReplicaSetting setting) {
    return explore(setting, Integer.MAX_VALUE);
  }

  /**
   * Explores a setting.
   *
   * @param most states after which it ends as if there were no other
   */
  static Outcome explore(ReplicaSetting setting, int most) {
    return new ReplicaExplorer(setting).run(setting.name(), most);
  }

  @Override
  String wrong(Replicas world, byte[] state) {
    for (Replica cluster : world.clusters) {
      String wrong = cluster.plain.wrong(cluster.seen(world.cells));
      int stray = cluster.stray(world.cells);
      if (wrong == null && stray >= 0) {
        wrong = "has a row that is not looked for, " + Descriptor.layout(stray) + "(K)";
      }
      if (wrong != null) {
        return "cluster " + (cluster.index + 1) + " " + wrong;
      }
    }
    for (Replica cluster : world.clusters) {
      for (Replica other : world.clusters) {
        if (isComparable(cluster.plain, other.plain)
            && cluster.seen(world.cells) != other.seen(world.cells)) {
          return "clusters " + (cluster.index + 1) + " and " + (other.index + 1) + " differ";
        }
      }
    }
    return null;
  }

  private static boolean isComparable(PlainReplica one, PlainReplica other) {
    return one.isSure() && other.isSure() && one.applied == other.applied;
  }
}
