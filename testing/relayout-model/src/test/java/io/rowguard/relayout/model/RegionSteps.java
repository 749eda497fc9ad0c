package io.rowguard.relayout.model;

import io.rowguard.relayout.model.Descriptor.Phase;
import io.rowguard.relayout.model.Mutation.At;

/**
 * Events of a region: it closes and opens with the descriptor of that moment, crashes, leaves a
 * zombie, compacts.
 *
 * <p>The descriptor is read some time before the region takes requests, so a region can open with a
 * version that is no longer the newest. A zombie's memory stays as it was, and the pulls that it
 * was in the middle of go on in it, up to where they need its log. Of several zombies of a region
 * only the last is kept.
 */
final class RegionSteps implements Actor<World> {
  private final int index;

  RegionSteps(int index) {
    this.index = index;
  }

  @Override
  public int branches() {
    return 8;
  }

  @Override
  public boolean step(World world, int branch) {
    Region region = world.regions[index];
    return switch (branch) {
      case 0 -> reopen(world, region);
      case 1 -> move(world, region);
      case 2 -> crash(world, region, false);
      case 3 -> world.setting.hasZombies() && crash(world, region, true);
      case 4 -> compact(world, region);
      case 5 -> forget(world, region);
      case 6 -> hear(world, region, world.regions[1 - index]);
      default -> hear(world, region, world.zombies[1 - index]);
    };
  }

  private static boolean reopen(World world, Region region) {
    switch (region.status) {
      case OPEN -> {
        if (region.version == world.current) {
          return false;
        }
        world.say(region, " closes, since the table was altered");
        close(world, region);
      }
      case CLOSED -> {
        region.version = world.current;
        region.status = Region.Status.OPENING;
        world.say(region, " begins to open with version ", region.version);
      }
      case OPENING -> {
        region.status = Region.Status.OPEN;
        world.say(region, " is open, ", world.descriptor(region));
      }
    }
    return true;
  }

  private static boolean move(World world, Region region) {
    if (!region.isOpen() || world.movesLeft == 0) {
      return false;
    }
    world.movesLeft--;
    world.say(region, " closes, to be moved, split or merged");
    close(world, region);
    return true;
  }

  private static void close(World world, Region region) {
    for (Mutation mutation : world.mutations) {
      if (mutation.isInRegion() && !mutation.inZombie && mutation.region == region.index) {
        PullSteps.giveUp(world, mutation, "ends with its region");
      } else if (isReadBy(mutation, region) && !mutation.readByZombie) {
        PullSteps.giveUp(world, mutation, "has no answer");
      }
    }
    region.close();
  }

  private static boolean crash(World world, Region region, boolean zombie) {
    if (!region.isOpen() || world.crashesLeft == 0) {
      return false;
    }
    world.crashesLeft--;
    world.say("the server of ", region, " is given up", zombie ? ", but goes on as a zombie" : "");
    for (Mutation mutation : world.mutations) {
      if (mutation.isInRegion() && mutation.region == region.index) {
        boolean goesOn = zombie && !mutation.inZombie && mutation.at != At.LOCK;
        if (goesOn) {
          mutation.inZombie = true;
        } else if (zombie || !mutation.inZombie) {
          PullSteps.giveUp(world, mutation, "ends with its server");
        }
      } else if (isReadBy(mutation, region)) {
        if (zombie && !mutation.readByZombie) {
          mutation.readByZombie = true;
        } else if (zombie || !mutation.readByZombie) {
          PullSteps.giveUp(world, mutation, "has no answer");
        }
      }
    }
    if (zombie) {
      world.zombies[region.index].take(region);
    }
    region.crash();
    return true;
  }

  private static boolean isReadBy(Mutation mutation, Region region) {
    if (mutation.at != At.READ) {
      return false;
    }
    return mutation.region != region.index;
  }

  /** Pulled keys need not be remembered: the next mutation asks again. */
  private static boolean forget(World world, Region region) {
    if (!world.setting.isForgetful() || region.pulled == 0) {
      return false;
    }
    world.say(region, " forgets what is pulled");
    region.pulled = 0;
    return true;
  }

  /**
   * An old region that has no old row says so of all its keys at once. The message may take its
   * time: it only keeps the region from asking.
   */
  private static boolean hear(World world, Region region, Region old) {
    if (!world.setting.hasEmptied() || !region.isOpen() || !old.isOpen()) {
      return false;
    }
    Descriptor known = world.descriptor(old);
    boolean takesWrites = known.phase() == Phase.PREPARED;
    if (known.atHome() || (takesWrites && !world.setting.has(Mistake.EMPTIED_WHILE_PREPARED))) {
      return false;
    }
    int before = region.emptied;
    boolean sameGeneration = known.generation() == world.descriptor(region).generation();
    for (int key = 0; key < region.row.length; key++) {
      boolean isOld = known.from() == world.setting.layout(key, old.index);
      if (sameGeneration && isOld && Row.isEmpty(old.row[key])) {
        region.emptied |= 1 << key;
      }
    }
    if (region.emptied == before) {
      return false;
    }
    world.say(region, " hears that ", old, " has no old row left");
    return true;
  }

  private static boolean compact(World world, Region region) {
    if (!region.isOpen() || !world.setting.hasCompactions()) {
      return false;
    }
    boolean markers = false;
    for (long row : region.row) {
      markers |= Row.cells(row) != row;
    }
    if (!markers) {
      return false;
    }
    for (int key = 0; key < region.row.length; key++) {
      region.row[key] = Row.cells(region.row[key]);
    }
    region.sync();
    world.say(region, " has a major compaction");
    return true;
  }
}
