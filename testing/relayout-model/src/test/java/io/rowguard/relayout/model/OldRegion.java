package io.rowguard.relayout.model;

import io.rowguard.relayout.model.Mutation.At;

/**
 * The old region's part of a pull. It takes no lock of pulls and asks nobody, so it always ends;
 * and it changes nothing that a crash between its steps could leave half done.
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
    if (!old.zombie) {
      world.forgetAnswers(old, key);
    }
    mutation.lastAnswer = true;
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

  /** What an earlier pull has left at the old place is not of the row, and stays there. */
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
    int layout = world.setting.layout(key, region.index);
    int generation = world.descriptor(region).generationOf(layout);
    int newest = Row.newest(mutation.cells);
    if (!deleteOld(world, old, key, generation, newest, mutation.lastAnswer)) {
      return PullSteps.giveUp(world, mutation, "is refused the delete");
    }
    if (!Row.isEmpty(old.row[key])) {
      return PullSteps.giveUp(world, mutation, "has something left at the old place");
    }
    mutation.at = At.DELETED;
    return true;
  }

  /** Step 7 in the old region, be the message new, late or repeated. */
  static boolean deleteOld(
      World world, Region old, int key, int generation, int timestamp, boolean lastAnswer) {
    int layout = world.setting.layout(key, old.index);
    boolean right = Answer.isOld(world, old, key, generation);
    boolean last =
        lastAnswer
            || !world.descriptor(old).returning()
            || world.setting.has(Mistake.DELETE_OF_ANY_ANSWER);
    if (!(right && last) && !world.setting.has(Mistake.DELETE_WITHOUT_GENERATION)) {
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

  /**
   * The mutation at the old place, where markers keep the copy from the new one: if the message
   * goes with the last answer, since otherwise somebody else has the key.
   */
  static boolean applyThrough(World world, Mutation mutation) {
    Region region = world.regions[mutation.region];
    Region old = world.regions[1 - mutation.region];
    if (!old.isOpen()) {
      return false;
    }
    if (!mutation.lastAnswer && !world.setting.has(Mistake.THROUGH_OF_ANY_ANSWER)) {
      return PullSteps.giveUp(
          world, mutation, "is refused: the old region has given another answer");
    }
    PullSteps.unlock(region, mutation);
    MutationSteps.apply(world, mutation, old);
    return true;
  }
}
