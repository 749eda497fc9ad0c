package io.rowguard.relayout.model;

/**
 * The network's worst: a delete that a pull has sent arrives once more, at any later time.
 * (Requests to pull need no such thing: a late answer is not waited for any more.)
 */
final class LateDeletes implements Actor<World> {
  @Override
  public int branches() {
    return 6;
  }

  @Override
  public boolean step(World world, int branch) {
    int generation = branch / 2 + 1;
    int key = branch % 2;
    if (key >= world.setting.keys() || world.sentDeletes[generation][key] == 0) {
      return false;
    }
    Setting setting = world.setting;
    for (int version = 0; version <= setting.lastVersion(); version++) {
      Descriptor sender = setting.descriptor(version);
      if (sender.generation() == generation && !sender.atHome()) {
        Region old = world.regionOf(key, sender.from());
        int timestamp = world.sentDeletes[generation][key];
        world.say("a late delete arrives");
        return old.isOpen() && OldRegion.deleteOld(world, old, key, generation, timestamp);
      }
    }
    return false;
  }
}
