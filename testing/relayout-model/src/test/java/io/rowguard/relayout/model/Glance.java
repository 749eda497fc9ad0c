package io.rowguard.relayout.model;

/**
 * Reads every key at once, as a Get and as a Scan would if nothing happened in between, and asks
 * whether what they would see can be. So what is lost, or has come back, is found in the state in
 * which it shows first, without a reader among the clients; those are there for what happens
 * between the reads of one Get.
 */
final class Glance {
  private Glance() {}

  static void check(World world) {
    if (!world.regions[0].isOpen() || !world.regions[1].isOpen()) {
      return;
    }
    Descriptor descriptor = world.descriptor();
    for (int key = 0; key < world.histories.length; key++) {
      int to = shown(world, key, descriptor.to());
      int from = descriptor.atHome() ? 0 : shown(world, key, descriptor.from());
      check(world, key, "Get", to != 0 ? to : from);
      check(world, key, "Scan", from != 0 ? from : to);
    }
  }

  private static int shown(World world, int key, int layout) {
    return Row.shown(world.regionOf(key, layout).row[key]);
  }

  private static void check(World world, int key, String what, int shown) {
    History history = world.histories[key];
    if (!history.maySee(shown)) {
      String sees = Row.shownText(shown) + " of K" + (key + 1);
      world.violate("a " + what + " sees " + sees + ", but there is " + history.possible());
    }
  }
}
