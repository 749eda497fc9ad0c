package io.rowguard.tools.relayout;

import io.rowguard.config.Relayout;
import io.rowguard.config.TableConfig;
import io.rowguard.relayout.Answer;
import io.rowguard.relayout.Question;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.hbase.TableName;

/** Asks a table's regions how far its relayout is. */
final class StatusReader {
  private final TableName table;
  private final TableConfig config;
  private final RegionAnswers regions;
  private final List<String> odd = new ArrayList<>();

  StatusReader(TableName table, TableConfig config, RegionAnswers regions) {
    this.table = table;
    this.config = config;
    this.regions = regions;
  }

  /**
   * Asks.
   *
   * @param relayout null for none
   */
  RelayoutStatus read(Relayout relayout) throws IOException {
    List<RegionAnswers.Said> all =
        regions.to(relayout != null ? Question.count(relayout.generation()) : Question.state());
    long oldRows = 0;
    int withOldRows = 0;
    boolean isAtLeast = false;
    for (RegionAnswers.Said said : all) {
      if (said.answer() == null) {
        odd.add(
            "Region "
                + said.range()
                + " on "
                + said.server()
                + " does not answer: "
                + said.silence()
                + ".");
        continue;
      }
      if (said.answer().version() != config.layoutVersion()) {
        odd.add(
            "Region "
                + said.range()
                + " on "
                + said.server()
                + " has version "
                + said.answer().version()
                + " of the layouts, the table has "
                + config.layoutVersion()
                + ".");
      }
      oldRows += said.answer().oldRows();
      withOldRows += said.answer().oldRows() > 0 ? 1 : 0;
      for (Answer.Item item : said.answer().items()) {
        if (item.outcome() == Answer.Outcome.LATER) {
          isAtLeast = true;
        } else {
          odd.add("Region " + said.range() + ": " + item.words());
        }
      }
    }
    Map<Long, Integer> byVersion = byVersion(all);
    return new RelayoutStatus(
        table.getNameAsString(),
        relayout != null,
        relayout == null ? null : relayout.change().from().toString(),
        config.declaredLayout(),
        relayout == null ? null : relayout.phase().name().toLowerCase(Locale.ROOT),
        relayout == null ? 0 : relayout.generation(),
        config.layoutVersion(),
        all.size(),
        byVersion,
        oldRows,
        isAtLeast,
        withOldRows,
        List.copyOf(odd));
  }

  /** How many regions know which version. */
  private static Map<Long, Integer> byVersion(List<RegionAnswers.Said> all) {
    Map<Long, Integer> counts = new TreeMap<>();
    for (RegionAnswers.Said said : all) {
      if (said.answer() != null) {
        counts.merge(said.answer().version(), 1, Integer::sum);
      }
    }
    return counts;
  }
}
