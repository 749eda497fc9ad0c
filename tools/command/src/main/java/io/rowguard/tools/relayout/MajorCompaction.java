package io.rowguard.tools.relayout;

import io.rowguard.tools.cli.CommandFailure;
import io.rowguard.tools.cluster.RegionSizes;
import io.rowguard.tools.cluster.TableRegions;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.CompactionState;
import org.apache.hadoop.hbase.client.Connection;

/**
 * Flushes and compacts all of a table, and waits until that is done: no delete marker that was
 * there is left, but those that an open scanner still needs.
 *
 * <p>A region is through when it compacts no more and its oldest file that a major compaction wrote
 * is younger than before, or it has none ({@code HRegion.getOldestHfileTs}). Regions are asked to
 * flush and compact anew when they were divided, merged or moved meanwhile.
 */
final class MajorCompaction {
  private static final long POLL_MILLIS = 500;
  private static final long ASK_AGAIN_NANOS = TimeUnit.SECONDS.toNanos(20);

  private final Connection connection;
  private final TableName table;
  private final StepListener listener;

  MajorCompaction(Connection connection, TableName table, StepListener listener) {
    this.connection = connection;
    this.table = table;
    this.listener = listener;
  }

  /** When a region was asked, and when its oldest file was compacted before that. */
  private static final class Wait {
    private final long before;
    private final long asked = System.nanoTime();

    Wait(long before) {
      this.before = before;
    }
  }

  /** Compacts, and returns when it is done; how long that takes depends on the table's size. */
  void run() throws IOException {
    Map<String, Wait> waits = new HashMap<>();
    try (Admin admin = connection.getAdmin()) {
      int before = -1;
      while (true) {
        int done = 0;
        int all = 0;
        RegionSizes sizes = RegionSizes.of(connection, table);
        for (HRegionLocation region : TableRegions.of(connection, table)) {
          all++;
          done += isDone(admin, region, sizes, waits) ? 1 : 0;
        }
        if (done != before) {
          listener.counting("regions compacted", done, all);
          before = done;
        }
        if (done == all) {
          return;
        }
        pause();
      }
    }
  }

  private static boolean isDone(
      Admin admin, HRegionLocation region, RegionSizes sizes, Map<String, Wait> waits)
      throws IOException {
    RegionMetrics now = sizes.of(region.getRegion());
    if (now == null) {
      return false;
    }
    // On another server it may have lost what it was asked for.
    String name = region.getRegion().getEncodedName() + region.getServerName();
    Wait wait = waits.get(name);
    byte[] regionName = region.getRegion().getRegionName();
    boolean isIdle = now.getCompactionState() == CompactionState.NONE;
    if (wait != null
        && isIdle
        && (now.getStoreFileCount() == 0 || now.getLastMajorCompactionTimestamp() > wait.before)) {
      return true;
    }
    if (wait == null || (isIdle && System.nanoTime() - wait.asked > ASK_AGAIN_NANOS)) {
      admin.flushRegion(regionName);
      long before = wait == null ? now.getLastMajorCompactionTimestamp() : wait.before;
      waits.put(name, new Wait(before));
      admin.majorCompactRegion(regionName);
    }
    return false;
  }

  private static void pause() {
    try {
      TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandFailure("Interrupted.", e);
    }
  }
}
