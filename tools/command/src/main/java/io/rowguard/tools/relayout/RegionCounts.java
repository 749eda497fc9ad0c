package io.rowguard.tools.relayout;

import io.rowguard.config.Relayout;
import io.rowguard.config.TableConfig;
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
 * @param inTheWay what else is in the way, as sentences: a region that does not answer, or is not
 *     as the table declares, or has something that it names
 */
record RegionCounts(
    int regions, long misplacedRows, List<String> withMisplacedRows, List<String> inTheWay) {

  /** Has all regions count, to the end. */
  static RegionCounts of(AlteredTable table, TableConfig config) throws IOException {
    long misplacedRows = 0;
    List<String> withMisplacedRows = new ArrayList<>();
    List<String> inTheWay = new ArrayList<>();
    List<RegionAnswers.Said> all = table.answers().counting(config.relayout().generation());
    for (RegionAnswers.Said said : all) {
      RelayoutResponse response = said.answer();
      String wrong = notOfThis(said, config);
      if (wrong != null) {
        inTheWay.add(wrong);
      } else if (response.misplacedRows() > 0) {
        misplacedRows += response.misplacedRows();
        withMisplacedRows.add(
            "Region " + said.range() + " has " + response.misplacedRows() + " old rows or more.");
      } else if (!response.items().isEmpty()) {
        inTheWay.add("Region " + said.range() + ": " + response.items().get(0).words());
      }
    }
    return new RegionCounts(all.size(), misplacedRows, withMisplacedRows, inTheWay);
  }

  /** Why an answer is not one about the relayout that the table is in, as a sentence; or null. */
  private static String notOfThis(RegionAnswers.Said said, TableConfig config) {
    RelayoutResponse response = said.answer();
    if (response == null) {
      return "Region " + said.range() + " does not answer: " + said.silence() + ".";
    }
    Relayout relayout = config.relayout();
    boolean isOfThis =
        response.generation() == relayout.generation()
            && response.version() == config.layoutVersion()
            && response.isMoving() == (relayout.phase() == Relayout.Phase.MOVING);
    return isOfThis
        ? null
        : "Region "
            + said.range()
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
