package io.rowguard.tools.relayout;

import io.rowguard.layout.EntityGroup;
import io.rowguard.layout.RowText;
import io.rowguard.tools.cli.CommandFailure;
import io.rowguard.tools.cluster.NoAnswer;
import io.rowguard.tools.cluster.RegionSizes;
import io.rowguard.tools.cluster.TableRegions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionInfo;

/**
 * Splits a table's regions at given keys, each region in its middle first, so that a region of many
 * keys takes few rounds. A region whose files are still shared with its sister is refused for a
 * while; it is asked again.
 */
final class RegionSplits {
  private static final long PAUSE_MILLIS = 500;

  private final Connection connection;
  private final EntityGroup group;
  private final TableName table;
  private final StepListener listener;
  private final long patienceMinutes;
  private final TreeSet<byte[]> madeInVain = new TreeSet<>(Arrays::compareUnsigned);
  private String refusal = "none";

  /**
   * @param group of the layout whose boundaries the keys are
   * @param patienceMinutes how long to go on while no split succeeds
   */
  RegionSplits(
      Connection connection,
      EntityGroup group,
      TableName table,
      StepListener listener,
      long patienceMinutes) {
    this.connection = connection;
    this.group = group;
    this.table = table;
    this.listener = listener;
    this.patienceMinutes = patienceMinutes;
  }

  /**
   * Splits until a region begins at each of the keys.
   *
   * @param keys ascending
   * @throws CommandFailure when that cannot be had
   */
  void at(List<byte[]> keys) throws IOException {
    long lastSuccess = System.nanoTime();
    int before = -1;
    while (true) {
      List<byte[]> missing =
          NewRegions.missing(group, keys, TableRegions.startKeys(connection, table));
      if (missing.isEmpty()) {
        return;
      }
      if (missing.size() != before) {
        listener.counting("regions made", keys.size() - missing.size(), keys.size());
        lastSuccess = System.nanoTime();
        before = missing.size();
      }
      if (System.nanoTime() - lastSuccess > TimeUnit.MINUTES.toNanos(patienceMinutes)) {
        throw new CommandFailure(
            "The regions cannot be made. table="
                + table
                + " missing="
                + missing.size()
                + " example="
                + RowText.abbreviated(missing.get(0))
                + " why=\""
                + refusal
                + "\". Nothing has moved: give the same command again to go on, or rowguard"
                + " relayout back "
                + table
                + " to give up.");
      }
      if (round(missing) == 0) {
        pause();
      }
    }
  }

  /** Splits each region that has some of the keys inside, once; answers how many were. */
  private int round(List<byte[]> missing) throws IOException {
    Map<byte[], Future<Void>> asked = new TreeMap<>(Arrays::compareUnsigned);
    try (Admin admin = connection.getAdmin()) {
      for (HRegionLocation location : TableRegions.of(connection, table)) {
        RegionInfo region = location.getRegion();
        byte[] key = NewRegions.middleInside(missing, region.getStartKey(), region.getEndKey());
        if (key != null) {
          try {
            asked.put(key, admin.splitRegionAsync(region.getRegionName(), key));
          } catch (IOException e) {
            refusal = NoAnswer.reason(e);
          }
        }
      }
      int made = 0;
      for (Map.Entry<byte[], Future<Void>> each : asked.entrySet()) {
        made += isMade(each.getKey(), each.getValue()) ? 1 : 0;
      }
      return made;
    }
  }

  private boolean isMade(byte[] key, Future<Void> split) throws IOException {
    try {
      split.get(patienceMinutes, TimeUnit.MINUTES);
    } catch (ExecutionException e) {
      refusal = NoAnswer.reason(e);
      return false;
    } catch (TimeoutException e) {
      refusal = "the split of a region takes longer than " + patienceMinutes + " minutes";
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandFailure("Interrupted.", e);
    }
    boolean isThere =
        TableRegions.startKeys(connection, table).stream()
            .anyMatch(start -> Arrays.equals(start, key));
    if (!isThere && !madeInVain.add(key)) {
      throw new CommandFailure(
          "A region was split, but not at the key that was asked for. table="
              + table
              + " key="
              + RowText.abbreviated(key)
              + ". Has the table a RegionSplitRestriction"
              + " (hbase.regionserver.region.split_restriction.type)? Take it off: the layout's"
              + " split policy does without.");
    }
    return isThere;
  }

  private static void pause() {
    try {
      TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandFailure("Interrupted.", e);
    }
  }

  /**
   * Gives the empty ones of the regions that begin at some keys to the servers in turn.
   *
   * @return how many were moved
   */
  int spread(List<byte[]> keys) throws IOException {
    TreeSet<byte[]> starts = new TreeSet<>(Arrays::compareUnsigned);
    starts.addAll(keys);
    try (Admin admin = connection.getAdmin()) {
      List<HRegionLocation> empty = new ArrayList<>();
      RegionSizes sizes = RegionSizes.of(connection, table);
      for (HRegionLocation each : TableRegions.of(connection, table)) {
        if (starts.contains(each.getRegion().getStartKey()) && sizes.isEmpty(each.getRegion())) {
          empty.add(each);
        }
      }
      RegionSpread spread = RegionSpread.over(RegionSizes.servers(admin), empty);
      int moved = 0;
      for (RegionSpread.Move move : spread.moves()) {
        try {
          admin.move(move.region().getEncodedNameAsBytes(), move.to());
          moved++;
        } catch (IOException e) {
          listener.doing(
              "A region stays where it is: "
                  + move.region().getEncodedName()
                  + ", "
                  + NoAnswer.reason(e)
                  + ".");
        }
      }
      return moved;
    }
  }
}
