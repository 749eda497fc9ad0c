package io.rowguard.tools.adopt;

import io.rowguard.layout.RowkeyLayout;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One kind of table with certain numbers, and how rows fit it.
 *
 * @param table the kind
 * @param values its numbers
 * @param layout with them
 * @param rows how many rows were judged
 * @param bad those that do not conform
 * @param alsoFitting other values of the numbers with which all rows conform, some of them
 */
record Adoption(
    KnownTable table,
    Map<String, Integer> values,
    RowkeyLayout layout,
    int rows,
    List<byte[]> bad,
    List<Map<String, Integer>> alsoFitting) {
  /** More combinations of numbers are not tried. */
  private static final int MOST_TRIES = 20_000;

  /** More of those that fit are not told. */
  private static final int MOST_FITTING = 4;

  /**
   * The kind that rows fit, with its numbers: the first that more than four of five fit, so that a
   * few bad rows do not make a table one of a looser kind; else the one that most fit. Two ways to
   * take a remainder agree on half of the rows, those whose hash has no sign.
   *
   * @param kinds those that come into question, one or more, all with layouts, the stricter first
   * @param given numbers that are known, by their names
   */
  static Adoption of(List<KnownTable> kinds, Map<String, Integer> given, List<byte[]> rows) {
    Adoption best = null;
    for (KnownTable table : kinds) {
      Adoption adoption = of(table, given, rows);
      if (5 * adoption.bad.size() < rows.size() || rows.isEmpty()) {
        return adoption;
      }
      if (best == null || adoption.bad.size() < best.bad.size()) {
        best = adoption;
      }
    }
    return best;
  }

  /** One kind with the numbers that most rows fit; of several the usual ones, or the smallest. */
  static Adoption of(KnownTable table, Map<String, Integer> given, List<byte[]> rows) {
    Map<String, Integer> chosen = with(table.usual(), given);
    long fewest = bad(table.layout(chosen), rows).size();
    List<Map<String, Integer>> fitting = new ArrayList<>();
    if (!rows.isEmpty()) {
      Map<String, Integer> usual = chosen;
      for (Map<String, Integer> values : combinations(table, given)) {
        if (!values.equals(usual)) {
          long bad = bad(table.layout(values), rows).size();
          chosen = bad < fewest ? values : chosen;
          fewest = Math.min(bad, fewest);
          if (bad == 0 && fitting.size() < MOST_FITTING) {
            fitting.add(values);
          }
        }
      }
    }
    fitting.remove(chosen);
    RowkeyLayout layout = table.layout(chosen);
    return new Adoption(table, chosen, layout, rows.size(), bad(layout, rows), fitting);
  }

  private static List<byte[]> bad(RowkeyLayout layout, List<byte[]> rows) {
    return rows.stream().filter(row -> !layout.check(row).conforms()).toList();
  }

  private static Map<String, Integer> with(Map<String, Integer> usual, Map<String, Integer> given) {
    Map<String, Integer> values = new LinkedHashMap<>(usual);
    values.keySet().retainAll(usual.keySet());
    given.forEach((name, value) -> values.replace(name, value));
    return values;
  }

  /** All values that the numbers can have, none where there are too many. */
  private static List<Map<String, Integer>> combinations(
      KnownTable table, Map<String, Integer> given) {
    List<Map<String, Integer>> all = new ArrayList<>();
    all.add(new LinkedHashMap<>());
    for (KnownNumber number : table.numbers()) {
      Integer known = given.get(number.name());
      int least = known == null ? number.least() : known;
      int most = known == null ? number.most() : known;
      List<Map<String, Integer>> longer = new ArrayList<>();
      for (Map<String, Integer> values : all) {
        for (int value = least; value <= most && longer.size() <= MOST_TRIES; value++) {
          Map<String, Integer> more = new LinkedHashMap<>(values);
          more.put(number.name(), value);
          longer.add(more);
        }
      }
      all = longer;
    }
    return all.size() > MOST_TRIES ? List.of() : all;
  }
}
