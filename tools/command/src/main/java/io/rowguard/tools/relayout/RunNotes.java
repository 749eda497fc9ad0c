package io.rowguard.tools.relayout;

import io.rowguard.mapreduce.relayout.MovePace;
import java.util.concurrent.TimeUnit;

/**
 * Looks after a run that goes on: hands what regions say of a pause to its pace, and tells the
 * listener when something holds the run up and when that is over. Not thread-safe.
 */
final class RunNotes {
  /** One word of a pace in so long is enough: lines of progress say it all the time. */
  private static final long PACE_NANOS = TimeUnit.SECONDS.toNanos(30);

  private final String table;
  private final MovePace pace;
  private final StepListener listener;
  private TableProgress seen;
  private boolean isPaused;
  private boolean isSlowed;
  private long toldNanos = System.nanoTime() - PACE_NANOS;

  RunNotes(String table, MovePace pace, StepListener listener) {
    this.table = table;
    this.pace = pace;
    this.listener = listener;
  }

  /**
   * Looks, some times in a second.
   *
   * @param latest how far the table is; null where that is not known
   * @param kept the pace that is kept; null where none is
   */
  void look(TableProgress latest, Pace kept) {
    if (latest != null && !latest.equals(seen)) {
      // An older one says less than what a region may have said to the movers since.
      pace.pause(latest.isPaused());
      seen = latest;
    }
    if (pace.isPaused() != isPaused) {
      isPaused = !isPaused;
      listener.doing(
          isPaused
              ? "Paused: only writes take rows along until rowguard relayout resume "
                  + table
                  + ". It waits."
              : "Resumed: it goes on.");
    }
    if (kept != null
        && kept.isSlowed() != isSlowed
        && System.nanoTime() - toldNanos >= PACE_NANOS) {
      isSlowed = !isSlowed;
      toldNanos = System.nanoTime();
      String more =
          kept.why() == Pace.Why.READS ? " --slowdown says how much slower they may become." : "";
      listener.doing(isSlowed ? "It is " + kept.text() + "." + more : "It is not slowed any more.");
    }
  }

  /** Whether the run waits since the relayout is paused: it cannot make progress then. */
  boolean isPaused() {
    return isPaused;
  }
}
