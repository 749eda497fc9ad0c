package io.rowguard.tools.relayout;

import io.rowguard.layout.RowkeyLayout;

/**
 * The wish for a relayout.
 *
 * @param to the layout that rows are to go to
 * @param regions in how many regions the layout is to be divided; 0: as the sample suggests
 * @param rowsPerSecond how fast rows are taken to move; 0: as is usual
 * @param sampleRegions into how many regions to look
 * @param sampleRows how many rows to look at in each
 * @param threads how many regions to read at a time, where all rows are read
 */
public record PlanRequest(
    RowkeyLayout to,
    int regions,
    double rowsPerSecond,
    int sampleRegions,
    int sampleRows,
    int threads) {

  /** The usual request. */
  public static PlanRequest of(RowkeyLayout to) {
    return new PlanRequest(to, 0, 0, 50, 1000, 8);
  }

  /** The same with another number of regions. */
  public PlanRequest withRegions(int other) {
    return new PlanRequest(to, other, rowsPerSecond, sampleRegions, sampleRows, threads);
  }
}
