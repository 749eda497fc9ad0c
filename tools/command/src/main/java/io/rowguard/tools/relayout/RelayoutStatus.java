package io.rowguard.tools.relayout;

import java.util.List;
import java.util.Map;

/**
 * How far a table's relayout is.
 *
 * @param table the table's name
 * @param isInRelayout whether it has two layouts
 * @param from the layout that rows leave; null where it has one
 * @param layout the layout that rows go to, or the only one; null where it has none
 * @param phase {@code prepared} or {@code moving}; null without a relayout
 * @param generation of the relayout; 0 without one
 * @param version of the table's layouts
 * @param regions how many regions there are
 * @param regionsByVersion how many of them know which version
 * @param oldRows how many old rows the regions have counted
 * @param isAtLeast whether there may be more: a region stops counting at some thousand
 * @param regionsWithOldRows in how many regions
 * @param odd what ought not to be so, or not for long; a sentence each
 */
public record RelayoutStatus(
    String table,
    boolean isInRelayout,
    String from,
    String layout,
    String phase,
    long generation,
    long version,
    int regions,
    Map<Long, Integer> regionsByVersion,
    long oldRows,
    boolean isAtLeast,
    int regionsWithOldRows,
    List<String> odd) {}
