package io.rowguard.model;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.layout.LayoutBoundaries;
import io.rowguard.layout.RowkeyLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The table, against the consequences of HBase's rules and a list of all rows. */
class SimulatedTableTest {
  private static final long SEED = 504;
  private static final LayoutBoundaries GROUPS =
      LayoutBoundaries.of(RowkeyLayout.parse("{group:word}|{id:digits(8)}"), "group");
  private static final int VALUE = 100;
  private static final long FLUSH_SIZE = 40_000;
  private static final long MAX_FILE_SIZE = 200_000;

  private static TableSettings settings(SplitWhen when, SplitWhere where, int servers) {
    return TableSettings.of(
        HBaseSite.empty(),
        new TableSettings.Wishes(
            when,
            where,
            where == SplitWhere.PREFIX ? 3 : null,
            where == SplitWhere.DELIMITER ? "|" : null,
            MAX_FILE_SIZE,
            FLUSH_SIZE,
            2_048,
            servers,
            VALUE));
  }

  private static byte[] row(int group, int id) {
    return String.format(Locale.ROOT, "g%02d|%08d", group, id).getBytes(StandardCharsets.US_ASCII);
  }

  private static SimulatedTable written(TableSettings settings, int rows, IntFunction<byte[]> row) {
    SimulatedTable table = new SimulatedTable(settings, GROUPS, List.of(), SEED);
    for (int i = 0; i < rows; i++) {
      table.write(i, row.apply(i), (region, server) -> {});
    }
    table.close();
    return table;
  }

  @ParameterizedTest
  @EnumSource(SplitWhere.class)
  void write_manyGroups_splitsIntoRegionsThatHoldWhatWasWritten(SplitWhere where) {
    Random random = new Random(SEED);
    List<byte[]> rows = new ArrayList<>();
    for (int i = 0; i < 20_000; i++) {
      rows.add(row(random.nextInt(90), random.nextInt(100_000_000)));
    }
    TableSettings settings = settings(SplitWhen.CONSTANT, where, 3);
    SimulatedTable table = written(settings, rows.size(), rows::get);
    List<SimulatedRegionState> regions = table.regions();
    assertTrue(regions.size() > 8, "regions=" + regions.size());
    assertEquals(table.splitTimes().size() + 1, regions.size());
    byte[] end = new byte[0];
    for (SimulatedRegionState region : regions) {
      assertArrayEquals(end, region.start());
      end = region.end();
      long real =
          rows.stream()
              .filter(row -> Arrays.compareUnsigned(row, region.start()) >= 0)
              .filter(
                  row -> region.end().length == 0 || Arrays.compareUnsigned(row, region.end()) < 0)
              .count();
      assertEquals((double) real, (double) region.rows(), 0.02 * rows.size());
      boolean cutsNoGroup =
          where == SplitWhere.MIDDLE
              || region.start().length == 0
              || Arrays.equals(
                  GROUPS.floor(Arrays.copyOf(region.start(), 4)), GROUPS.floor(row(99, 1)))
              || region.start().length <= 4;
      assertTrue(cutsNoGroup, new String(region.start(), StandardCharsets.US_ASCII));
    }
    assertEquals(0, end.length);
    assertEquals(rows.size(), regions.stream().mapToLong(SimulatedRegionState::rows).sum());
    int[] onServer = new int[3];
    regions.forEach(region -> onServer[region.server()]++);
    Arrays.sort(onServer);
    assertTrue(onServer[2] - onServer[0] <= 1, Arrays.toString(onServer));
  }

  @Test
  void write_constantSize_splitsWhenARegionIsLarger() {
    TableSettings settings = settings(SplitWhen.CONSTANT, SplitWhere.ROWGUARD, 1);
    Random random = new Random(SEED);
    SimulatedTable table =
        written(settings, 20_000, i -> row(random.nextInt(90), random.nextInt(100_000_000)));
    for (SimulatedRegionState region : table.regions()) {
      // The content of the memstore comes on top before the check, and jitter is an eighth.
      assertTrue(region.bytes() < 1.125 * MAX_FILE_SIZE + FLUSH_SIZE, "bytes=" + region.bytes());
    }
  }

  @Test
  void write_oneGroup_isStuckButCompacted() {
    TableSettings settings = settings(SplitWhen.CONSTANT, SplitWhere.ROWGUARD, 1);
    SimulatedTable table = written(settings, 10_000, i -> row(7, i));
    assertEquals(1, table.regionCount());
    SimulatedRegionState region = table.regions().get(0);
    assertTrue(region.isStuck());
    assertEquals(0, region.refusedSplits());
    assertTrue(region.files() < settings.compactions().blockingFiles());
    assertEquals(0, table.work().blockedFlushes());
  }

