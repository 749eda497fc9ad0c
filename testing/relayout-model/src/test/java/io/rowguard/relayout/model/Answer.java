package io.rowguard.relayout.model;

import io.rowguard.relayout.model.Descriptor.Phase;

/** An old region's answer to a pull request, by its own descriptor and nothing else. */
enum Answer {
  /** The request is of another generation, or for something that this region does not decide. */
  REFUSED,
  /** The old place takes the writes for now. */
  NOT_YET,
  /** There is no old row, and none will come in this generation. */
  NOTHING,
  CELLS;

  /** The answer of an old region, or its zombie, to the region that asks. */
  static Answer of(World world, Region old, Region asking, int key) {
    Setting setting = world.setting;
    int layout = setting.layout(key, old.index);
    int generation = world.descriptor(asking).generation();
    Descriptor known = world.descriptor(old);
    boolean asked = known.from() == layout;
    boolean sameGeneration =
        known.generation() == generation || setting.has(Mistake.REQUEST_WITHOUT_GENERATION);
    if (setting.has(Mistake.ADOPTS_WHEN_ASKED)
        && known.phase() == Phase.PREPARED
        && world.descriptor(asking).phase() == Phase.MOVING) {
      old.adopted = true;
    }
    Phase phase = MutationSteps.phase(world, old);
    if (asked && sameGeneration && phase == Phase.PREPARED) {
      return NOT_YET;
    }
    if (known.atHome()) {
      return asked && sameGeneration ? NOTHING : REFUSED;
    }
    if (!isOld(world, old, key, generation)
        && !(asked && setting.has(Mistake.REQUEST_WITHOUT_GENERATION))) {
      return REFUSED;
    }
    return Row.isEmpty(old.row[key]) ? NOTHING : CELLS;
  }

  /** Whether a region gives up its row of this key for this generation. */
  static boolean isOld(World world, Region region, int key, int generation) {
    Descriptor known = world.descriptor(region);
    return known.from() == world.setting.layout(key, region.index)
        && MutationSteps.phase(world, region) == Phase.MOVING
        && known.generation() == generation;
  }
}
