package io.rowguard.master;

import java.util.Locale;

/**
 * The steps of a relayout, each of which is one alter. What each looks like is in {@link
 * RelayoutCheck}, what must be proved before it in {@link RelayoutProof}.
 */
enum RelayoutStep {
  /** Another layout is declared, and the one that rows have becomes the previous one: prepared. */
  START,
  /** The new rows take the writes from now on: moving. */
  MOVE,
  /** The previous layout is taken off: no row is left that has it. */
  FINISH,
  /** While prepared: all of it is taken off again. */
  GIVE_UP,
  /** While moving: the two layouts are exchanged, and rows move the other way. */
  BACK;

  /** As messages write it, such as {@code give up}. */
  String text() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
