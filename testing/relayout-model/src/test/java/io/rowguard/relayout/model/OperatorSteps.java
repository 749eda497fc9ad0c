package io.rowguard.relayout.model;

/**
 * The operator and the master: the alters, one after the other, and the counting before a finish.
 *
 * <p>An alter waits until every region has reopened with the one before, which is asked of the
 * regions themselves; a region that crashes then opens with that descriptor or a later one. The
 * operator may stop after any alter.
 */
final class OperatorSteps implements Actor<World> {
  @Override
  public int branches() {
    return 5;
  }

  @Override
  public boolean step(World world, int branch) {
    return switch (branch) {
      case 0 -> alter(world);
      case 1 -> count(world, world.regions[0]);
      case 2 -> count(world, world.regions[1]);
      case 3 -> count(world, world.zombies[0]);
      default -> count(world, world.zombies[1]);
    };
  }

  private static boolean alter(World world) {
    Setting setting = world.setting;
    int next = world.current + 1;
    if (next > setting.lastVersion()
        || world.regions[0].version != world.current
        || world.regions[1].version != world.current
        || (world.descriptor().phase() == Descriptor.Phase.MOVING
            && setting.isFinish(next)
            && world.counted != 3)) {
      return false;
    }
    world.current = next;
    if (!setting.has(Mistake.FINISH_AFTER_BACK) || setting.isFinish(next)) {
      world.counted = 0;
    }
    world.say("the table is altered to version ", next, ": ", setting.descriptor(next));
    return true;
  }

  /**
   * A region answers that it has no old row, and that no pull has left a marker at a new one, which
   * would mask writes in times to come. The answer is about its version.
   */
  private static boolean count(World world, Region region) {
    Setting setting = world.setting;
    Descriptor descriptor = world.descriptor();
    if (!region.isOpen()
        || descriptor.phase() != Descriptor.Phase.MOVING
        || !finishes(setting)
        || (world.counted >> region.index & 1) == 1) {
      return false;
    }
    if (region.version != world.current && !setting.has(Mistake.COUNT_WITHOUT_GENERATION)) {
      return false;
    }
    for (int key = 0; key < region.row.length; key++) {
      boolean old = setting.layout(key, region.index) == descriptor.from();
      if (old && !Row.isEmpty(region.row[key])) {
        return false;
      }
      if (!old && isInTheWay(setting, region.row[key], region.clock)) {
        return false;
      }
    }
    world.counted |= 1 << region.index;
    world.say(region, " counts its old rows for version ", region.version, ": none");
    return true;
  }

  private static boolean isInTheWay(Setting setting, long row, int clock) {
    if (setting.has(Mistake.FINISH_OVER_MARKERS)) {
      return false;
    }
    if (setting.has(Mistake.FINISH_BY_THE_CLOCK)) {
      return Row.leftover(row) > clock;
    }
    return Row.leftover(row) > 0;
  }

  private static boolean finishes(Setting setting) {
    for (int version = 1; version <= setting.lastVersion(); version++) {
      if (setting.isFinish(version)) {
        return true;
      }
    }
    return false;
  }
}
