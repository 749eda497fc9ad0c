package io.rowguard.layout;

import java.util.Random;
import java.util.SplittableRandom;

/**
 * One random layout in both implementations, with its rows, its group, and the words that let a
 * failure be run again: the same seed and index always give the same case.
 */
final class LayoutCase {
  final Random random;
  final SlowModel model;
  final SlowLayout slow;
  final RowkeyLayout core;
  final RandomRows rows;
  final String group;
  private final String name;

  private LayoutCase(String name, Random random, SlowModel model, String group) {
    this.random = random;
    this.model = model;
    this.slow = new SlowLayout(model);
    this.group = group;
    this.name = name + " layout=" + model.text() + " group=" + group;
    this.rows = new RandomRows(model, random);
    this.core = parse();
  }

  private RowkeyLayout parse() {
    try {
      return RowkeyLayout.parse(model.text());
    } catch (RuntimeException e) {
      throw new AssertionError("valid layout refused: " + name, e);
    }
  }

  /** Neighbouring seeds give {@link Random} neighbouring first numbers, so they are mixed first. */
  static Random random(long seed, int index) {
    return new Random(new SplittableRandom(seed * 1_000_003L + index).nextLong());
  }

  static LayoutCase of(long seed, int index) {
    Random random = random(seed, index);
    RandomLayouts layouts = new RandomLayouts(random);
    SlowModel model = layouts.next();
    return new LayoutCase(name(seed, index), random, model, layouts.group(model));
  }

  /** One with a derived segment whose value writers choose. */
  static LayoutCase ofChoice(long seed, int index) {
    Random random = random(seed, index);
    RandomLayouts layouts = new RandomLayouts(random);
    SlowModel model = layouts.withChoice(layouts.next());
    while (!model.hasChoice()) {
      model = layouts.withChoice(layouts.next());
    }
    return new LayoutCase(name(seed, index), random, model, layouts.group(model));
  }

  static LayoutCase of(long seed, int index, Random random, SlowModel model, String group) {
    return new LayoutCase(name(seed, index), random, model, group);
  }

  private static String name(long seed, int index) {
    return "seed=" + seed + " index=" + index;
  }

  /** The case and a row in it, for an assertion's message. */
  String at(byte[] row) {
    return this + " row=\"" + RandomRows.show(row) + "\" length=" + row.length;
  }

  @Override
  public String toString() {
    return name;
  }
}
