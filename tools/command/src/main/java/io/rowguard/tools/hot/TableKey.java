package io.rowguard.tools.hot;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;

/**
 * A hot row or entity group of a table.
 *
 * @param region the encoded name of the region that has it
 * @param share of the table's load, 0 to 1, at least
 */
record TableKey(String region, double share, HotKeyRate key) {

  /**
   * The hottest keys of a table, the hottest first. Each lies in one region, since no entity group
   * is cut, and so is among the hottest that this region shows.
   *
   * @param keys the rows of a region, or its entity groups
   */
  static List<TableKey> hottest(
      HotTable table, Function<HotRegion, List<HotKeyRate>> keys, HotReport.By by, int most) {
    double total =
        table.regions().stream()
            .mapToDouble(r -> by.of(r.readsPerSecond(), r.writesPerSecond()))
            .sum();
    List<TableKey> all = new ArrayList<>();
    for (HotRegion region : table.regions()) {
      for (HotKeyRate key : keys.apply(region)) {
        double rate = key.perSecond(by);
        if (rate > 0) {
          all.add(new TableKey(region.region(), Math.min(1, rate / total), key));
        }
      }
    }
    all.sort(Comparator.comparingDouble((TableKey k) -> k.key().perSecond(by)).reversed());
    return all.subList(0, Math.min(most, all.size()));
  }
}
