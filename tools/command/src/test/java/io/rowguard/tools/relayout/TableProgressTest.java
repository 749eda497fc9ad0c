package io.rowguard.tools.relayout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.relayout.PolledRegion;
import io.rowguard.relayout.RegionProgress;
import io.rowguard.relayout.RelayoutResponse;
import io.rowguard.relayout.RelayoutResponse.Item;
import io.rowguard.relayout.RelayoutResponse.Outcome;
import java.util.List;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class TableProgressTest {
  private static final long CLOCK = 1_000_000;

  @BeforeAll
  static void stopTheClock() {
    EnvironmentEdgeManager.injectEdge(() -> CLOCK);
  }

  @AfterAll
  static void letTheClockGoOn() {
    EnvironmentEdgeManager.reset();
  }

  private static final PolledRegion SILENT = PolledRegion.failed(null, "it is down");
  private static final PolledRegion REFUSES = responded(Item.of(Outcome.REFUSED, "not now"));

  private static PolledRegion responded(Item item) {
    return PolledRegion.responded(null, RelayoutResponse.of(2, 1, true, 0, List.of(item)));
  }

  private static PolledRegion region(
      long opened, long gone, long left, boolean isCounted, long lately, long latelyMillis) {
    return responded(
        new RegionProgress(opened, gone, left, isCounted, lately, latelyMillis).toItem());
  }

  @Test
  void of_regionsThatHaveCounted_isTheirSum() {
    TableProgress progress =
        TableProgress.of(
            List.of(region(7, 300, 699, true, 60, 30_000), region(9, 0, 1, true, 0, 0)));

    assertEquals(new TableProgress(300, 700, 0, 30.0, 2, 350L, 999L, 0), progress);
  }

  /** The second region has opened ten seconds ago, and does not know what it gave away before. */
  @Test
  void of_aRegionThatOpenedLately_isAsFastAsBefore() {
    TableProgress progress =
        TableProgress.of(
            List.of(
                region(7, 300, 700, true, 300, 30_000),
                region(CLOCK - 10_000, 100, 900, true, 100, 9_000),
                region(7, 50, 0, true, 15, 25_000)));

    assertEquals(10 + 10 + 0.5, progress.rowsPerSecond());
    assertEquals(10, progress.secondsSinceOpened());
  }

  @Test
  void of_aRegionThatHasNotCountedOrDoesNotTell_hasNoShare() {
    for (PolledRegion other : List.of(region(3, 0, 5, false, 0, 0), SILENT, REFUSES)) {
      TableProgress progress =
          TableProgress.of(List.of(region(7, 300, 700, true, 60, 30_000), other));

      assertNull(progress.percent());
      assertNull(progress.secondsLeft());
      assertEquals(1, progress.uncountedRegions());
      assertEquals(300, progress.moved());
      assertEquals(progress, progress.ofAtLeast(2_000));
    }
  }

  @Test
  void of_oneRegionThatIsPaused_isPaused() {
    PolledRegion running = region(7, 300, 700, true, 60, 30_000);
    assertFalse(TableProgress.of(List.of(running, SILENT)).isPaused());
    PolledRegion paused = PolledRegion.responded(null, running.response().withPaused());

    TableProgress progress = TableProgress.of(List.of(running, paused, SILENT));

    assertTrue(progress.isPaused());
    assertEquals(1, progress.pausedRegions());
    assertEquals(600, progress.moved());
    assertEquals(1, TableProgress.of(List.of(paused)).ofAtLeast(2_000).pausedRegions());
  }

  @Test
  void of_whatIsAlmostDone_isNotAHundredPerCent() {
    assertEquals(99.9, TableProgress.of(List.of(region(1, 99_999, 1, true, 0, 0))).percent());
    assertEquals(100.0, TableProgress.of(List.of(region(1, 9, 0, true, 0, 0))).percent());
    assertEquals(100.0, TableProgress.of(List.of(region(1, 0, 0, true, 0, 0))).percent());
    assertEquals(0L, TableProgress.of(List.of(region(1, 9, 0, true, 0, 0))).secondsLeft());
    assertNull(TableProgress.of(List.of(region(1, 9, 1, true, 0, 0))).secondsLeft());
  }

  /** A region has opened anew and forgotten 250 of the 300 that it had moved. */
  @Test
  void ofAtLeast_afterARegionOpenedAnew_doesNotGoBack() {
    TableProgress before = TableProgress.of(List.of(region(1, 300, 700, true, 0, 0)));
    TableProgress anew = TableProgress.of(List.of(region(5, 50, 650, true, 10, 1_000)));

    assertEquals(
        new TableProgress(350, 650, 0, 35.0, 10, 65L, 999L, 0), anew.ofAtLeast(before.rows()));
    assertEquals(before, before.ofAtLeast(0));
  }
}
