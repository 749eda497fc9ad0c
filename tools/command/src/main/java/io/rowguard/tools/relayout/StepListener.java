package io.rowguard.tools.relayout;

/** Hears what a long step is doing. Called from one thread at a time. */
interface StepListener {
  /** Something has been done, or is begun: a sentence. */
  void doing(String sentence);

  /** How far something is. */
  default void counting(String what, long done, long all) {}

  /**
   * How far rows have moved.
   *
   * @param moved how many rows this step has moved
   * @param progress of the table; null while its regions do not tell
   * @param pace the pace that is kept; null where none is
   */
  default void moving(long moved, TableProgress progress, Pace pace) {}

  /** Hears nothing. */
  static StepListener none() {
    return sentence -> {};
  }
}
