package io.rowguard.benchmarks.quality;

import io.rowguard.benchmarks.BenchmarkCluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;

/**
 * Has a table split until no region is over a limit but those the server refuses to split. It says
 * which region and never where, so the table's split policy decides. Daughters are compacted at
 * once, as they would be sooner or later: before that HBase does not split them.
 */
final class SplitDriver {
  private static final long SPLIT_SECONDS = 120;

  private final BenchmarkCluster cluster;
  private final Admin admin;
  private final TableName table;
  private final TableRows rows;
  private final long limit;
  private final List<Split> splits = new ArrayList<>();
  private final Set<RegionInfo> refused = new HashSet<>();
  private final List<String> refusals = new ArrayList<>();

  SplitDriver(BenchmarkCluster cluster, Admin admin, TableName table, TableRows rows, long limit) {
    this.cluster = cluster;
    this.admin = admin;
    this.table = table;
    this.rows = rows;
    this.limit = limit;
  }

  /** Splits until there is nothing left to ask for. */
  SplitResult run() throws IOException, InterruptedException {
    while (true) {
      List<RegionInfo> regions = admin.getRegions(table);
      List<RegionInfo> over =
          regions.stream()
              .filter(region -> rows.bytes(rows.in(region)) > limit && !refused.contains(region))
              .toList();
      if (over.isEmpty()) {
        StoredRows.requireAll(admin.getConnection(), regions, rows);
        return new SplitResult(
            rows, limit, splits, regions.stream().map(rows::in).toList(), refusals);
      }
      for (RegionInfo region : over) {
        split(region);
      }
    }
  }

  private void split(RegionInfo region) throws IOException, InterruptedException {
    Set<RegionInfo> before = new HashSet<>(admin.getRegions(table));
    try {
      admin.splitRegionAsync(region.getRegionName()).get(SPLIT_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException | IOException e) {
      refused.add(region);
      refusals.add(words(e));
      return;
    } catch (TimeoutException e) {
      throw new IOException("A split is not done after " + SPLIT_SECONDS + " s: " + region, e);
    }
    List<RegionInfo> daughters =
        admin.getRegions(table).stream().filter(each -> !before.contains(each)).toList();
    if (daughters.size() != 2) {
      throw new IOException("not two daughters: " + daughters);
    }
    splits.add(Split.of(rows, rows.in(region), rows.in(daughters.get(1)).from()));
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

  /** The first line of what the server said. */
  private static String words(Exception thrown) {
    Throwable cause = thrown instanceof ExecutionException ? thrown.getCause() : thrown;
    return String.valueOf(cause.getMessage()).lines().findFirst().orElse("");
  }
}
