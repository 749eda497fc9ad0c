package io.rowguard.tools.relayout;

import io.rowguard.config.Relayout;
import io.rowguard.config.TableConfig;
import io.rowguard.relayout.Answer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The counts, in every region of a table in relayout, of the rows that are not at home: old rows
 * while rows move, rows of the new layout only before. A step may be taken where they have counted
 * none and nothing is in the way.
 *
 * @param regions how many were asked
 * @param oldRows how many such rows they have counted; a region stops when it has found some
 * @param withOldRows which regions have some, as sentences
 * @param inTheWay what else is in the way, as sentences: a region that does not answer, or is not
 *     as the table declares, or has something that it names
 */
record RegionCounts(int regions, long oldRows, List<String> withOldRows, List<String> inTheWay) {

  /** Has all regions count, to the end. */
  static RegionCounts of(AlteredTable table, TableConfig config) throws IOException {
    long oldRows = 0;
    List<String> withOldRows = new ArrayList<>();
    List<String> inTheWay = new ArrayList<>();
    List<RegionAnswers.Said> all = table.answers().counting(config.relayout().generation());
    for (RegionAnswers.Said said : all) {
      Answer answer = said.answer();
      String wrong = notOfThis(said, config);
      if (wrong != null) {
        inTheWay.add(wrong);
      } else if (answer.oldRows() > 0) {
        oldRows += answer.oldRows();
        withOldRows.add(
            "Region " + said.range() + " has " + answer.oldRows() + " old rows or more.");
      } else if (!answer.items().isEmpty()) {
        inTheWay.add("Region " + said.range() + ": " + answer.items().get(0).words());
      }
    }
    return new RegionCounts(all.size(), oldRows, withOldRows, inTheWay);
  }

  /** Why an answer is not one about the relayout that the table is in, as a sentence; or null. */
  private static String notOfThis(RegionAnswers.Said said, TableConfig config) {
    Answer answer = said.answer();
    if (answer == null) {
      return "Region " + said.range() + " does not answer: " + said.silence() + ".";
    }
    Relayout relayout = config.relayout();
    boolean isOfThis =
        answer.generation() == relayout.generation()
            && answer.version() == config.layoutVersion()
            && answer.isMoving() == (relayout.phase() == Relayout.Phase.MOVING);
    return isOfThis
        ? null
        : "Region "
            + said.range()
            + " has version "
            + answer.version()
            + " and generation "
            + answer.generation()
            + ", not "
            + config.layoutVersion()
            + " and "
            + relayout.generation()
            + ".";
  }
}
