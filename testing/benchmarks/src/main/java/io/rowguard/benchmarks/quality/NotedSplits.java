package io.rowguard.benchmarks.quality;

import io.rowguard.benchmarks.BenchmarkCluster;
import io.rowguard.workload.RegionContent;
import io.rowguard.workload.RowRange;
import io.rowguard.workload.ScannedRows;
import io.rowguard.workload.SplitDriver;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;

/**
 * Notes each split of a table. Daughters are compacted at once, as they would be sooner or later:
 * before that HBase does not split them.
 */
final class NotedSplits implements SplitDriver.Listener {
  private final BenchmarkCluster cluster;
  private final TableRows rows;
  private final List<Split> splits = new ArrayList<>();

  private NotedSplits(BenchmarkCluster cluster, TableRows rows) {
    this.cluster = cluster;
    this.rows = rows;
  }

  /** Splits a table until nothing over the limit is left that its policy splits. */
  static SplitResult of(BenchmarkCluster cluster, TableName table, TableRows rows, long limit)
      throws IOException, InterruptedException {
    try (Admin admin = cluster.connection().getAdmin()) {
      NotedSplits noted = new NotedSplits(cluster, rows);
      SplitDriver driver =
          new SplitDriver(admin, table, region -> rows.bytes(rows.in(region)), limit);
      driver.run(noted);
      List<RegionInfo> regions = admin.getRegions(table);
      noted.requireAll(table, regions);
      return new SplitResult(
          rows,
          limit,
          noted.splits,
          regions.stream().map(rows::in).toList(),
          List.copyOf(driver.refusals().values()));
    }
  }

  @Override
  public void split(RegionInfo parent, List<RegionInfo> daughters) throws IOException {
    splits.add(Split.of(rows, rows.in(parent), rows.in(daughters.get(1)).from()));
    for (RegionInfo daughter : daughters) {
      compact(cluster.region(daughter));
    }
  }

  /** Makes a daughter's files its own. */
  private static void compact(HRegion region) throws IOException {
    region.compact(true);
    for (HStore store : region.getStores()) {
      store.closeAndArchiveCompactedFiles();
    }
    if (region.hasReferences()) {
      throw new IOException("references are left after a compaction: " + region);
    }
  }

  /**
   * Reads the whole table.
   *
   * @throws IOException when a region does not hold exactly the rows of its range, with their
   *     bytes: then whatever was measured is worth nothing
   */
  private void requireAll(TableName table, List<RegionInfo> regions) throws IOException {
    ScannedRows found = ScannedRows.scan(cluster.connection(), table, read -> {});
    if (found.rows().size() != rows.all().size()) {
      throw new IOException("found=" + found.rows().size() + " expected=" + rows.all().size());
    }
    for (RegionContent content : found.in(regions)) {
      RowRange expected = rows.in(content.region());
      if (content.bytes() != rows.bytes(expected)
          || !Arrays.deepEquals(content.rows().toArray(), rows.keys(expected).toArray())) {
        throw new IOException("Its rows are not those of its range: " + content.region());
      }
    }
  }
}
