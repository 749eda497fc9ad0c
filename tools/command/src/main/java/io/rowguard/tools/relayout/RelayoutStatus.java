package io.rowguard.tools.relayout;

import io.rowguard.config.Relayout;
import io.rowguard.config.TableConfig;
import io.rowguard.relayout.PolledRegion;
import io.rowguard.relayout.RelayoutRequest;
import io.rowguard.relayout.RelayoutResponse;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

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
 * @param isAtLeast whether there may be more: a region counts up to a thousand, and not all have
 *     counted the rest for the progress
 * @param regionsWithOldRows in how many regions
 * @param progress how fast and how far rows move; null where none do
 * @param odd findings that ought not to be, or not for long; a sentence each
 */
record RelayoutStatus(
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
    TableProgress progress,
    List<String> odd) {
  /** Asks every region of a table. */
  static RelayoutStatus of(AlteredTable table) throws IOException {
    TableConfig config = table.config();
    Relayout relayout = config.relayout();
    List<String> odd = new ArrayList<>();
    List<PolledRegion> all =
        table
            .poll()
            .once(
                relayout != null
                    ? RelayoutRequest.count(relayout.generation())
                    : RelayoutRequest.state());
    long oldRows = 0;
    int withOldRows = 0;
    boolean isAtLeast = false;
    for (PolledRegion polled : all) {
      if (polled.response() == null) {
        odd.add(
            "Region "
                + TablePoll.range(polled)
                + " on "
                + polled.server()
                + " does not answer: "
                + polled.failure()
                + ".");
        continue;
      }
      if (polled.response().version() != config.layoutVersion()) {
        odd.add(
            "Region "
                + TablePoll.range(polled)
                + " on "
                + polled.server()
                + " has version "
                + polled.response().version()
                + " of the layouts, the table has "
                + config.layoutVersion()
                + ".");
      }
      oldRows += polled.response().misplacedRows();
      withOldRows += polled.response().misplacedRows() > 0 ? 1 : 0;
      for (RelayoutResponse.Item item : polled.response().items()) {
        if (item.outcome() == RelayoutResponse.Outcome.LATER) {
          isAtLeast = true;
        } else {
          odd.add("Region " + TablePoll.range(polled) + ": " + item.words());
        }
      }
    }
    TableProgress progress = progress(table, relayout);
    if (isAtLeast && progress != null && progress.uncountedRegions() == 0) {
      oldRows = progress.left();
      isAtLeast = false;
    }
    Map<Long, Integer> byVersion = byVersion(all);
    return new RelayoutStatus(
        table.name().getNameAsString(),
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
        progress,
        List.copyOf(odd));
  }

  private static TableProgress progress(AlteredTable table, Relayout relayout) throws IOException {
    return relayout == null || relayout.phase() != Relayout.Phase.MOVING
        ? null
        : TableProgress.of(table.poll().once(RelayoutRequest.progress(relayout.generation())));
  }

  /** How many regions know which version. */
  private static Map<Long, Integer> byVersion(List<PolledRegion> all) {
    Map<Long, Integer> counts = new TreeMap<>();
    for (PolledRegion polled : all) {
      if (polled.response() != null) {
        counts.merge(polled.response().version(), 1, Integer::sum);
      }
    }
    return counts;
  }
}
