package io.rowguard.benchmarks.quality;

import io.rowguard.benchmarks.quality.DataSet.Prefixes;
import io.rowguard.workload.KeySets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * The real rows: keys from {@link KeySets}, values as long as the keys' weights, divided so that a
 * table has some 150 to 300 MB.
 */
final class DataSets {
  private DataSets() {}

  static List<DataSet> all() {
    return List.of(countries(), autonomousSystems(), packages(), twoLabels());
  }

  private static DataSet countries() {
    return of(
        "geonames",
        "geonames by country",
        KeySets.geonames(),
        KeySets.geonamesWeights(),
        16,
        new Grouping('|', 1),
        "{country:text(2)}|{admin:text}|{id:digits(8)}",
        "country",
        Prefixes.upTo("|"));
  }

  private static DataSet autonomousSystems() {
    return of(
        "ipasn",
        "ipasn by AS number",
        KeySets.ipasn(),
        KeySets.ipasnWeights(),
        4,
        new Grouping('|', 1),
        "{as:digits(10)}|{ip:hex(8)}",
        "as",
        Prefixes.ofLength(10));
  }

  private static DataSet packages() {
    return of(
        "jvmclasses",
        "jvmclasses by package",
        KeySets.jvmclasses(),
        KeySets.jvmclassesWeights(),
        1,
        new Grouping('|', 1),
        "{package:text}|{class:text}",
        "package",
        Prefixes.upTo("|"));
  }

  /**
   * HBase has no setting for two labels; one is the nearest that keeps them together. Classes that
   * lie directly in a package of one or two labels (1.1 % of the keys) have no second dot: they do
   * not fit the layout, so each is its own group.
   */
  private static DataSet twoLabels() {
    return of(
        "jvmclasses2",
        "jvmclasses by the first two labels",
        KeySets.jvmclasses(),
        KeySets.jvmclassesWeights(),
        1,
        new Grouping('.', 2),
        "{a:text}.{b:text}.{rest:text}",
        "b",
        Prefixes.upTo("."));
  }

  private static DataSet of(
      String name,
      String what,
      List<byte[]> keys,
      long[] weights,
      int divisor,
      Grouping grouping,
      String layout,
      String group,
      Prefixes prefixes) {
    int[] values = Arrays.stream(weights).mapToInt(weight -> (int) (weight / divisor)).toArray();
    TableRows rows = new TableRows(keys, values, grouping);
    String title =
        String.format(
            Locale.ROOT,
            "%s: %,d rows, %.0f MB (weights %s), %,d groups",
            what,
            rows.all().size(),
            rows.bytes(rows.all()) / 1e6,
            divisor == 1 ? "whole" : "divided by " + divisor,
            rows.groups(rows.all()));
    return new DataSet(name, title, rows, layout, group, prefixes);
  }
}
