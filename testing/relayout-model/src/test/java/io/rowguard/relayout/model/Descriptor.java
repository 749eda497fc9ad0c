package io.rowguard.relayout.model;

import java.util.Locale;

/**
 * One alter's declaration of the table's layouts.
 *
 * @param phase how far the relayout is
 * @param from the layout that rows leave; the other one where nothing moves
 * @param to the layout that rows go to; where nothing moves, the only one
 * @param generation the token that <i>start</i> and <i>back</i> make anew; 0 before the first
 */
record Descriptor(Phase phase, int from, int to, int generation) {
  /** The phases of a table, as its regions and clients know them. */
  enum Phase {
    /** One layout; the other is unknown, but for its generation that is over. */
    AT_HOME,
    /** Both layouts are known; the old place takes the writes. */
    PREPARED,
    /** The new place takes the writes, once it has pulled. */
    MOVING
  }

  static Descriptor home(int layout, int generation) {
    return new Descriptor(Phase.AT_HOME, 1 - layout, layout, generation);
  }

  static Descriptor prepared(int from, int generation) {
    return new Descriptor(Phase.PREPARED, from, 1 - from, generation);
  }

  static Descriptor moving(int from, int generation) {
    return new Descriptor(Phase.MOVING, from, 1 - from, generation);
  }

  boolean atHome() {
    return phase == Phase.AT_HOME;
  }

  boolean sameLayouts(Descriptor other) {
    return phase == other.phase && from == other.from;
  }

  /** The layout under which writes are sent. */
  int home() {
    return phase == Phase.PREPARED ? from : to;
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
    return String.valueOf((char) ('A' + layout));
  }
}
