package io.rowguard.tools.heatmap;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The history between readings. Its size depends on the regions, not on the number of readings:
 * whenever there would be too many slices, neighbours become one. Not thread-safe.
 *
 * <p>A region's counters begin at 0 whenever it is opened: after a move, a split, a merge, a crash.
 * A region's count between two readings is
 *
 * <ul>
 *   <li>the difference, where the same server has it still and counts on;
 *   <li>all that it has counted, where another server has it, its counters fell, or it is new: it
 *       was opened since. The operations between the last reading and the closing are lost.
 *   <li>not known, where it may be new or not: it was not seen before, and some server did not
 *       answer before.
 * </ul>
 *
 * <p>A region that moves away and back between two readings and then counts more than before looks
 * as if it had stayed.
 */
final class SampleHistory {
  private final int mostSlices;
  private final List<TimeSlice> slices = new ArrayList<>();
  private final Map<String, RegionSample> last = new HashMap<>();
  private final Set<String> silent = new TreeSet<>();
  private Set<String> present = Set.of();
  private long lastMillis;
  private boolean isLastComplete;
  private int readings;
  private int perSlice = 1;
  private int inSlice;
  private int moved;
  private int opened;
  private int gone;
  private int unknown;

  /**
   * @param mostSlices even
   */
  SampleHistory(int mostSlices) {
    this.mostSlices = mostSlices;
  }

  /** Takes the next reading. The first one only says where the counters stand. */
  void add(LoadReading reading) {
    Map<String, RegionSample> regions = latest(reading.regions());
    if (readings > 0) {
      TimeSlice slice = new TimeSlice(lastMillis, reading.atMillis());
      regions.values().forEach(sample -> count(slice, sample));
      append(slice);
      if (reading.silent().isEmpty()) {
        gone += (int) present.stream().filter(region -> !regions.containsKey(region)).count();
      }
    }
    present = new HashSet<>(regions.keySet());
    last.putAll(regions);
    lastMillis = reading.atMillis();
    isLastComplete = reading.silent().isEmpty();
    silent.addAll(reading.silent());
    readings++;
  }

  /** A reading could not be taken; the next one covers its time, too. */
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

  private void count(TimeSlice slice, RegionSample now) {
    slice.setBytes(now.range(), now.bytes());
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
    slice.add(
        now.range(),
        goesOn ? now.reads() - before.reads() : now.reads(),
        goesOn ? now.writes() - before.writes() : now.writes());
  }

  private void append(TimeSlice slice) {
    if (inSlice > 0 && inSlice < perSlice) {
      slices.get(slices.size() - 1).append(slice);
      inSlice++;
      return;
    }
    if (slices.size() == mostSlices) {
      halve();
    }
    slices.add(slice);
    inSlice = 1;
  }

  private void halve() {
    List<TimeSlice> halved = new ArrayList<>();
    for (int i = 0; i < slices.size(); i += 2) {
      slices.get(i).append(slices.get(i + 1));
      halved.add(slices.get(i));
    }
    slices.clear();
    slices.addAll(halved);
    perSlice *= 2;
  }

  List<TimeSlice> slices() {
    return slices;
  }

  int readings() {
    return readings;
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

  /** Whether all servers answered the last time; false when they were never asked. */
  boolean isLastComplete() {
    return isLastComplete;
  }

  /** Why servers did not answer, each reason once. */
  Set<String> silent() {
    return silent;
  }
}
