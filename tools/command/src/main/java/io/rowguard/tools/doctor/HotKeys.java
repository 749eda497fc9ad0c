package io.rowguard.tools.doctor;

import io.rowguard.layout.EntityGroup;
import io.rowguard.tools.cli.Terminal;
import io.rowguard.tools.hot.HotKeyRate;
import io.rowguard.tools.hot.HotKeyText;
import io.rowguard.tools.hot.HotRegion;
import java.util.ArrayList;
import java.util.List;

/**
 * The regions of a table most of whose load goes to one row or entity group, as their servers show
 * it at the moment. A pure function.
 */
final class HotKeys {
  private HotKeys() {}

  /**
   * A note for each of them.
   *
   * @param group the table's entity groups; null where it declares no layout
   */
  static List<Finding> of(String table, EntityGroup group, List<ServerFacts> servers) {
    HotKeyText text = new HotKeyText(group);
    List<Finding> findings = new ArrayList<>();
    for (ServerFacts server : servers) {
      for (HotRegion region : server.load().getOrDefault(table, List.of())) {
        boolean isRow = region.verdict().equals(HotRegion.ONE_ROW);
        List<HotKeyRate> keys = isRow ? region.rows() : region.groups();
        if ((isRow || region.verdict().equals(HotRegion.ONE_GROUP)) && !keys.isEmpty()) {
          HotKeyRate key = keys.get(0);
          findings.add(
              Finding.note(
                  "hot_key",
                  table,
                  region.region(),
                  "One "
                      + (isRow ? "row" : "entity group")
                      + " takes "
                      + Terminal.percent(key.share())
                      + " of the region's "
                      + Terminal.count(
                          Math.round(region.readsPerSecond() + region.writesPerSecond()))
                      + " operations a second: "
                      + (isRow ? text.ofRow(key) : text.ofGroup(key))
                      + ".",
                  "No split divides that load: "
                      + region.advice()
                      + ". See rowguard hot "
                      + table
                      + "."));
        }
      }
    }
    return findings;
  }
}
