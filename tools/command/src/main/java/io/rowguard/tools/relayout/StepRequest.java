package io.rowguard.tools.relayout;

import io.rowguard.layout.RowkeyLayout;

/** The wishes for a step of a relayout. */
sealed interface StepRequest {
  /**
   * The wishes for a relayout as a whole: plan and start.
   *
   * @param to the layout that rows are to go to
   * @param regions in how many regions the layout is to be divided; 0: as the sample suggests
   * @param rowsPerSecond how fast rows are taken to move; 0: as is usual
   * @param sampleRegions into how many regions to look
   * @param sampleRows how many rows to look at in each
   * @param threads how many regions to read at a time, where all rows are read
   */
  record PlanRequest(
      RowkeyLayout to,
      int regions,
      double rowsPerSecond,
      int sampleRegions,
      int sampleRows,
      int threads)
      implements StepRequest {

    /** The usual request. */
    static PlanRequest of(RowkeyLayout to) {
      return new PlanRequest(to, 0, 0, 50, 1000, 8);
    }

    /** The same with another number of regions. */
    PlanRequest withRegions(int other) {
      return new PlanRequest(to, other, rowsPerSecond, sampleRegions, sampleRows, threads);
    }
  }

  /**
   * The wishes for moving rows.
   *
   * @param threads how many regions are read at a time, 1 or more
   * @param rowsPerSecond the most rows that are moved in a second; 0 for no limit
   * @param slowdown by which share reads may become slower, 0.2 for a fifth; 0 for no such limit
   */
  record MoveRequest(int threads, double rowsPerSecond, double slowdown) implements StepRequest {
    /** A request that has no regard for reads. */
    MoveRequest(int threads, double rowsPerSecond) {
      this(threads, rowsPerSecond, 0);
    }

    /** As fast as the servers let it. */
    static MoveRequest usual() {
      return new MoveRequest(8, 0);
    }
  }
}
