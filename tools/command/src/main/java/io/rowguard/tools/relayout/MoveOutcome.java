package io.rowguard.tools.relayout;

/**
 * The outcome of moving rows.
 *
 * @param moved how many rows were moved
 * @param unmoved how many somebody else had moved when it came to them
 * @param failures how often a row could not be moved; it was tried again
 * @param isDone whether no old row was left that it could find
 * @param isInterrupted whether it was asked to stop
 * @param why why rows are left; null when none are, or it was asked to stop
 * @param millis how long it took
 */
public record MoveOutcome(
    long moved,
    long unmoved,
    long failures,
    boolean isDone,
    boolean isInterrupted,
    String why,
    long millis) {

  /** How many rows it moved in a second. */
  public double rowsPerSecond() {
    return millis == 0 ? 0 : moved * 1000.0 / millis;
  }
}
