package io.rowguard.tools.relayout;

import java.util.List;

/**
 * The outcome of finishing a relayout.
 *
 * @param isFinished whether the former layout is taken off
 * @param regions how many regions were asked
 * @param oldRows how many old rows are left, as far as they were counted
 * @param inTheWay what else is in the way, a sentence each
 * @param layout the table's only layout, when it is finished
 * @param version of the table's layouts, now
 * @param emptyRegions how many regions have no row, when it is finished
 */
public record FinishOutcome(
    boolean isFinished,
    int regions,
    long oldRows,
    List<String> inTheWay,
    String layout,
    long version,
    int emptyRegions) {}
