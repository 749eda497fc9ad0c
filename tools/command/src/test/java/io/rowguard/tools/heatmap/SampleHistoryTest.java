package io.rowguard.tools.heatmap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Counters that fall, regions that come and go, against a cluster that knows what it counted. */
class SampleHistoryTest {
  private static final RegionRange ALL = range("", "");
  private static final RegionRange LOW = range("", "m");
  private static final RegionRange HIGH = range("m", "");

  private final SampleHistory history = new SampleHistory(4);

  static RegionRange range(String start, String end) {
    return new RegionRange(
        start.getBytes(StandardCharsets.US_ASCII), end.getBytes(StandardCharsets.US_ASCII));
  }

  private static RegionSample sample(
      String region, String server, RegionRange range, long reads, long writes) {
    return new RegionSample(region, server, range, reads, writes, 0);
  }

  private void take(RegionSample... samples) {
    history.add(new LoadReading(1000L * history.readings(), List.of(samples), List.of()));
  }

  private TimeSlice last() {
    return history.slices().get(history.slices().size() - 1);
  }

  @Test
  void add_firstReading_countsNothing() {
    take(sample("a", "s1", ALL, 500, 700));
    assertTrue(history.slices().isEmpty());
  }

  @Test
  void add_regionThatStays_countsTheDifference() {
    take(sample("a", "s1", ALL, 500, 700));
    take(sample("a", "s1", ALL, 510, 730));
    assertEquals(Map.of(ALL, 10L), last().reads());
    assertEquals(Map.of(ALL, 30L), last().writes());
    assertEquals(0, history.moved() + history.opened() + history.gone());
  }

  @Test
  void add_regionThatMoved_countsAllSinceItWasOpened() {
    take(sample("a", "s1", ALL, 500, 700));
    take(sample("a", "s2", ALL, 3, 900));
    assertEquals(Map.of(ALL, 900L), last().writes());
    assertEquals(1, history.moved());
  }

  @Test
  void add_regionOpenedAgainOnItsServer_countsAllSinceItWasOpened() {
    take(sample("a", "s1", ALL, 500, 700));
    take(sample("a", "s1", ALL, 3, 4));
    assertEquals(Map.of(ALL, 4L), last().writes());
    assertEquals(1, history.opened());
  }

  @Test
  void add_regionThatSplit_countsItsDaughters() {
    take(sample("a", "s1", ALL, 500, 700));
    take(sample("b", "s1", LOW, 1, 2), sample("c", "s1", HIGH, 3, 4));
    assertEquals(Map.of(LOW, 2L, HIGH, 4L), last().writes());
    assertEquals(2, history.opened());
    assertEquals(1, history.gone());
  }

  @Test
  void add_regionInTransition_isCountedWhenItIsBack() {
    take(sample("a", "s1", ALL, 500, 700));
    take();
    assertEquals(Map.of(), last().writes());
    take(sample("a", "s2", ALL, 5, 7));
    assertEquals(Map.of(ALL, 7L), last().writes());
  }

  @Test
  void add_regionSeenOnTwoServers_isTakenFromTheNewOne() {
    take(sample("a", "s1", ALL, 500, 700));
    take(sample("a", "s2", ALL, 0, 6), sample("a", "s1", ALL, 500, 710));
    assertEquals(Map.of(ALL, 6L), last().writes());
    take(sample("a", "s2", ALL, 0, 8));
    assertEquals(Map.of(ALL, 2L), last().writes());
  }

  @Test
  void add_regionAfterASilentServer_isNotTakenForNew() {
    history.add(new LoadReading(0, List.of(sample("a", "s1", LOW, 0, 0)), List.of("s2: silent")));
    take(sample("a", "s1", LOW, 0, 1), sample("b", "s2", HIGH, 0, 1_000_000));
    assertEquals(Map.of(LOW, 1L), last().writes());
    assertEquals(1, history.unknown());
    take(sample("a", "s1", LOW, 0, 1), sample("b", "s2", HIGH, 0, 1_000_005));
    assertEquals(Map.of(LOW, 0L, HIGH, 5L), last().writes());
  }

