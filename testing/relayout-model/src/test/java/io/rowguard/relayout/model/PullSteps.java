package io.rowguard.relayout.model;

import io.rowguard.relayout.model.Mutation.At;

/**
 * A pull: how the region of the new row gets the old row before it applies a mutation. <b>This
 * class is the specification of pull on the servers</b>; each method is one step that is atomic
 * there, and between any two of them servers crash, regions reopen, messages are lost, and others
 * take steps. The old region's steps are in {@link OldRegion}.
 *
 * <pre>
 *   new region                                          old region
 *   1 lock the key, in the instance's own table
 *   2 ask, with the generation                 ------>  3 read the row; if it has cells, sync
 *     "nothing": go to 8; "not yet": forward   &lt;------    the log before they are sent
 *   4 if the new row is there, sync the log and go to 6
 *     hold its markers against the cells
 *     wait until the clock has passed the cells
 *   5 write the copy, one edit, synced
 *   6 tell it to delete, with the generation   ------>  7 delete up to the newest timestamp of the
 *                                              &lt;------    cells, synced; see that it is empty
 *   8 remember the key as pulled, unlock it
 *   9 apply the mutation, unless what an earlier pull has left would mask it; acknowledge
 * </pre>
 *
 * <p>An old region that has counted none of its rows says so with an answer to 2. No key of its
 * rows is asked about then: 1 to 8 are left out, unless a pull has the lock: that one may have read
 * its cells before they went.
 *
 * <p>A step that fails fails the mutation with an error, upon which the client tries again. Nothing
 * needs to be undone: the next pull finds what there is. A pull need not keep its region from
 * closing: a region that closes ends its pulls where they are, as a crash does. Only 9 is under
 * HBase's row lock.
 *
 * <p>Steps 4 and 5 are one here, and 9 is one, though a server checks first and writes then. Only a
 * compaction could come between, which only takes markers away.
 *
 * <p>A delete marker is either a user's or a <i>leftover</i>, which step 7 has made. A user's is of
 * the row: it goes along, and hides at the new place what it hid at the old one, of the future too.
 * A leftover hides what no user has deleted, from the moment that the row comes back to where it
 * was. It goes nowhere, and 4 and 9 are held against it, 9 by the timestamp of the put.
 */
final class PullSteps {
  private PullSteps() {}

  /** Branch 0 goes on; 1 goes on with a zombie of the old region; 2 gives up. */
  static boolean step(World world, Mutation mutation, int branch) {
    if (branch == 2) {
      return isOnTheWire(mutation) && giveUp(world, mutation, "has no answer from the old region");
    }
    if (branch == 1 && mutation.at != At.ASKED) {
      return false;
    }
    return switch (mutation.at) {
      case LOCK -> lock(world, mutation);
      case ASKED -> OldRegion.answer(world, mutation, branch == 1 ? world.zombies : world.regions);
      case READ -> OldRegion.syncLog(world, mutation);
      case ANSWERED -> copy(world, mutation);
      case COPIED -> tell(world, mutation);
      case DELETING -> OldRegion.delete(world, mutation);
      case DELETED -> pulled(world, mutation);

      default -> throw new IllegalStateException("No pull. mutation=" + mutation);
    };
  }

  private static boolean isOnTheWire(Mutation mutation) {
    return mutation.at == At.ASKED || mutation.at == At.DELETING;
  }

  /** Steps 1 and 2, or 9 where the key is pulled. */
  private static boolean lock(World world, Mutation mutation) {
    Region region = world.instance(mutation);
    int key = mutation.plan.key();
    boolean isFree = region.lock[key] == 0 || world.setting.has(Mistake.EMPTIED_WITHOUT_LOCK);
    if ((region.pulled >> key & 1) == 1
        || world.setting.has(Mistake.NO_ASK)
        || ((region.emptied >> key & 1) == 1 && isFree)) {
      return apply(world, mutation, region);
    }
    if (region.lock[key] != 0 && !world.setting.has(Mistake.TWO_PULLS)) {
      return false;
    }
    region.lock[key] = mutation.index + 1;
    mutation.at = At.ASKED;
    world.say(mutation, ": ", region, " locks the key and asks the old region");
    return true;
  }

  /** The old place is home still, and decides itself by reopening. */
  static boolean notYet(World world, Mutation mutation, Region old) {
    Region region = world.instance(mutation);
    world.say(mutation, ": ", old, " answers that it takes the writes for now");
    if (mutation.forwarded) {
      return giveUp(world, mutation, "was forwarded before");
    }
    unlock(region, mutation);
    int layout = world.setting.layout(mutation.plan.key(), old.index);
    MutationSteps.forward(world, mutation, region, layout);
    return true;
  }

  /** Steps 4 and 5. Without cells the pull is over. */
  private static boolean copy(World world, Mutation mutation) {
    if (mutation.cells == Row.EMPTY) {
      return pulled(world, mutation);
    }
    if (world.setting.has(Mistake.DELETE_BEFORE_COPY)) {
      return tell(world, mutation);
    }
    return writeCopy(world, mutation);
  }

