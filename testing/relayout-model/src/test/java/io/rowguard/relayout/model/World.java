package io.rowguard.relayout.model;

/**
 * One state of the table, its servers and its clients.
 *
 * <p>A mutation's request takes no time and neither does its answer: a request on its way is the
 * same as a client that has not sent it, and a history with the shortest operations is the hardest
 * to explain. A request that is never answered stays under way for ever.
 */
final class World extends Explored {
  final Setting setting;

  /** The version of the table's descriptor. */
  int current;

  /** The regions whose old rows finish has counted, one bit each, and found none. */
  int counted;

  int crashesLeft;
  int movesLeft;
  final Region[] regions = new Region[2];
  final Region[] zombies = new Region[2];
  final Mutation[] mutations;
  final Reader[] readers;

  /** Per generation and key, the newest timestamp of a delete that was sent; 0 for none. */
  final int[][] sentDeletes;

  final History[] histories;

  World(Setting setting) {
    this.setting = setting;
    crashesLeft = setting.crashes();
    movesLeft = setting.moves();
    int keys = setting.keys();
    for (int i = 0; i < 2; i++) {
      regions[i] = new Region(i, false, keys);
      regions[i].version = current;
      zombies[i] = new Region(i, true, keys);
    }
    sentDeletes = new int[4][keys];

    histories = new History[keys];
    for (int key = 0; key < keys; key++) {
      Descriptor descriptor = setting.descriptor(current);
      Region home = regionOf(key, descriptor.atHome() ? descriptor.to() : descriptor.from());
      home.row[key] = setting.initialRow();
      home.clock = Setting.CLOCK;
      if (setting.has(Mistake.STRAY_ROW)) {
        Region other = regions[1 - home.index];
        other.row[key] = Row.put(Row.EMPTY, 0, 1, 7);
      }
      histories[key] = new History(this, key, setting.initialHistory());
    }
    regions[0].sync();
    regions[1].sync();
    mutations = new Mutation[setting.mutations().size()];
    for (int i = 0; i < mutations.length; i++) {
      mutations[i] = new Mutation(i, setting.mutations().get(i));
      mutations[i].version = current;
    }
    readers = new Reader[setting.readers().size()];
    for (int i = 0; i < readers.length; i++) {
      readers[i] = new Reader(i, setting.readers().get(i), keys);
      readers[i].version = current;
    }
    if (mutations.length > Setting.MUTATIONS || readers.length > Setting.READERS) {
      throw new IllegalArgumentException("Too many clients. setting=" + setting.name());
    }
  }

  @Override
  void pass(Bits bits) {
    current = bits.of(current, 3);
    counted = bits.of(counted, 2);
    crashesLeft = bits.of(crashesLeft, 2);
    movesLeft = bits.of(movesLeft, 2);
    for (int i = 0; i < 2; i++) {
      regions[i].pass(bits, setting);
      if (setting.hasZombies()) {
        zombies[i].pass(bits, setting);
      }
    }
    for (Mutation mutation : mutations) {
      mutation.pass(bits);
    }
    for (Reader reader : readers) {
      reader.pass(bits, setting);
    }
    for (int key = 0; key < histories.length; key++) {
      for (int i = 0; i < sentDeletes.length; i++) {
        sentDeletes[i][key] = setting.hasLateDeletes() ? bits.of(sentDeletes[i][key], 3) : 0;
      }
      histories[key].pass(bits);
    }
  }

  Descriptor descriptor() {
    return setting.descriptor(current);
  }

  Descriptor descriptor(Region region) {
    return setting.descriptor(region.version);
  }

  Region regionOf(int key, int layout) {
    return regions[setting.region(key, layout)];
  }

  /** Where a mutation in a region goes on: in the region, or in its zombie. */
  Region instance(Mutation mutation) {
    return (mutation.inZombie ? zombies : regions)[mutation.region];
  }

  /** The mutation is with its client again, who knows that it was not applied. */
  void takeBack(Mutation mutation) {
    if (!histories[mutation.plan.key()].takenBack(mutation)) {
      violate(mutation + " was seen, and then it has come to nothing");
    }
    mutation.at = Mutation.At.CLIENT;
    mutation.forwarded = false;
  }

  /** Keeps the delete of one key and generation that deletes most. */
  void sendDelete(int generation, int key, int timestamp) {
    int[] sent = sentDeletes[generation];
    sent[key] = Math.max(sent[key], timestamp);
  }

  /** Whether the reader has begun to read this key and has not given it yet. */
  boolean isReading(Reader reader, int key) {
    if (reader.isOver(setting)) {
      return false;
    }
    if (reader.kind != Reader.Kind.SCAN) {
      return key == 0 && reader.step > 0;
    }
    int read = Math.min(reader.step, setting.window());
    return key >= reader.cursor && key < reader.windowStart + read;
  }

  @Override
  boolean nobodyWaits() {
    for (Mutation mutation : mutations) {
      if (!mutation.isOver()) {
        return false;
      }
    }
    for (Reader reader : readers) {
      if (!reader.isOver(setting)) {
        return false;
      }
    }
    return true;
  }

  @Override
  boolean isLast() {
    int last = setting.lastVersion();
    return regions[0].isOpen()
        && regions[1].isOpen()
        && regions[0].version == last
        && regions[1].version == last;
  }

  /** A row as {@link #say} has it; empty before {@link #listen}, since it costs. */
  String text(long row) {
    return isHeard() ? Row.text(row) : "";
  }

  /** The row as a Get shows it, likewise. */
  String shownText(int shown) {
    return isHeard() ? Row.shownText(shown) : "";
  }

  /** The name of a key's row under a layout, likewise. */
  String rowName(int key, int layout) {
    return isHeard() ? name(key, layout) : "";
  }

  private static String name(int key, int layout) {
    return Descriptor.layout(layout) + "(K" + (key + 1) + ")";
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder("version ").append(current);
    text.append(" (").append(descriptor()).append(")");
    for (int i = 0; i < 2; i++) {
      for (Region region : new Region[] {regions[i], zombies[i]}) {
        if (region.zombie && !region.isOpen()) {
          continue;
        }
        text.append(" | ").append(region).append(" ").append(region.status);
        text.append(" at ").append(region.version);
        for (int key = 0; key < region.row.length; key++) {
          text.append(" ").append(name(key, setting.layout(key, i))).append("=");
          text.append(Row.text(region.row[key]));
        }
      }
    }
    return text.toString();
  }
}
