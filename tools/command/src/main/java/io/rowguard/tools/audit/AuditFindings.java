package io.rowguard.tools.audit;

import io.rowguard.layout.RowkeyLayout;
import io.rowguard.layout.Verdict;
import java.util.List;
import java.util.Map;

/**
 * The findings of an audit.
 *
 * @param table the table's name
 * @param snapshot the snapshot that was read; null for the table itself
 * @param layout what the rows were judged by
 * @param previous the layout that rows leave for that one; null where it does not change
 * @param group the segment that ends the entity group; null for none
 * @param start the first row of the range, as text; empty for the table's first
 * @param stop its end, exclusive, as text; empty for the table's end
 * @param regionsRead how many regions were read
 * @param rows how many rows were read
 * @param refused how many of them do not fit
 * @param bare how many of those lack only what the layout derives
 * @param old how many rows do not fit, but fit the layout that they leave; not among the refused
 * @param codes the mistakes that were found, the most frequent first
 * @param regions the regions with mistakes, in the order of rows
 */
record AuditFindings(
    String table,
    String snapshot,
    RowkeyLayout layout,
    RowkeyLayout previous,
    String group,
    String start,
    String stop,
    int regionsRead,
    long rows,
    long refused,
    long bare,
    long old,
    List<Code> codes,
    List<Region> regions) {

  /** One mistake: how many rows have it, in how many regions, and some of these rows. */
  record Code(Verdict verdict, long rows, int regions, List<Example> examples) {}

  /**
   * A row that does not fit.
   *
   * @param row the row as the HBase shell shows it, cut where it is long
   * @param problem what is wrong, as a clause
   * @param isBare whether it lacks only what the layout derives
   * @param region the encoded name of its region
   */
  record Example(String row, String problem, boolean isBare, String region) {}

  /**
   * A region with rows that do not fit.
   *
   * @param name its encoded name
   * @param start where reading began, inclusive, as text
   * @param end where reading ended, exclusive, as text
   */
  record Region(
      String name,
      String start,
      String end,
      long rows,
      long refused,
      long bare,
      Map<Verdict, Long> counts) {

    /** Its range, for people. */
    String range() {
      return (start.isEmpty() ? "(start)" : start) + " .. " + (end.isEmpty() ? "(end)" : end);
    }
  }

  /** The part of the rows that do not fit, 0 to 1. */
  double share() {
    return rows == 0 ? 0 : (double) refused / rows;
  }
}
