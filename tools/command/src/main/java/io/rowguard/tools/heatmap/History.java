package io.rowguard.tools.heatmap;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * What happened between snapshots. Its size depends on the regions, not on the number of snapshots:
 * whenever there would be too many columns, neighbours become one. Not thread-safe.
 *
 * <p>A region's counters begin at 0 whenever it is opened: after a move, a split, a merge, a crash.
 * So what a region counted between two snapshots is
 *
 * <ul>
 *   <li>the difference, where the same server has it still and counts on;
 *   <li>all that it has counted, where another server has it, its counters fell, or it is new: it
 *       was opened since. What was counted between the last snapshot and the closing is lost.
 *   <li>not known, where nobody knows whether it is new: it was not seen before, and some server
 *       did not answer before.
 * </ul>
 *
 * <p>A region that moves away and back between two snapshots and then counts more than before looks
 * as if it had stayed.
 */
final class History {
  private final int mostColumns;
  private final List<TimeSlice> columns = new ArrayList<>();
  private final Map<String, RegionSample> last = new HashMap<>();
  private final Set<String> silent = new TreeSet<>();
  private Set<String> present = Set.of();
  private long lastMillis;
  private boolean isLastComplete;
  private int snapshots;
  private int perColumn = 1;
  private int inColumn;
  private int moved;
  private int opened;
  private int gone;
  private int unknown;

  /**
   * @param mostColumns even
   */
  History(int mostColumns) {
    this.mostColumns = mostColumns;
  }

  /** Takes the next snapshot. The first one only says where the counters stand. */
  void add(LoadReading snapshot) {
    Map<String, RegionSample> regions = latest(snapshot.regions());
    if (snapshots > 0) {
      TimeSlice column = new TimeSlice(lastMillis, snapshot.atMillis());
      regions.values().forEach(sample -> count(column, sample));
      append(column);
      if (snapshot.silent().isEmpty()) {
        gone += (int) present.stream().filter(region -> !regions.containsKey(region)).count();
      }
    }
    present = new HashSet<>(regions.keySet());
    last.putAll(regions);
    lastMillis = snapshot.atMillis();
    isLastComplete = snapshot.silent().isEmpty();
    silent.addAll(snapshot.silent());
    snapshots++;
  }

  /** A snapshot could not be taken; the next one covers its time, too. */
  void missed(String why) {
    silent.add(why);
  }

  /** Each region once: of two servers the one that had it not before. */
  private Map<String, RegionSample> latest(List<RegionSample> samples) {
    Map<String, RegionSample> regions = new HashMap<>();
    for (RegionSample sample : samples) {
      RegionSample before = last.get(sample.region());
      boolean isOld = before != null && before.server().equals(sample.server());
      if (!isOld || !regions.containsKey(sample.region())) {
        regions.put(sample.region(), sample);
      }
    }
    return regions;
  }

  private void count(TimeSlice column, RegionSample now) {
    column.setBytes(now.range(), now.bytes());
    RegionSample before = last.get(now.region());
    if (before == null && !isLastComplete) {
      unknown++;
      return;
    }
    boolean isSameServer = before != null && before.server().equals(now.server());
    boolean goesOn =
        isSameServer && now.reads() >= before.reads() && now.writes() >= before.writes();
    if (before == null) {
      opened++;
    } else if (!isSameServer) {
      moved++;
    } else if (!goesOn) {
      opened++;
    }
    column.add(
        now.range(),
        goesOn ? now.reads() - before.reads() : now.reads(),
        goesOn ? now.writes() - before.writes() : now.writes());
  }

  private void append(TimeSlice column) {
    if (inColumn > 0 && inColumn < perColumn) {
      columns.get(columns.size() - 1).append(column);
      inColumn++;
      return;
    }
    if (columns.size() == mostColumns) {
      halve();
    }
    columns.add(column);
    inColumn = 1;
  }

  private void halve() {
    List<TimeSlice> halved = new ArrayList<>();
    for (int i = 0; i < columns.size(); i += 2) {
      columns.get(i).append(columns.get(i + 1));
      halved.add(columns.get(i));
    }
    columns.clear();
    columns.addAll(halved);
    perColumn *= 2;
  }

  List<TimeSlice> columns() {
    return columns;
  }

  int snapshots() {
    return snapshots;
  }

  /** How often a region was found on another server. */
  int moved() {
    return moved;
  }

  /** How often a region was found anew: a daughter, a merged one, or opened again. */
  int opened() {
    return opened;
  }

  /** How often a region was no more: split, merged, or not open at the moment. */
  int gone() {
    return gone;
  }

  /** How often what a region had counted was not known. */
  int unknown() {
    return unknown;
  }

  /** Why servers did not answer, each reason once. */
  Set<String> silent() {
    return silent;
  }
}
