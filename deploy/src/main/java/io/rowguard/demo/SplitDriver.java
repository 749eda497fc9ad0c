package io.rowguard.demo;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.RegionInfo;

/**
 * Has a table split until no region is over a limit or the server refuses: it says which region,
 * never where, so the table's split policy decides. Not thread-safe.
 */
final class SplitDriver {
  private static final long SPLIT_SECONDS = 30;
  private static final long PAUSE_MILLIS = 200;

  /**
   * What the master says of a daughter that has not yet compacted away the reference to its parent,
   * or just did: HBase splits it only once the old file is gone.
   */
  private static final String NOT_YET = "NOT splittable";

  private static final long NOT_YET_NANOS = TimeUnit.SECONDS.toNanos(20);

  private final Admin admin;
  private final TableName table;
  private final StoredRows rows;
  private final long limit;
  private final Map<String, String> refusals = new LinkedHashMap<>();
  private final Map<String, Long> askedFirst = new LinkedHashMap<>();

  /**
   * @param rows the table's rows: splits move none
   * @param limit bytes of cells above which a region is to be split
   */
  SplitDriver(Admin admin, TableName table, StoredRows rows, long limit) {
    this.admin = admin;
    this.table = table;
    this.rows = rows;
    this.limit = limit;
  }

  /** Splits until there is nothing left to ask for. */
  void run(Progress progress) throws IOException, InterruptedException {
    while (true) {
      List<RegionInfo> regions = admin.getRegions(table);
      List<RegionInfo> over = over(regions);
      progress.at("regions: " + regions.size() + ", to split: " + over.size());
      if (over.isEmpty()) {
        return;
      }
      if (!split(over)) {
        // Only daughters that are not ready yet.
        TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
      }
    }
  }

  /** The server's words for each region that it would not split, by the region's encoded name. */
  Map<String, String> refusals() {
    return refusals;
  }

  private List<RegionInfo> over(List<RegionInfo> regions) {
    return rows.in(regions).stream()
        .filter(content -> content.bytes() > limit)
        .map(RegionContent::region)
        .filter(region -> !refusals.containsKey(region.getEncodedName()))
        .toList();
  }

  /** Asks for all at once and waits for all; whether any was split. */
  private boolean split(List<RegionInfo> regions) throws IOException, InterruptedException {
    Map<RegionInfo, Future<Void>> splits = new LinkedHashMap<>();
    for (RegionInfo region : regions) {
      askedFirst.putIfAbsent(region.getEncodedName(), System.nanoTime());
      try {
        splits.put(region, admin.splitRegionAsync(region.getRegionName()));
      } catch (IOException e) {
        refused(region, e);
      }
    }
    List<RegionInfo> split = new ArrayList<>();
    for (Map.Entry<RegionInfo, Future<Void>> entry : splits.entrySet()) {
      try {
        entry.getValue().get(SPLIT_SECONDS, TimeUnit.SECONDS);
        split.add(entry.getKey());
      } catch (ExecutionException e) {
        refused(entry.getKey(), e);
      } catch (TimeoutException e) {
        throw new IOException(
            "The split of "
                + entry.getKey().getRegionNameAsString()
                + " is not done after "
                + SPLIT_SECONDS
                + " s",
            e);
      }
    }
    return !split.isEmpty();
  }

  private void refused(RegionInfo region, Exception thrown) {
    String words = ServerWords.of(thrown);
    long waited = System.nanoTime() - askedFirst.get(region.getEncodedName());
    if (!words.contains(NOT_YET) || waited > NOT_YET_NANOS) {
      refusals.put(region.getEncodedName(), words);
    }
  }
}
