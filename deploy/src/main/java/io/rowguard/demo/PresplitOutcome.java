package io.rowguard.demo;

import io.rowguard.layout.LayoutBoundaries;
import io.rowguard.workload.RegionContent;
import java.util.List;
import org.apache.hadoop.hbase.client.RegionInfo;

/**
 * How the rows of a pre-split table lie in its regions.
 *
 * @param contents its regions, in the order of their keys; at least one
 * @param boundaries of the layout that the rows keep to
 */
record PresplitOutcome(List<RegionContent> contents, LayoutBoundaries boundaries) {

  /** Whether the layout has any row for a region. */
  boolean isReachable(RegionContent content) {
    RegionInfo region = content.region();
    return boundaries.isReachable(region.getStartKey(), region.getEndKey());
  }

  List<RegionContent> unreachable() {
    return contents.stream().filter(content -> !isReachable(content)).toList();
  }

  long rowCount() {
    return rows(contents);
  }

  /** The rows of the fullest region. */
  long most() {
    return contents.stream().mapToLong(RegionContent::rowCount).max().orElseThrow();
  }

  /** The fullest region's rows by those of the mean region: 1 is perfect. */
  double imbalance() {
    return (double) most() * contents.size() / rowCount();
  }

  static long rows(List<RegionContent> contents) {
    return contents.stream().mapToLong(RegionContent::rowCount).sum();
  }
}
