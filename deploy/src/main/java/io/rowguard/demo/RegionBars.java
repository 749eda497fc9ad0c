package io.rowguard.demo;

import io.rowguard.workload.RegionContent;
import java.util.List;
import org.apache.hadoop.hbase.util.Bytes;

/** The spread of a table's rows: a line for each region, with a bar as long as it has rows. */
final class RegionBars {
  private static final int COLUMNS = 44;

  private RegionBars() {}

  static void show(Screen screen, List<RegionContent> regions) {
    long most = most(regions);
    screen.blank();
    screen.line(String.format("%-24s%8s", "Where they lie", "rows"));
    for (RegionContent content : regions) {
      byte[] start = content.region().getStartKey();
      String from =
          start.length == 0 ? "from the start" : "from \"" + Bytes.toStringBinary(start) + '"';
      screen.line(
          String.format(
              "  %-22s%8s  %s",
              from,
              Screen.count(content.rowCount()),
              screen.bar(content.rowCount(), most, COLUMNS)));
    }
    screen.blank();
  }

  /** The rows of the fullest region. */
  static long most(List<RegionContent> regions) {
    return regions.stream().mapToLong(RegionContent::rowCount).max().orElseThrow();
  }
}
