package io.rowguard.relayout.model;

import io.rowguard.relayout.model.Mutation.At;

/**
 * The old region's part of a pull. It takes no lock of pulls and asks no other region, so it always
 * ends. A crash between its steps leaves nothing half done.
 */
final class OldRegion {
  private OldRegion() {}

  /** Step 3, up to where the row is read. */
  static boolean answer(World world, Mutation mutation, Region[] instances) {
    Region asking = world.instance(mutation);
    int key = mutation.plan.key();
    Region old = instances[1 - asking.index];
    if (!old.isOpen()) {
      return false;
    }
    Answer answer = Answer.of(world, old, asking, key);
    if (answer == Answer.REFUSED) {
      return PullSteps.giveUp(
          world, mutation, "is refused: the old region is not in this relayout");
    }
    if (answer == Answer.NOT_YET) {
      return PullSteps.notYet(world, mutation, old);
    }
    if (answer == Answer.NOTHING) {
      world.say(mutation, ": ", old, " answers that it has nothing");
      mutation.at = At.ANSWERED;
      return true;
    }
    mutation.at = At.READ;
    mutation.cells = content(world, old.row[key]);
    mutation.readByZombie = old.zombie;
    String name = world.rowName(key, world.setting.layout(key, old.index));
    world.say(mutation, ": ", old, " reads ", name);
    return true;
  }

  /** The row without the leftovers of an earlier pull at the old place, which stay there. */
  private static long content(World world, long row) {
    long content = Row.content(row);
    return world.setting.has(Mistake.LEFTOVERS_TAKEN_ALONG)
        ? Row.delete(content, Row.leftover(row))
        : content;
  }

  /** Step 3, the rest: an answer with cells goes through the log, which a zombie cannot. */
  static boolean syncLog(World world, Mutation mutation) {
    if (mutation.readByZombie && !world.setting.has(Mistake.ANSWER_WITHOUT_LOG)) {
      return PullSteps.giveUp(world, mutation, "has no answer: the zombie is fenced from its log");
    }
    world.say(mutation, ": the old region answers with ", world.text(mutation.cells));
    mutation.at = At.ANSWERED;
    return true;
  }

  /** Step 7. */
  static boolean delete(World world, Mutation mutation) {
    Region region = world.instance(mutation);
    int key = mutation.plan.key();
    Region old = world.regions[1 - region.index];
    if (!old.isOpen()) {
      return false;
    }
    int generation = world.descriptor(region).generation();
    if (!deleteOld(world, old, key, generation, Row.newest(mutation.cells))) {
      return PullSteps.giveUp(world, mutation, "is refused the delete");
    }
    if (!Row.isEmpty(old.row[key])) {
      return PullSteps.giveUp(world, mutation, "has something left at the old place");
    }
    mutation.at = At.DELETED;
    return true;
  }

  /** Step 7 in the old region, be the message new, late or repeated. */
  static boolean deleteOld(World world, Region old, int key, int generation, int timestamp) {
    int layout = world.setting.layout(key, old.index);
    if (!Answer.isOld(world, old, key, generation)
        && !world.setting.has(Mistake.DELETE_WITHOUT_GENERATION)) {
      return false;
    }
    boolean toTheClock = world.setting.has(Mistake.DELETE_AT_THE_CLOCK);
    old.row[key] = Row.drop(old.row[key], toTheClock ? old.clock : timestamp);
    if (!world.setting.has(Mistake.DELETE_UNSYNCED)) {
      old.sync();
    }
    String name = world.rowName(key, layout);
    world.say(old, " deletes ", name, " for generation ", generation);
    world.say(name, "=", world.text(old.row[key]));
    return true;
  }
}
