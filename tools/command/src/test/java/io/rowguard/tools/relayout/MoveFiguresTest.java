package io.rowguard.tools.relayout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.tools.cluster.RoundedBytes;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class MoveFiguresTest {
  private static final int ROW_BYTES = 51;

  /** As servers say it: what is below a mebibyte is one. */
  private static RoundedBytes said(long bytes) {
    return RoundedBytes.ofMebibytes(Math.max(1, bytes >> 20));
  }

  private static SeenRegion region(long rows, int seen, int moving) {
    SeenRegion region = new SeenRegion(said(ROW_BYTES * rows));
    for (int i = 0; i < seen; i++) {
      region.add(1, ROW_BYTES, i < moving);
    }
    return region;
  }

  private static void assertHolds(MoveFigures figures, long truth) {
    assertTrue(Math.abs(figures.moving() - truth) <= figures.movingError(), figures.toString());
  }

  /** Five small regions that say 1 MiB each, which would be 102,800 rows; there are 60,000. */
  @Test
  void of_smallRegions_holdsTheTruthThoughSizesAreRounded() {
    List<SeenRegion> seen = new ArrayList<>();
    for (int moving : new int[] {0, 1000, 1000, 0, 558}) {
      seen.add(region(12_000, 1000, moving));
    }
    MoveFigures figures = MoveFigures.of(5, seen);
    assertHolds(figures, 30_700);
    assertHolds(figures, 51_325);
  }

  @Test
  void of_largeRegions_isOffByAsLittleAsTheirSizesLeaveOpen() {
    long rows = 2_000_000; // 97 MiB
    MoveFigures figures =
        MoveFigures.of(2, List.of(region(rows, 1000, 0), region(rows, 1000, 1000)));
    assertHolds(figures, rows);
    assertTrue(figures.movingError() < rows / 5, figures.toString());
  }

  @Test
  void of_countedRegions_isExact() {
    SeenRegion counted = region(700, 700, 300);
    counted.setCounted();
    assertEquals(
        new MoveFigures(700, 300, 0, 700L * ROW_BYTES, 300L * ROW_BYTES),
        MoveFigures.of(1, List.of(counted)));
  }

  @Test
  void ofMebibytes_always_holdsWhatTheServerRounds() {
    for (long bytes : new long[] {1, (1 << 20) - 1, 1 << 20, (2 << 20) - 1, 2 << 20, 7_654_321}) {
      RoundedBytes size = said(bytes);
      assertTrue(size.least() <= bytes && bytes <= size.most(), bytes + " " + size);
    }
    assertEquals(new RoundedBytes(0, 0), RoundedBytes.ofMebibytes(0));
  }
}
