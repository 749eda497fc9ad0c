package io.rowguard.relayout.model;

import java.util.Locale;

/**
 * What one alter says about the layouts of the table.
 *
 * @param phase how far the relayout is
 * @param from the layout that rows leave; the other one where nothing moves
 * @param to the layout that rows go to; where nothing moves, the only one
 * @param generation the token that <i>start</i> and <i>back</i> make anew; 0 before the first
 * @param returning whether the generation before went the other way and may still be at it, in
 *     regions that have not reopened
 */
record Descriptor(Phase phase, int from, int to, int generation, boolean returning) {
  /** The phases of a table, as its regions and clients know them. */
  enum Phase {
    /** One layout; the other is unknown, but for its generation that is over. */
    AT_HOME,
    /** Both layouts are known; the old place takes the writes. */
    PREPARED,
    /**
     * The way back without a gap, its first alter: what is the new place of the generation before
     * takes the writes still, and will be the old place.
     */
    RETURNING,
    /** The new place takes the writes, once it has pulled. */
    MOVING
  }

  static Descriptor home(int layout, int generation) {
    return new Descriptor(Phase.AT_HOME, 1 - layout, layout, generation, false);
  }

  static Descriptor prepared(int from, int generation) {
    return new Descriptor(Phase.PREPARED, from, 1 - from, generation, false);
  }

  static Descriptor moving(int from, int generation) {
    return new Descriptor(Phase.MOVING, from, 1 - from, generation, false);
  }

  static Descriptor returning(int from, int generation) {
    return new Descriptor(Phase.RETURNING, from, 1 - from, generation, true);
  }

  /** What follows {@link #returning}. */
  static Descriptor returned(int from, int generation) {
    return new Descriptor(Phase.MOVING, from, 1 - from, generation, true);
  }

  boolean atHome() {
    return phase == Phase.AT_HOME;
  }

  boolean sameLayouts(Descriptor other) {
    return phase == other.phase && from == other.from;
  }

  /** The layout under which writes are sent. */
  int home() {
    return phase == Phase.PREPARED || phase == Phase.RETURNING ? from : to;
  }

  /** The generation with which the region of this layout asks the other. */
  int generationOf(int layout) {
    return layout == to ? generation : generation - 1;
  }

  @Override
  public String toString() {
    if (atHome()) {
      return "only " + layout(to);
    }
    String way = layout(from) + " -> " + layout(to) + ", generation " + generation;
    return phase.name().toLowerCase(Locale.ROOT) + " " + way;
  }

  static String layout(int layout) {
    return layout == 0 ? "A" : "B";
  }
}