  @Test
  void add_serverSilentForAWhile_countsItAllWhenItAnswers() {
    take(sample("a", "s1", ALL, 0, 10));
    history.add(new LoadReading(1000, List.of(), List.of("s1: silent")));
    take(sample("a", "s1", ALL, 0, 25));
    assertEquals(Map.of(ALL, 15L), last().writes());
    assertEquals(0, history.unknown() + history.gone() + history.opened());
    assertEquals(1, history.silent().size());
  }

  @Test
  void add_manyReadings_sumsStayAndTimesAreWhole() {
    Random random = new Random(701);
    long[] base = {random.nextInt(100), random.nextInt(100)};
    long[] counter = base.clone();
    for (int i = 0; i < 1000; i++) {
      take(sample("a", "s1", LOW, 0, counter[0]), sample("b", "s1", HIGH, 0, counter[1]));
      if (i < 999) {
        counter[0] += random.nextInt(100);
        counter[1] += random.nextInt(100);
      }
      assertTrue(history.slices().size() <= 4);
    }
    Map<RegionRange, Long> sums = new HashMap<>();
    long expectedFrom = 0;
    for (TimeSlice slice : history.slices()) {
      assertEquals(expectedFrom, slice.fromMillis());
      expectedFrom = slice.toMillis();
      slice.writes().forEach((range, count) -> sums.merge(range, count, Long::sum));
    }
    assertEquals(999_000, expectedFrom);
    assertEquals(Map.of(LOW, counter[0] - base[0], HIGH, counter[1] - base[1]), sums);
    List<Long> lengths = new ArrayList<>();
    for (TimeSlice slice : history.slices().subList(0, history.slices().size() - 1)) {
      lengths.add(slice.toMillis() - slice.fromMillis());
    }
    assertEquals(1, lengths.stream().distinct().count(), lengths::toString);
  }

  @Test
  void grid_randomHistory_keepsSumsAndDividesEvenly() {
    Random random = new Random(702);
    for (int run = 0; run < 200; run++) {
      List<TimeSlice> slices = new ArrayList<>();
      for (int i = 0; i < 1 + random.nextInt(5); i++) {
        slices.add(randomSlice(random, i));
      }
      Grid grid = new Grid(slices);
      for (int i = 0; i < slices.size(); i++) {
        assertSpread(slices.get(i).writes(), grid.ranges(), grid.writes()[i], "run=" + run);
        assertSpread(slices.get(i).bytes(), grid.ranges(), grid.bytes()[i], "run=" + run);
      }
    }
  }

  /** Regions that cut the keys at random letters, as a table always has. */
  private static TimeSlice randomSlice(Random random, int index) {
    TimeSlice slice = new TimeSlice(index, index + 1);
    String start = "";
    for (char c = 'a'; c <= 'f'; c++) {
      if (random.nextBoolean()) {
        add(slice, range(start, String.valueOf(c)), random);
        start = String.valueOf(c);
      }
    }
    add(slice, range(start, ""), random);
    return slice;
  }

  private static void add(TimeSlice slice, RegionRange range, Random random) {
    slice.add(range, random.nextInt(50), random.nextInt(50));
    slice.setBytes(range, random.nextInt(50));
  }

  /** Naive: one after the other gets one, beginning with the first range of the region. */
  private static void assertSpread(
      Map<RegionRange, Long> counts, List<RegionRange> ranges, long[] actual, String context) {
    long[] expected = new long[ranges.size()];
    counts.forEach(
        (range, count) -> {
          List<Integer> covered = new ArrayList<>();
          for (int i = 0; i < ranges.size(); i++) {
            String from = new String(ranges.get(i).start(), StandardCharsets.US_ASCII);
            String start = new String(range.start(), StandardCharsets.US_ASCII);
            String end = new String(range.end(), StandardCharsets.US_ASCII);
            if (from.compareTo(start) >= 0 && (end.isEmpty() || from.compareTo(end) < 0)) {
              covered.add(i);
            }
          }
          for (int n = 0; n < count; n++) {
            expected[covered.get(n % covered.size())]++;
          }
        });
    assertEquals(Arrays.toString(expected), Arrays.toString(actual), context);
  }
}
