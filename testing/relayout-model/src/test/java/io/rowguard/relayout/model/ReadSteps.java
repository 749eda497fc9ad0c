package io.rowguard.relayout.model;

import io.rowguard.relayout.model.Reader.Kind;

/**
 * How a SaltedTable reads. Each request carries the version that it is planned with; a region that
 * does not take it ends the Get, or the scan's window, and the client begins that anew with the
 * descriptor of now.
 *
 * <ul>
 *   <li><b>Get</b>: the new row; if that shows nothing the old row; if that shows nothing either
 *       the new row once more. With a filter the same, each with the filter.
 *   <li><b>Scan</b>, for each window of keys: the old rows of all its keys, and only then the new
 *       rows. A key that both show is given once, as the new row shows it.
 * </ul>
 *
 * <p>Clients read from regions, not from zombies: what a zombie answers is stale without a relayout
 * too. In a relayout it is worse than stale: the new row's zombie may not have the row yet when the
 * old region has it no more ({@link Mistake#GET_FROM_A_ZOMBIE}). A sub-scan's rows are read one by
 * one, which is what a scanner does that is opened again in the middle; one that sees its region as
 * of its opening reads them all in consecutive steps.
 */
final class ReadSteps implements Actor<World> {
  private final int index;

  ReadSteps(int index) {
    this.index = index;
  }

  @Override
  public int branches() {
    return 2;
  }

  @Override
  public boolean step(World world, int branch) {
    Reader reader = world.readers[index];
    boolean fromZombie = branch == 1;
    if (reader.isOver(world.setting)
        || (fromZombie && !world.setting.has(Mistake.GET_FROM_A_ZOMBIE))) {
      return false;
    }
    if (reader.kind == Kind.SCAN) {
      return branch == 0 && scan(world, reader);
    }
    return get(world, reader, fromZombie ? world.zombies : world.regions);
  }

  private static boolean get(World world, Reader reader, Region[] instances) {
    Descriptor plan = world.setting.descriptor(reader.version);
    boolean old = !plan.atHome() && reader.step == 1;
    Region region = instances[world.setting.region(0, old ? plan.from() : plan.to())];
    if (!region.isOpen()) {
      return false;
    }
    if (!MutationSteps.accepts(world, region, reader.version)) {
      return planAgain(world, reader, region);
    }
    int row = Row.shown(region.row[0]);
    int shown = reader.filter(row);
    tell(world, reader, region, 0, shown);
    reader.step++;
    if (world.setting.has(Mistake.FILTER_HID_IT)) {
      if (old) {
        reader.shown[0] = shown;
        return true;
      }
      shown = reader.step < 3 ? shown : row == 0 ? reader.shown[0] : 0;
    }
    int reads = world.setting.has(Mistake.TWO_READS) ? 2 : 3;
    if (shown != 0 || plan.atHome() || reader.step == reads) {
      seen(world, reader, 0, shown);
      reader.cursor = 1;
    }
    return true;
  }

  private static boolean scan(World world, Reader reader) {
    Setting setting = world.setting;
    Descriptor plan = setting.descriptor(reader.version);
    int end = Math.min(reader.windowStart + setting.window(), setting.keys());
    int size = end - reader.windowStart;
    boolean last = plan.atHome() || reader.step >= size;
    int key = last ? reader.cursor : reader.windowStart + reader.step;
    boolean old = !plan.atHome() && last == setting.has(Mistake.NEW_FIRST_SCAN);
    Region region = world.regionOf(key, old ? plan.from() : plan.to());
    if (!region.isOpen()) {
      return false;
    }
    if (!MutationSteps.accepts(world, region, reader.version)) {
      boolean again = planAgain(world, reader, region);
      reader.cursor = setting.has(Mistake.SCAN_WINDOW_AGAIN) ? reader.windowStart : reader.cursor;
      reader.windowStart = reader.cursor;
      return again;
    }
    int shown = Row.shown(region.row[key]);
    tell(world, reader, region, key, shown);
    reader.step = last ? size : reader.step + 1;
    if (last) {
      give(world, reader, key, shown != 0 ? shown : reader.shown[key]);
      if (reader.cursor == end) {
        reader.clear();
        reader.windowStart = end;
      }
    } else if (shown != 0) {
      reader.shown[key] = shown;
    }
    return true;
  }

  private static boolean planAgain(World world, Reader reader, Region region) {
    if (reader.version == world.current) {
      return false;
    }
    world.say(reader, ": ", region, " does not take version ", reader.version);
    world.say("the client reads the descriptor again");
    reader.version = world.current;
    reader.clear();
    for (History history : world.histories) {
      history.begunAgain(reader);
    }
    return true;
  }

  private static void give(World world, Reader reader, int key, int shown) {
    seen(world, reader, key, shown);
    if (shown != 0) {
      if (reader.given >> key != 0) {
        world.violate(reader + " has given K" + (key + 1) + " again, or after a later key");
      }
      reader.given |= 1 << key;
    }
    reader.cursor = key + 1;
  }

  private static void seen(World world, Reader reader, int key, int shown) {
    world.say(reader, " gives ", world.shownText(shown));
    History history = world.histories[key];
    if (!history.seen(reader, shown)) {
      String gave = Row.shownText(shown) + " of K" + (key + 1);
      world.violate(reader + " gave " + gave + ", but now there is " + history.possible());
    }
  }

  private static void tell(World world, Reader reader, Region region, int key, int shown) {
    String name = world.rowName(key, world.setting.layout(key, region.index));
    world.say(reader, " reads ", name, ": ", world.shownText(shown));
  }
}
