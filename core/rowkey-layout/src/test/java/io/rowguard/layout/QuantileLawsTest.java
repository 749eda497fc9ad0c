package io.rowguard.layout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The laws of division by a sample: boundaries ascend, are legal, lie between two neighbouring
 * sample rows of different groups, and no region weighs more than its share and what the heaviest
 * group forces on it.
 */
@Tag("whole")
class QuantileLawsTest {
  private static final int LAYOUTS_PER_SEED = 300;

  static LongStream seeds() {
    return LawSeeds.of(801, 810);
  }

  /** Random rows in order, each with a weight. */
  private static final class Sample {
    final List<byte[]> rows;
    final long[] weights;
    final List<byte[]> groups = new ArrayList<>();

    Sample(LayoutCase at, boolean withLegacyRows) {
      TreeSet<byte[]> sorted = new TreeSet<>(SlowBytes::compare);
      int size = 1 + at.random.nextInt(40);
      byte[] row = at.rows.conforming();
      for (int i = 0; i < size; i++) {
        row = at.random.nextBoolean() ? RandomRows.sameGroup(at, row) : at.rows.conforming();
        sorted.add(withLegacyRows && at.random.nextInt(4) == 0 ? at.rows.next() : row);
      }
      rows = new ArrayList<>(sorted);
      weights = at.random.longs(rows.size(), 0, 1000).toArray();
      for (byte[] each : rows) {
        int end = at.slow.groupEnd(at.group, each);
        groups.add(end < 0 ? each : SlowBytes.first(each, end));
      }
    }

    boolean isApart(int index) {
      return !Arrays.equals(groups.get(index - 1), groups.get(index));
    }

    /** The index of the first row at or above a boundary. */
    int indexOf(byte[] boundary) {
      int index = 0;
      while (index < rows.size() && SlowBytes.compare(rows.get(index), boundary) < 0) {
        index++;
      }
      return index;
    }

