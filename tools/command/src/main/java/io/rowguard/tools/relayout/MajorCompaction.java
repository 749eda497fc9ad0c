package io.rowguard.tools.relayout;

import io.rowguard.tools.cli.CommandFailure;
import io.rowguard.tools.cluster.NoAnswer;
import io.rowguard.tools.cluster.RegionSizes;
import io.rowguard.tools.cluster.TableRegions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.CompactionState;
import org.apache.hadoop.hbase.security.AccessDeniedException;

/**
 * Flushes and compacts the regions of a table, but for those that are to be left alone, and waits
 * until that is done: no delete marker that was there is left, but those that an open scanner still
 * needs.
 *
 * <p>A region is through when it compacts no more and its oldest file that a major compaction wrote
 * is younger than before, or it has none ({@code HRegion.getOldestHfileTs}). Regions are asked to
 * flush and compact anew when they were divided, merged or moved meanwhile. The wait ends when
 * neither a region gets through nor a cell is compacted for as long as the table's patience lasts.
 *
 * <p>A region is asked to compact once it compacts no more after its flush, which may have begun a
 * minor compaction: {@code HStore.requestCompaction} passes over a family that is being compacted,
 * and the others' files would look as if all were through.
 */
final class MajorCompaction {
  private static final long POLL_MILLIS = 500;
  private static final long ASK_AGAIN_NANOS = TimeUnit.SECONDS.toNanos(20);
  private static final int MOST_REGIONS = 5;

  private final AlteredTable table;
  private final Set<String> leftAlone;
  private final StepListener listener;
  private final Patience patience;
  private final Map<String, Wait> waits = new HashMap<>();
  private List<HRegionLocation> pending = List.of();
  private boolean isBegun;
  private String why = "no region gets on";
  private long compactedCells;

  /**
   * @param leftAlone the encoded names of regions
   */
  MajorCompaction(AlteredTable table, Set<String> leftAlone, StepListener listener) {
    this.table = table;
    this.leftAlone = leftAlone;
    this.listener = listener;
    this.patience = new Patience(table.patience(), listener);
  }

  /** A region that was flushed, and then asked to compact. */
  private static final class Wait {
    private long since = System.nanoTime();
    private boolean isAsked;

    /** When its oldest file was compacted before it was asked to compact. */
    private long before;

    void ask(RegionMetrics now) {
      before = now.getLastMajorCompactionTimestamp();
      since = System.nanoTime();
      isAsked = true;
    }

    boolean isLong() {
      return System.nanoTime() - since > ASK_AGAIN_NANOS;
    }
  }

  /**
   * Compacts, and returns when it is done; how long that takes depends on the regions' size.
   *
   * @param purpose a sentence for people, where any region is compacted
   * @param wayOn ends the message of a failure: how it stands then, and what to do
   * @throws CommandFailure when it does not get on
   */
  void run(String purpose, String wayOn) throws IOException {
    try (Admin admin = table.connection().getAdmin()) {
      while (!isDone(admin, purpose)) {
        if (patience.isOver()) {
          throw new CommandFailure(failure(wayOn));
        }
        pause();
      }
    }
  }

  private boolean isDone(Admin admin, String purpose) throws IOException {
    List<HRegionLocation> regions;
    RegionSizes sizes;
    try {
      sizes = RegionSizes.of(table.connection(), table.name());
      regions = dueRegions(purpose);
    } catch (AccessDeniedException e) {
      throw e;
    } catch (IOException e) {
      waitFor(NoAnswer.reason(e));
      return false;
    }
    List<HRegionLocation> left = new ArrayList<>();
    long cells = 0;
    for (HRegionLocation region : regions) {
      RegionMetrics now = sizes.of(region.getRegion());
      cells += now == null ? 0 : now.getCompactedCellCount();
      if (!isDone(admin, region, now)) {
        left.add(region);
      }
    }
    if (left.size() != pending.size() || cells != compactedCells) {
      patience.progress();
    }
    pending = left;
    compactedCells = cells;
    if (!regions.isEmpty()) {
      listener.counting("regions compacted", regions.size() - left.size(), regions.size());
    }
    return left.isEmpty();
  }

  private List<HRegionLocation> dueRegions(String purpose) throws IOException {
    List<HRegionLocation> all = TableRegions.of(table.connection(), table.name());
    List<HRegionLocation> due =
        all.stream()
            .filter(region -> !leftAlone.contains(region.getRegion().getEncodedName()))
            .toList();
    if (!isBegun && !due.isEmpty()) {
      listener.doing("Compacting " + due.size() + " of " + all.size() + " regions: " + purpose);
      isBegun = true;
    }
    return due;
  }

  private void waitFor(String cause) {
    why = cause;
    patience.because(cause);
  }

  /**
   * @param now what the region's server says of it; null when none serves it
   */
  private boolean isDone(Admin admin, HRegionLocation region, RegionMetrics now)
      throws IOException {
    if (now == null) {
      waitFor("No server has a region open. region=" + region.getRegion().getEncodedName());
      return false;
    }
    // On another server it may have lost what it was asked for.
    String name = region.getRegion().getEncodedName() + region.getServerName();
    Wait wait = waits.get(name);
    boolean isIdle = now.getCompactionState() == CompactionState.NONE;
    if (wait != null
        && wait.isAsked
        && isIdle
        && (now.getStoreFileCount() == 0 || now.getLastMajorCompactionTimestamp() > wait.before)) {
      return true;
    }
    if (wait == null || (wait.isAsked && isIdle && wait.isLong())) {
      waits.put(name, new Wait());
      ask(name, () -> admin.flushRegion(region.getRegion().getRegionName()));
    } else if (!wait.isAsked && isIdle) {
      wait.ask(now);
      ask(name, () -> admin.majorCompactRegion(region.getRegion().getRegionName()));
    } else if (isIdle) {
      waitFor(
          "A region was asked to be compacted and is not, as where compactions are switched off."
              + " region="
              + region.getRegion().getEncodedName());
    }
    return false;
  }

  private interface Question {
    void ask() throws IOException;
  }

  private void ask(String name, Question question) throws IOException {
    try {
      question.ask();
    } catch (AccessDeniedException e) {
      throw e;
    } catch (IOException e) {
      waits.remove(name);
      waitFor(NoAnswer.reason(e));
    }
  }

  private String failure(String wayOn) {
    return "The table is not compacted, and has made no progress for "
        + patience.limit()
        + ". table="
        + table.name()
        + " regions="
        + pending.size()
        + pendingByServer()
        + " why=\""
        + reason()
        + "\". "
        + wayOn;
  }

  private String pendingByServer() {
    Map<String, List<String>> byServer = new TreeMap<>();
    for (HRegionLocation region : pending.subList(0, Math.min(MOST_REGIONS, pending.size()))) {
      byServer
          .computeIfAbsent(String.valueOf(region.getServerName()), server -> new ArrayList<>())
          .add(region.getRegion().getEncodedName());
    }
    return byServer.entrySet().stream()
        .map(each -> " server=" + each.getKey() + " has=" + String.join(",", each.getValue()))
        .collect(Collectors.joining());
  }

  private String reason() {
    try {
      List<RelayoutObstacle> obstacles = new TableObstacles(table).all();
      return obstacles.isEmpty() ? why : RelayoutObstacle.sentences(obstacles);
    } catch (IOException e) {
      // The cluster is in trouble: what it was at last says as much.
      return why;
    }
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
