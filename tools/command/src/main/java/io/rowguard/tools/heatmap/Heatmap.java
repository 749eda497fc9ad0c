package io.rowguard.tools.heatmap;

import io.rowguard.layout.RowText;
import io.rowguard.tools.cli.Gini;
import io.rowguard.tools.explain.BoundaryText;
import io.rowguard.tools.hot.HotRegion;
import io.rowguard.tools.hot.HotTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The result of the sampling of one table. Immutable.
 *
 * @param layout null when there is none
 * @param group null when there is none
 * @param load the hot keys at the end, where servers count them; null when nothing was asked
 */
record Heatmap(
    String table,
    String layout,
    String group,
    BoundaryText words,
    SampleHistory history,
    Grid grid,
    HotTable load) {

  /** The requests of one kind: the sum, and its division among the key ranges. */
  static final class Load {
    private final long[] totals;

    private Load(long[] totals) {
      this.totals = totals;
    }

    long total() {
      return Arrays.stream(totals).sum();
    }

    long of(int range) {
      return totals[range];
    }

    /** The range with the most; of several the first. */
    int hottest() {
      int hottest = 0;
      for (int i = 1; i < totals.length; i++) {
        if (totals[i] > totals[hottest]) {
          hottest = i;
        }
      }
      return hottest;
    }

    /** A range's share of the whole; 0 when there was nothing. */
    double share(int range) {
      return total() == 0 ? 0 : (double) totals[range] / total();
    }

    /** How unevenly the ranges share it. */
    double gini() {
      return Gini.of(totals);
    }
  }

  Load reads() {
    return new Load(Grid.totals(grid.reads(), grid.ranges().size()));
  }

  Load writes() {
    return new Load(Grid.totals(grid.writes(), grid.ranges().size()));
  }

  /** The sizes at the end. */
  Load bytes() {
    int columns = grid.bytes().length;
    return new Load(columns == 0 ? new long[grid.ranges().size()] : grid.bytes()[columns - 1]);
  }

  /** Whether a range's region was open at the end; null where that is unknown. */
  Boolean isOpen(int range) {
    if (history.slices().isEmpty()) {
      return null;
    }
    return grid.isOpen(range) ? Boolean.TRUE : history.isLastComplete() ? Boolean.FALSE : null;
  }

  /** For each range the load of the region that had it at the end; null where none is shown. */
  List<HotRegion> loads() {
    TreeMap<byte[], HotRegion> byStart = new TreeMap<>(Arrays::compareUnsigned);
    for (HotRegion region : load == null ? List.<HotRegion>of() : load.regions()) {
      byStart.put(RowText.toBytesBinary(region.startKey()), region);
    }
    List<HotRegion> loads = new ArrayList<>();
    for (RegionRange range : grid.ranges()) {
      Map.Entry<byte[], HotRegion> last = byStart.floorEntry(range.start());
      loads.add(last != null && holds(last, range) ? last.getValue() : null);
    }
    return loads;
  }

  private static boolean holds(Map.Entry<byte[], HotRegion> region, RegionRange range) {
    byte[] end = RowText.toBytesBinary(region.getValue().endKey());
    return new RegionRange(region.getKey(), end).contains(range);
  }

  /** How long was sampled, in seconds. */
  double seconds() {
    return history.slices().isEmpty()
        ? 0
        : (history.slices().get(history.slices().size() - 1).toMillis()
                - history.slices().get(0).fromMillis())
            / 1000.0;
  }
}