  /** HBASE-23620: the split that is refused comes instead of a compaction, flush after flush. */
  @Test
  void write_oneGroupUnderHBasesPrefixPolicy_isRefusedAndNotCompacted() {
    TableSettings settings = settings(SplitWhen.INCREASING, SplitWhere.PREFIX, 1);
    SimulatedTable table = written(settings, 10_000, i -> row(7, i));
    // The first region has no start key, so there it splits once, into nothing and everything.
    assertEquals(2, table.regionCount());
    assertEquals(0, table.regions().get(0).rows());
    SimulatedRegionState region = table.regions().get(1);
    assertTrue(region.isStuck());
    assertTrue(region.refusedSplits() > 10, "refused=" + region.refusedSplits());
    assertTrue(table.work().blockedFlushes() > 0, "blocked");
    assertTrue(region.files() > 5, "files=" + region.files());
  }

  @Test
  void write_disabled_neverSplits() {
    SimulatedTable table =
        written(settings(SplitWhen.DISABLED, SplitWhere.MIDDLE, 1), 10_000, i -> row(i % 90, i));
    assertEquals(1, table.regionCount());
    assertFalse(table.regions().get(0).isStuck());
    assertTrue(table.work().compactions() > 0);
  }

  @Test
  void write_steppingOnTwoServers_splitsEarlyUntilEachHasTwo() {
    // With one region on a server it splits at twice the flush size, then at the largest size.
    TableSettings settings = settings(SplitWhen.STEPPING, SplitWhere.ROWGUARD, 2);
    assertEquals(2 * FLUSH_SIZE, settings.splits().initialSize());
    Random random = new Random(SEED);
    SimulatedTable table =
        written(settings, 1_500, i -> row(random.nextInt(90), random.nextInt(100_000_000)));
    assertEquals(3, table.regionCount(), 1);
    assertTrue(table.regions().stream().allMatch(region -> region.bytes() < MAX_FILE_SIZE));
  }

  @Test
  void write_sameSeed_sameRegions() {
    TableSettings settings = settings(SplitWhen.CONSTANT, SplitWhere.ROWGUARD, 2);
    List<List<String>> starts = new ArrayList<>();
    for (int run = 0; run < 2; run++) {
      Random random = new Random(SEED);
      starts.add(
          written(settings, 20_000, i -> row(random.nextInt(90), random.nextInt(100_000_000)))
              .regions()
              .stream()
              .map(region -> new String(region.start(), StandardCharsets.US_ASCII))
              .toList());
    }
    assertEquals(starts.get(0), starts.get(1));
  }

  @Test
  void write_moreRegionsThanTheModelTakes_saysSo() {
    TableSettings settings =
        TableSettings.of(
            HBaseSite.empty(),
            new TableSettings.Wishes(
                SplitWhen.CONSTANT, SplitWhere.MIDDLE, null, null, 1L, 1L, 64, 1_000, VALUE));
    SimulationException failure =
        assertThrows(
            SimulationException.class, () -> written(settings, 1_000_000, i -> row(i % 90, i * 7)));
    assertTrue(failure.getMessage().contains("most=10000"), failure.getMessage());
  }

  /** A hundred rows a second for twenty minutes, of which a region may take forty. */
  private static SimulatedTable loaded(IntFunction<byte[]> row) {
    TableSettings settings =
        settings(SplitWhen.DISABLED, SplitWhere.ROWGUARD, 2).with(new SplitByLoad(40, 100));
    return written(settings, 120_000, row);
  }

  @Test
  void write_evenLoad_splitsUntilNoRegionHasTooMuch() {
    Random random = new Random(SEED);
    SimulatedTable table = loaded(i -> row(random.nextInt(100), i));

    assertEquals(4, table.regionCount());
    assertEquals(3, table.work().splitsByLoad());
    List<Long> times = table.splitTimes();
    // Five minutes after the start, and after the first split; a server looks twice a minute.
    assertEquals(30_000, times.get(0).doubleValue(), 3_100);
    assertEquals(times.get(0).doubleValue() + 30_000, times.get(1).doubleValue(), 6_100);
    for (SimulatedRegionState region : table.regions()) {
      assertTrue(region.start().length == 0 || GROUPS.isLegal(region.start()));
    }
  }

  @Test
  void write_loadOfOneGroup_splitsNothing() {
    SimulatedTable table = loaded(i -> row(i % 10 == 0 ? i / 10 % 100 : 7, i));
    assertEquals(1, table.regionCount());
    assertEquals(0, table.work().splitsByLoad());
  }
}
