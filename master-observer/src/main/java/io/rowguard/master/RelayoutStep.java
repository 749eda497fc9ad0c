package io.rowguard.master;

import java.util.Locale;

/**
 * The steps of a relayout, each of which is one alter. {@link RelayoutCheck} has the form of each,
 * {@link RelayoutPrecondition} what must be proved before it.
 */
enum RelayoutStep {
  /** Another layout is declared, and the one that rows have becomes the previous one: prepared. */
  START(1),
  /** The new rows take the writes from now on: moving. */
  MOVE(1),
  /** The previous layout is taken off: no row is left that has it. */
  FINISH(1),
  /** While prepared: all of it is taken off again. */
  GIVE_UP(1),
  /**
   * While moving: the two layouts are exchanged, and rows move the other way. A reader that knows
   * of it would look at the two places in the wrong order as long as rows move the one way still;
   * so regions that have not reopened must not take its version for the next one, as they do
   * otherwise.
   */
  BACK(2);

  private final int versions;

  RelayoutStep(int versions) {
    this.versions = versions;
  }

  /** By how much it raises the version of the table's layouts. */
  int versions() {
    return versions;
  }

  /** As messages write it, such as {@code give up}. */
  String text() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
