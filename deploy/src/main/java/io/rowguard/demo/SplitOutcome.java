package io.rowguard.demo;

import io.rowguard.workload.RegionContent;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The outcome of a table's split, as its regions and a scan show it.
 *
 * @param contents its regions, in the order of their keys; at least one
 * @param refusals the server's message for regions that it would not split, by encoded name
 * @param limit bytes above which a region was to be split
 */
record SplitOutcome(List<RegionContent> contents, Map<String, String> refusals, long limit) {

  long rowCount() {
    return contents.stream().mapToLong(RegionContent::rowCount).sum();
  }

  RegionContent largest() {
    return contents.stream().max(Comparator.comparingLong(RegionContent::bytes)).orElseThrow();
  }

  /** The countries whose rows are in more than one region. */
  long cutCountries() {
    Map<String, Integer> regionsOf = new HashMap<>();
    for (RegionContent content : contents) {
      Places.countries(content).forEach(country -> regionsOf.merge(country, 1, Integer::sum));
    }
    return regionsOf.values().stream().filter(regions -> regions > 1).count();
  }

  /** The regions over the limit that cannot be split without cutting a country. */
  List<RegionContent> ofOneCountry() {
    return overLimit().stream().filter(content -> Places.countries(content).size() == 1).toList();
  }

  /** The regions over the limit that could be split between two countries, and are not. */
  List<RegionContent> stuck() {
    return overLimit().stream().filter(content -> Places.countries(content).size() > 1).toList();
  }

  /** How much of the table is in stuck regions, in percent of its rows. */
  double stuckPercent() {
    return 100.0 * stuck().stream().mapToLong(RegionContent::rowCount).sum() / rowCount();
  }

  /** The server's word when asked to split a region. */
  String message(RegionContent content) {
    return refusals.getOrDefault(content.region().getEncodedName(), "(it did not refuse)");
  }

  private List<RegionContent> overLimit() {
    return contents.stream().filter(content -> content.bytes() > limit).toList();
  }
}
