package io.rowguard.relayout.model;

import static io.rowguard.relayout.model.ReplicaSetting.LAYOUTS;

import io.rowguard.relayout.model.Descriptor.Phase;

/**
 * The table of one cluster: its alters, and its regions, which reopen, restart, compact and pull.
 *
 * <p>No edit that a pull makes has a scope in the log, so none is shipped. Markers without a put
 * are a row to be moved: a put that they cover may still be on its way. So an old row is deleted up
 * to its newest cell, be it a marker.
 *
 * <p>A region that hears that no old row is left ({@link Region#emptied}) takes the step of a pull
 * that finds nothing: of both the condition is that the old row has no content, markers included.
 */
final class ReplicaTables implements Actor<Replicas> {
  private final int index;

  ReplicaTables(int index) {
    this.index = index;
  }

  @Override
  public int branches() {
    return 1 + 4 * LAYOUTS;
  }

  @Override
  public boolean step(Replicas world, int branch) {
    Replica cluster = world.clusters[index];
    if (branch == 0) {
      return alter(world, cluster);
    }
    int layout = (branch - 1) % LAYOUTS;
    return switch ((branch - 1) / LAYOUTS) {
      case 0 -> reopen(world, cluster, layout);
      case 1 -> pull(world, cluster, layout);
      case 2 -> compact(world, cluster, layout);
      default -> restart(world, cluster, layout);
    };
  }

  private static boolean alter(Replicas world, Replica cluster) {
    Descriptor next = cluster.next();
    if (next == null || !cluster.isEverywhere()) {
      return false;
    }
    Descriptor now = cluster.descriptor();
    ReplicaCells cells = world.cells;
    if (next.atHome() && now.phase() == Phase.MOVING) {
      int old = cluster.row[now.from()];
      boolean left =
          world.setting.has(ReplicaMistake.MARKERS_NOT_COUNTED)
              ? cells.visible(old) != 0
              : cells.content(old) != 0;
      if (left || ReplicaCells.leftover(cluster.row[now.to()]) > 0) {
        return false;
      }
    }
    cluster.current++;
    world.say("cluster ", cluster.index + 1, " is altered: ", next);
    return true;
  }

  private static boolean reopen(Replicas world, Replica cluster, int layout) {
    if (!cluster.isToReopen(layout)) {
      return false;
    }
    cluster.version[layout] = cluster.current;
    cluster.restart(layout);
    world.say("cluster ", cluster.index + 1, ": region ", Descriptor.layout(layout), " reopens");
    return true;
  }

  /** The region of the new row: first it copies, with the next step the old row is deleted. */
  private static boolean pull(Replicas world, Replica cluster, int layout) {
    Descriptor descriptor = cluster.descriptor(layout);
    if (descriptor.phase() != Phase.MOVING
        || descriptor.to() != layout
        || !cluster.descriptor(descriptor.from()).equals(descriptor)
        || (cluster.pulled >>> layout & 1) == 1) {
      return false;
    }
    return cluster.copied == layout + 1
        ? drop(world, cluster, layout, descriptor.from())
        : copy(world, cluster, layout, descriptor.from());
  }

  private static boolean copy(Replicas world, Replica cluster, int layout, int old) {
    ReplicaCells cells = world.cells;
    ReplicaSetting setting = world.setting;
    int content = cells.content(cluster.row[old]);
    boolean hasPut = cells.puts(content) != 0;
    if (content == 0 || (!hasPut && setting.has(ReplicaMistake.MARKERS_LEFT_BEHIND))) {
      cluster.pulled |= 1 << layout;
      world.say("cluster ", cluster.index + 1, ": nothing is to be pulled");
      return true;
    }
    int row = cluster.row[layout];
    if (cells.visible(row) == 0) {
      if (cells.isUnderALeftover(row, content) || cells.wouldHide(row, content)) {
        return false;
      }
      cluster.row[layout] |= content;
      if (setting.has(ReplicaMistake.COPIES_SHIPPED)) {
        for (int edit = 0; edit < world.edits.size(); edit++) {
          if ((content >>> edit & 1) == 1) {
            world.log(cluster, edit, layout, 0, true);
          }
        }
      }
    }
    cluster.copied = layout + 1;
    boolean onlyPuts = setting.has(ReplicaMistake.DROPPED_UP_TO_PUTS);
    cluster.copiedUpTo = cells.newest(onlyPuts ? cells.puts(content) : content);
    world.say("cluster ", cluster.index + 1, " copies, ", world.text(cluster, layout));
    return true;
  }

  private static boolean drop(Replicas world, Replica cluster, int layout, int old) {
    cluster.row[old] = ReplicaCells.drop(cluster.row[old], cluster.copiedUpTo);
    if (world.setting.has(ReplicaMistake.DROPS_SHIPPED)) {
      cluster.dropUnder |= 1 << old;
      cluster.dropUpTo = Math.max(cluster.dropUpTo, cluster.copiedUpTo);
    }
    cluster.copied = 0;
    cluster.copiedUpTo = 0;
    cluster.pulled |= 1 << layout;
    world.say("cluster ", cluster.index + 1, " deletes, ", world.text(cluster, old));
    return true;
  }

  private static boolean compact(Replicas world, Replica cluster, int layout) {
    ReplicaCells cells = world.cells;
    int row = cluster.row[layout];
    int compacted = cells.compacted(row);
    if (!world.setting.hasCompactions(cluster.index) || row == compacted) {
      return false;
    }
    cluster.row[layout] = compacted;
    int elsewhere = 0;
    for (int other : cluster.row) {
      elsewhere |= cells.content(other);
    }
    cluster.plain.purged(cells.markers(cells.content(row) | (row & ~elsewhere)));
    world.say("cluster ", cluster.index + 1, " compacts, ", world.text(cluster, layout));
    return true;
  }

  private static boolean restart(Replicas world, Replica cluster, int layout) {
    boolean remembers = (cluster.pulled >>> layout & 1) == 1 || cluster.copied == layout + 1;
    if (!world.setting.hasRestarts() || !remembers) {
      return false;
    }
    cluster.restart(layout);
    world.say("cluster ", cluster.index + 1, ": region ", Descriptor.layout(layout), " restarts");
    return true;
  }
}