  private static boolean writeCopy(World world, Mutation mutation) {
    Region region = world.instance(mutation);
    Setting setting = world.setting;
    int key = mutation.plan.key();
    String name = world.rowName(key, setting.layout(key, region.index));
    if (Row.isEmpty(region.row[key]) || setting.has(Mistake.COPY_ONTO_A_ROW)) {
      if (region.zombie) {
        return giveUp(world, mutation, "is in a zombie, which is fenced from its log");
      }
      if (Row.wouldMask(region.row[key], mutation.cells) && !setting.has(Mistake.NO_MARKER_CHECK)) {
        return giveUp(world, mutation, "meets markers, which ask for a compaction");
      }
      if (!setting.has(Mistake.NO_CLOCK)
          && !setting.has(Mistake.CLOCK_AFTER_COPY)
          && !setting.has(Mistake.CLOCK_AFTER_DELETE)) {
        waitForClock(setting, region, mutation);
      }
      region.row[key] = Row.copy(region.row[key], mutation.cells);
      world.say(
          mutation, ": ", region, " writes the copy, ", name, "=", world.text(region.row[key]));
      if (setting.has(Mistake.ONE_EDIT)) {
        MutationSteps.change(world, mutation, region);
        mutation.applied = true;
      }
      if (!setting.has(Mistake.COPY_UNSYNCED)) {
        region.sync();
      }
    } else {
      if (region.zombie && !setting.has(Mistake.DELETE_WITHOUT_OWN_LOG)) {
        return giveUp(world, mutation, "is in a zombie, which is fenced from its log");
      }
      world.say(mutation, ": ", name, " is there already, nothing is copied");
    }
    mutation.at = At.COPIED;
    return true;
  }

  /**
   * The copy comes into the region like a write of its own: with timestamps that its server's clock
   * has passed. The next server's clock may be behind, as without a relayout.
   */
  private static void waitForClock(Setting setting, Region region, Mutation mutation) {
    region.clock = Math.max(region.clock, Row.newestOfThePast(mutation.cells));
    int marker = Row.marker(mutation.cells);
    if (marker < Row.DELETED_IN_THE_FUTURE && !setting.has(Mistake.CLOCK_WITHOUT_MARKERS)) {
      region.clock = Math.max(region.clock, marker);
    }
  }

  /** Step 6. */
  private static boolean tell(World world, Mutation mutation) {
    Region region = world.instance(mutation);
    Setting setting = world.setting;
    Descriptor descriptor = world.descriptor(region);
    if (setting.has(Mistake.CLOCK_AFTER_COPY)) {
      waitForClock(setting, region, mutation);
    }
    if (setting.has(Mistake.MUTATE_BEFORE_DELETE) && !mutation.applied && !region.zombie) {
      MutationSteps.change(world, mutation, region);
      region.sync();
      mutation.applied = true;
    }
    int key = mutation.plan.key();
    int layout = world.setting.layout(key, region.index);
    world.sendDelete(descriptor.generation(), key, Row.newest(mutation.cells));
    mutation.at = At.DELETING;
    String name = world.rowName(key, 1 - layout);
    world.say(mutation, ": ", region, " tells the old region to delete ", name);
    return true;
  }

  /** Step 8. */
  private static boolean pulled(World world, Mutation mutation) {
    Region region = world.instance(mutation);
    Setting setting = world.setting;
    if (region.zombie) {
      return giveUp(world, mutation, "is in a zombie, which is fenced from its log");
    }
    if (setting.has(Mistake.DELETE_BEFORE_COPY) && mutation.cells != Row.EMPTY) {
      if (!writeCopy(world, mutation) || mutation.at != At.COPIED) {
        return true;
      }
    }
    if (setting.has(Mistake.CLOCK_AFTER_DELETE)) {
      waitForClock(setting, region, mutation);
    }
    region.pulled |= 1 << mutation.plan.key();
    unlock(region, mutation);
    if (mutation.applied) {
      MutationSteps.acknowledge(world, mutation, mutation.plan.answer(1));
      return true;
    }
    mutation.at = At.LOCK;
    world.say(mutation, ": the key is pulled");
    return true;
  }

  /** Step 9. */
  private static boolean apply(World world, Mutation mutation, Region region) {
    long row = region.row[mutation.plan.key()];
    Setting setting = world.setting;
    boolean byTheClock = setting.has(Mistake.MUTATION_BY_THE_CLOCK);
    boolean all = setting.has(Mistake.MUTATION_UNDER_USERS_MARKERS);
    int clock = region.clock + 1;
    int puts = byTheClock && mutation.plan.puts() ? clock : mutation.plan.putsAt(clock);
    int mask = all ? Math.max(Row.leftover(row), Row.marker(row)) : Row.leftover(row);
    boolean masked = puts > 0 && puts <= mask;
    if (masked && !setting.has(Mistake.MUTATION_UNDER_A_MARKER)) {
      return giveUp(world, mutation, "would be masked by a leftover, which asks for a compaction");
    }
    MutationSteps.apply(world, mutation, region);
    return true;
  }

  /** The client is told to try again; or, if the mutation is applied already, nothing. */
  static boolean giveUp(World world, Mutation mutation, String why) {
    world.say(mutation, " ", why);
    unlock(world.instance(mutation), mutation);
    if (mutation.applied) {
      mutation.at = At.LOST;
    } else {
      world.takeBack(mutation);
    }
    return true;
  }

  static void unlock(Region region, Mutation mutation) {
    if (region.lock[mutation.plan.key()] == mutation.index + 1) {
      region.lock[mutation.plan.key()] = 0;
    }
  }
}
