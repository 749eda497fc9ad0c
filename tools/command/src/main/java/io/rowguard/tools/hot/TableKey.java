package io.rowguard.tools.hot;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * A hot row or entity group of a table.
 *
 * @param region the encoded name of the region that has it; of several that are one for the caller,
 *     that of the first
 * @param rows how many of those there are
 * @param share of the table's load, 0 to 1, at least
 * @param key with the rates of all of them
 */
record TableKey(String region, int rows, double share, HotKeyRate key) {

  /**
   * The hottest keys of a table, the hottest first. Each lies in one region, since no entity group
   * is cut, and so is among the hottest that this region shows.
   *
   * @param keys the rows of a region, or its entity groups
   */
  static List<TableKey> hottest(
      HotTable table, Function<HotRegion, List<HotKeyRate>> keys, HotReport.By by, int most) {
    return hottest(all(table, keys, by), by, most);
  }

  /**
   * As the other, with keys of the same name as one: where writers choose the bucket, a bare key
   * has a row in each.
   */
  static List<TableKey> hottest(
      HotTable table,
      Function<HotRegion, List<HotKeyRate>> keys,
      HotReport.By by,
      int most,
      Function<HotKeyRate, String> name) {
    Map<String, TableKey> all = new LinkedHashMap<>();
    for (TableKey key : all(table, keys, by)) {
      all.merge(name.apply(key.key()), key, TableKey::plus);
    }
    return hottest(new ArrayList<>(all.values()), by, most);
  }

  private TableKey plus(TableKey other) {
    return new TableKey(
        region, rows + other.rows, Math.min(1, share + other.share), key.plus(other.key));
  }

  private static List<TableKey> hottest(List<TableKey> all, HotReport.By by, int most) {
    all.sort(Comparator.comparingDouble((TableKey k) -> k.key().perSecond(by)).reversed());
    return all.subList(0, Math.min(most, all.size()));
  }

  private static List<TableKey> all(
      HotTable table, Function<HotRegion, List<HotKeyRate>> keys, HotReport.By by) {
    double total =
        table.regions().stream()
            .mapToDouble(r -> by.of(r.readsPerSecond(), r.writesPerSecond()))
            .sum();
    List<TableKey> all = new ArrayList<>();
    for (HotRegion region : table.regions()) {
      for (HotKeyRate key : keys.apply(region)) {
        double rate = key.perSecond(by);
        if (rate > 0) {
          all.add(new TableKey(region.region(), 1, Math.min(1, rate / total), key));
        }
      }
    }
    return all;
  }
}
