package io.rowguard.workload;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.ToLongFunction;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.RegionInfo;

/**
 * Has a table split until no region is over a limit but those that the server refuses to split. It
 * says which region and never where, so that the table's split policy decides. Not thread-safe.
 */
public final class SplitDriver {
  private static final long SPLIT_SECONDS = 120;
  private static final long PAUSE_MILLIS = 200;

  /**
   * The master's word for a daughter that has not yet compacted away the reference to its parent,
   * or just did: HBase splits it only once the old file is gone.
   */
  private static final String NOT_YET = "NOT splittable";

  private static final long NOT_YET_NANOS = TimeUnit.SECONDS.toNanos(20);

  /** Follows the splits. */
  public interface Listener {
    /** Called before each round of splits, and in the end with nothing to split. */
    default void round(int regions, int toSplit) {}

    /**
     * Called after each split.
     *
     * @param daughters the two, in the order of their keys
     */
    default void split(RegionInfo parent, List<RegionInfo> daughters) throws IOException {}
  }

  private final Admin admin;
  private final TableName table;
  private final ToLongFunction<RegionInfo> bytes;
  private final long limit;
  private final Map<String, String> refusals = new LinkedHashMap<>();
  private final Map<String, Long> askedFirst = new LinkedHashMap<>();

  /**
   * Asks for nothing yet.
   *
   * @param bytes the bytes of cells that a region of the table holds, also of regions to come
   * @param limit bytes above which a region is to be split
   */
  public SplitDriver(Admin admin, TableName table, ToLongFunction<RegionInfo> bytes, long limit) {
    this.admin = admin;
    this.table = table;
    this.bytes = bytes;
    this.limit = limit;
  }

  /**
   * Splits until there is nothing left to ask for.
   *
   * @throws IOException when a split neither ends in time nor is refused
   */
  public void run(Listener listener) throws IOException, InterruptedException {
    while (true) {
      List<RegionInfo> regions = admin.getRegions(table);
      List<RegionInfo> over = regions.stream().filter(this::isToSplit).toList();
      listener.round(regions.size(), over.size());
      if (over.isEmpty()) {
        return;
      }
      List<RegionInfo> parents = split(over);
      if (parents.isEmpty()) {
        // Only daughters that are not ready yet.
        TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
      } else {
        List<RegionInfo> after = admin.getRegions(table);
        for (RegionInfo parent : parents) {
          listener.split(parent, daughters(parent, after));
        }
      }
    }
  }

  /** The server's message for each region that it would not split, by the region's encoded name. */
  public Map<String, String> refusals() {
    return refusals;
  }

  private boolean isToSplit(RegionInfo region) {
    return bytes.applyAsLong(region) > limit && !refusals.containsKey(region.getEncodedName());
  }

  /** Asks for all at once and waits for all; those that were split. */
  private List<RegionInfo> split(List<RegionInfo> regions)
      throws IOException, InterruptedException {
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
            "A split is not done after " + SPLIT_SECONDS + " s. region=" + entry.getKey(), e);
      }
    }
    return split;
  }

  private void refused(RegionInfo region, Exception thrown) {
    String message = ServerMessage.of(thrown);
    long waited = System.nanoTime() - askedFirst.get(region.getEncodedName());
    if (!message.contains(NOT_YET) || waited > NOT_YET_NANOS) {
      refusals.put(region.getEncodedName(), message);
    }
  }

  private static List<RegionInfo> daughters(RegionInfo parent, List<RegionInfo> regions)
      throws IOException {
    List<RegionInfo> daughters =
        regions.stream().filter(region -> parent.containsRow(region.getStartKey())).toList();
    if (daughters.size() != 2) {
      throw new IOException("not two daughters. parent=" + parent + " found=" + daughters);
    }
    return daughters;
  }
}
