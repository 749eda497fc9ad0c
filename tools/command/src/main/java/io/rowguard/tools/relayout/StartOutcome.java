package io.rowguard.tools.relayout;

/**
 * The outcome of starting a relayout.
 *
 * @param plan what was found out before; null where a start that had been interrupted went on
 * @param isStarted whether rows move now
 * @param regionsMade how many regions were made
 * @param version of the table's layouts, now
 */
public record StartOutcome(RelayoutPlan plan, boolean isStarted, int regionsMade, long version) {}
