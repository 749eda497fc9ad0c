package io.rowguard.tools.relayout;

import java.util.List;

/** The outcome of a step of a relayout that changes the table. */
sealed interface StepOutcome {
  /**
   * The outcome of starting a relayout.
   *
   * @param plan the findings before; null where a start that had been interrupted went on
   * @param isStarted whether rows move now
   * @param regionsMade how many regions were made
   * @param version of the table's layouts, now
   */
  record StartOutcome(RelayoutPlan plan, boolean isStarted, int regionsMade, long version)
      implements StepOutcome {}

  /**
   * The outcome of moving rows.
   *
   * @param moved how many rows were moved
   * @param movedByOthers how many had been moved by others when it came to them
   * @param failures how often a row could not be moved; it was tried again
   * @param isDone whether no old row was left that it could find
   * @param isInterrupted whether it was asked to stop
   * @param why why rows are left; null when none are, or it was asked to stop
   * @param millis how long it took
   */
  record MoveOutcome(
      long moved,
      long movedByOthers,
      long failures,
      boolean isDone,
      boolean isInterrupted,
      String why,
      long millis)
      implements StepOutcome {

    /** How many rows it moved in a second. */
    double rowsPerSecond() {
      return millis == 0 ? 0 : moved * 1000.0 / millis;
    }
  }

  /**
   * The outcome of a pause, or of its end.
   *
   * @param isPaused whether runs wait now: one region that is paused is enough
   * @param regions how many regions were told
   * @param failures of those that did not take it, a sentence each
   */
  record PauseOutcome(boolean isPaused, int regions, List<String> failures)
      implements StepOutcome {}

  /**
   * The outcome of finishing a relayout.
   *
   * @param isFinished whether the former layout is taken off
   * @param regions how many regions were asked
   * @param oldRows how many old rows are left, as far as they were counted
   * @param inTheWay the other obstacles, a sentence each
   * @param layout the table's only layout, when it is finished
   * @param version of the table's layouts, now
   * @param emptyRegions how many regions have no row, when it is finished
   */
  record FinishOutcome(
      boolean isFinished,
      int regions,
      long oldRows,
      List<String> inTheWay,
      String layout,
      long version,
      int emptyRegions)
      implements StepOutcome {}
}
