package io.rowguard.tools.relayout;

import io.rowguard.config.Relayout;
import io.rowguard.config.TableConfig;
import io.rowguard.relayout.PolledRegion;
import io.rowguard.relayout.RelayoutResponse;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The counts, in every region of a table in relayout, of the rows that are not at home: old rows
 * while rows move, rows of the new layout only before. A step may be taken where they have counted
 * none and nothing is in the way.
 *
 * @param regions how many were asked
 * @param misplacedRows how many such rows they have counted; a region stops when it has found some
 * @param withMisplacedRows which regions have some, as sentences
 * @param inTheWay what else is in the way, as sentences: a region that has not counted, or is not
 *     as the table declares, or has something that it names
 */
record RegionCounts(
    int regions, long misplacedRows, List<String> withMisplacedRows, List<String> inTheWay) {

  /** Has all regions count until they have found something, or to the end. */
  static RegionCounts of(AlteredTable table, TableConfig config) throws IOException {
    long misplacedRows = 0;
    List<String> withMisplacedRows = new ArrayList<>();
    List<String> inTheWay = new ArrayList<>();
    List<PolledRegion> all = table.poll().counting(config.relayout().generation());
    for (PolledRegion polled : all) {
      RelayoutResponse response = polled.response();
      String wrong = notOfThis(polled, config);
      if (wrong != null) {
        inTheWay.add(wrong);
      } else if (response.misplacedRows() > 0) {
        misplacedRows += response.misplacedRows();
        withMisplacedRows.add(
            "Region "
                + TablePoll.range(polled)
                + " has "
                + response.misplacedRows()
                + " old rows or more.");
      } else if (response.inTheWay() != null) {
        inTheWay.add("Region " + TablePoll.range(polled) + ": " + response.inTheWay());
      }
    }
    return new RegionCounts(all.size(), misplacedRows, withMisplacedRows, inTheWay);
  }

  /** Why a response is not one about the relayout that the table is in, as a sentence; or null. */
  private static String notOfThis(PolledRegion polled, TableConfig config) {
    RelayoutResponse response = polled.response();
    if (response == null) {
      return "Region " + TablePoll.range(polled) + " has not counted: " + polled.failure() + ".";
    }
    Relayout relayout = config.relayout();
    boolean isOfThis =
        response.generation() == relayout.generation()
            && response.version() == config.layoutVersion()
            && response.isMoving() == (relayout.phase() == Relayout.Phase.MOVING);
    return isOfThis
        ? null
        : "Region "
            + TablePoll.range(polled)
            + " has version "
            + response.version()
            + " and generation "
            + response.generation()
            + ", not "
            + config.layoutVersion()
            + " and "
            + relayout.generation()
            + ".";
  }
}
