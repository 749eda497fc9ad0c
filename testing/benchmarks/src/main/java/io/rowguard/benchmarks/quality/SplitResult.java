package io.rowguard.benchmarks.quality;

import io.rowguard.benchmarks.Quantiles;
import io.rowguard.workload.RowRange;
import java.util.Comparator;
import java.util.List;

/**
 * The end of a table that was split until nothing over a limit was left to split.
 *
 * @param rows the table's rows
 * @param limit the bytes above which a region is to be split
 * @param splits all splits
 * @param regions the rows of each region there is in the end
 * @param refusals what the server said when it would not split a region, each once
 */
record SplitResult(
    TableRows rows, long limit, List<Split> splits, List<RowRange> regions, List<String> refusals) {

  /** Regions over the limit that hold one group, so that they are to be left whole. */
  List<RowRange> whole() {
    return overLimit().stream().filter(region -> rows.groups(region) == 1).toList();
  }

  /** Regions over the limit that could be cut between two groups, and are not. */
  List<RowRange> stuck() {
    return overLimit().stream().filter(region -> rows.groups(region) > 1).toList();
  }

  double stuckShareOfRows() {
    return (double) stuck().stream().mapToLong(RowRange::size).sum() / rows.all().size();
  }

  double stuckShareOfBytes() {
    return (double) stuck().stream().mapToLong(rows::bytes).sum() / rows.bytes(rows.all());
  }

  /** The splits that had a legal boundary to choose, best first. */
  List<Split> judged() {
    return splits.stream()
        .filter(split -> split.best() > 0)
        .sorted(Comparator.comparingDouble(Split::quality).reversed())
        .toList();
  }

  /** The quality of all splits that had a legal boundary to choose; null without any. */
  Quantiles quality() {
    double[] all = judged().stream().mapToDouble(Split::quality).toArray();
    return all.length == 0 ? null : Quantiles.of(all);
  }

  long emptyDaughters() {
    return splits.stream().filter(Split::leavesDaughterEmpty).count();
  }

  /** How often a region ends within a group. */
  long groupCuts() {
    return regions.stream().filter(region -> rows.isInsideGroup(region.to())).count();
  }

  RowRange largest() {
    return regions.stream().max(Comparator.comparingLong(rows::bytes)).orElseThrow();
  }

  private List<RowRange> overLimit() {
    return regions.stream().filter(region -> rows.bytes(region) > limit).toList();
  }
}