    String show() {
      List<String> shown = new ArrayList<>();
      rows.forEach(row -> shown.add(RandomRows.show(row)));
      return " sample=" + shown + " weights=" + Arrays.toString(weights);
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void quantiles_randomSamples_separateNeighboursOfDifferentGroups(long seed) {
    int cutsSeen = 0;
    for (int i = 0; i < LAYOUTS_PER_SEED; i++) {
      LayoutCase at = LayoutCase.of(seed, i);
      Sample sample = new Sample(at, i % 2 == 0);
      LayoutBoundaries core = LayoutBoundaries.of(at.core, at.group);
      int regions = 2 + at.random.nextInt(12);
      List<byte[]> cuts = core.quantiles(sample.rows, sample.weights, regions);
      String message = "regions=" + regions + " " + at + sample.show();
      assertTrue(cuts.size() < regions, message);
      for (int c = 0; c < cuts.size(); c++) {
        cutsSeen++;
        byte[] cut = cuts.get(c);
        int index = sample.indexOf(cut);
        boolean ascends = c == 0 || SlowBytes.compare(cuts.get(c - 1), cut) < 0;
        boolean separates = index > 0 && index < sample.rows.size() && sample.isApart(index);
        boolean isRight = ascends && separates && core.isLegal(cut);
        assertTrue(isRight, () -> "cut=" + SlowBytes.show(cut) + " " + message);
      }
    }
    assertTrue(cutsSeen > LAYOUTS_PER_SEED, "seed=" + seed + " cuts=" + cutsSeen);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void quantiles_everyRowItsOwnGroup_regionsDifferByOneRow(long seed) {
    for (int i = 0; i < LAYOUTS_PER_SEED; i++) {
      LayoutCase at = LayoutCase.of(seed, i);
      Sample sample = new Sample(at, false);
      int rows = sample.rows.size();
      int regions = 1 + at.random.nextInt(rows);
      LayoutBoundaries core = LayoutBoundaries.of(at.core, null);
      List<byte[]> cuts = core.quantiles(sample.rows, null, regions);
      String message = "regions=" + regions + " " + at + sample.show();
      assertEquals(regions - 1, cuts.size(), message);
      for (int c = 0; c < cuts.size(); c++) {
        double wanted = (double) rows * (c + 1) / regions;
        double off = Math.abs(sample.indexOf(cuts.get(c)) - wanted);
        assertTrue(off <= 0.5, () -> "off=" + off + " " + message);
      }
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void quantiles_weightedGroups_noRegionMuchHeavierThanItsShare(long seed) {
    for (int i = 0; i < LAYOUTS_PER_SEED; i++) {
      LayoutCase at = LayoutCase.of(seed, i);
      Sample sample = new Sample(at, false);
      int regions = 2 + at.random.nextInt(6);
      List<byte[]> cuts =
          LayoutBoundaries.of(at.core, at.group).quantiles(sample.rows, sample.weights, regions);
      double share = (double) Arrays.stream(sample.weights).sum() / regions;
      TreeMap<byte[], Long> groupWeights = new TreeMap<>(SlowBytes::compare);
      TreeMap<Integer, Long> regionWeights = new TreeMap<>();
      for (int r = 0; r < sample.rows.size(); r++) {
        byte[] row = sample.rows.get(r);
        int region = (int) cuts.stream().filter(cut -> SlowBytes.compare(cut, row) <= 0).count();
        groupWeights.merge(sample.groups.get(r), sample.weights[r], Long::sum);
        regionWeights.merge(region, sample.weights[r], Long::sum);
      }
      long heaviestGroup = groupWeights.values().stream().max(Long::compare).orElseThrow();
      long heaviestRegion = regionWeights.values().stream().max(Long::compare).orElseThrow();
      assertTrue(
          heaviestRegion <= share + 2 * heaviestGroup,
          () -> "heaviest=" + heaviestRegion + " regions=" + regions + " " + at + sample.show());
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void quantiles_equalWeights_sameAsNone(long seed) {
    for (int i = 0; i < LAYOUTS_PER_SEED; i++) {
      LayoutCase at = LayoutCase.of(seed, i);
      Sample sample = new Sample(at, true);
      long[] equal = new long[sample.rows.size()];
      Arrays.fill(equal, 7);
      int regions = 2 + at.random.nextInt(6);
      LayoutBoundaries core = LayoutBoundaries.of(at.core, at.group);
      assertEquals(
          show(core.quantiles(sample.rows, null, regions)),
          show(core.quantiles(sample.rows, equal, regions)),
          () -> "regions=" + regions + " " + at + sample.show());
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void quantiles_sampleOutOfOrder_refused(long seed) {
    int refused = 0;
    for (int i = 0; i < LAYOUTS_PER_SEED; i++) {
      LayoutCase at = LayoutCase.of(seed, i);
      Sample sample = new Sample(at, false);
      LayoutBoundaries core = LayoutBoundaries.of(at.core, at.group);
      if (sample.rows.size() > 1) {
        refused++;
        List<byte[]> turned = new ArrayList<>(sample.rows);
        turned.add(turned.remove(0));
        assertThrows(
            IllegalArgumentException.class,
            () -> core.quantiles(turned, null, 3),
            () -> at + sample.show());
        long[] tooFew = new long[sample.rows.size() - 1];
        assertThrows(
            IllegalArgumentException.class,
            () -> core.quantiles(sample.rows, tooFew, 3),
            () -> at + sample.show());
      }
    }
    assertTrue(refused > LAYOUTS_PER_SEED / 2, "seed=" + seed);
  }

  @Test
  void quantiles_oneBigGroupFirst_laterBoundariesStayAtTheirQuantiles() {
    List<byte[]> rows = new ArrayList<>();
    long[] weights = new long[11];
    for (int i = 0; i <= 10; i++) {
      rows.add(new byte[] {(byte) ('a' + i)});
      weights[i] = i == 0 ? 50 : 5;
    }
    LayoutBoundaries core = LayoutBoundaries.of(RowkeyLayout.parse("{id:word(1)}"), null);
    assertEquals("[b, d, f, h, j]", show(core.quantiles(rows, weights, 10)));
  }

  @Test
  void quantiles_twoPlacesEquallyNear_takesTheLower() {
    List<byte[]> rows = List.of(new byte[] {'a'}, new byte[] {'b'}, new byte[] {'c'});
    LayoutBoundaries core = LayoutBoundaries.of(RowkeyLayout.parse("{id:word(1)}"), null);
    assertEquals("[b]", show(core.quantiles(rows, null, 2)));
  }

  @Test
  void quantiles_sameRowTwice_weighsTwice() {
    byte[] twice = {'c'};
    List<byte[]> rows = List.of(new byte[] {'a'}, new byte[] {'b'}, twice, twice);
    LayoutBoundaries core = LayoutBoundaries.of(RowkeyLayout.parse("{id:word(1)}"), null);
    assertEquals("[c]", show(core.quantiles(rows, null, 2)));
  }

  private static String show(List<byte[]> cuts) {
    return cuts.stream().map(SlowBytes::show).toList().toString();
  }
}
