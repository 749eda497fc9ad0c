package io.rowguard.observer.relayout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.relayout.EmptiedRange;
import java.util.Random;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class EmptiedRangesTest {
  private static final int ROWS = 40;

  /** An end of the table is a row behind all. */
  private static final int END = ROWS;

  @Test
  void contains_afterEachOfManyAdds_isWhatANaiveSetSays() {
    Random random = new Random(40);
    for (int round = 0; round < 300; round++) {
      EmptiedRanges ranges = new EmptiedRanges();
      boolean[] naive = new boolean[ROWS];
      for (int i = 0; i < 12; i++) {
        int from = random.nextInt(ROWS);
        int to = random.nextInt(8) == 0 ? END : Math.min(END, from + 1 + random.nextInt(8));
        ranges.add(new EmptiedRange(row(from), to == END ? new byte[0] : row(to)));
        for (int each = from; each < to; each++) {
          naive[each] = true;
        }
        assertSame(naive, ranges);
      }
    }
  }

  private static void assertSame(boolean[] naive, EmptiedRanges ranges) {
    int apart = 0;
    for (int row = 0; row < ROWS; row++) {
      assertEquals(naive[row], ranges.contains(row(row)), "row " + row);
      apart += naive[row] && (row == 0 || !naive[row - 1]) ? 1 : 0;
    }
    assertEquals(apart, ranges.size());
  }

  @Test
  void add_ofTheWholeTable_isAllThereIs() {
    EmptiedRanges ranges = new EmptiedRanges();
    assertTrue(ranges.isEmpty());
    ranges.add(new EmptiedRange(row(3), row(5)));
    ranges.add(new EmptiedRange(new byte[0], new byte[0]));

    assertEquals(1, ranges.size());
    assertTrue(ranges.contains(new byte[0]));
    assertTrue(ranges.contains(Bytes.toBytes("zzz")));
  }

  @Test
  void add_ofAnEmptyRange_isNone() {
    EmptiedRanges ranges = new EmptiedRanges();
    ranges.add(new EmptiedRange(row(3), row(3)));
    ranges.add(new EmptiedRange(row(4), row(3)));

    assertTrue(ranges.isEmpty());
  }

  @Test
  void add_ofMoreThanTheMost_isForgotten_butMakesOthersLonger() {
    EmptiedRanges ranges = new EmptiedRanges();
    for (int i = 0; i < 1_000; i++) {
      ranges.add(new EmptiedRange(row(2 * i), row(2 * i + 1)));
    }
    assertEquals(1_000, ranges.size());

    ranges.add(new EmptiedRange(row(2_000), row(2_001)));
    assertFalse(ranges.contains(row(2_000)));

    ranges.add(new EmptiedRange(row(1_999), row(2_001)));
    assertTrue(ranges.contains(row(2_000)));
    assertEquals(1_000, ranges.size());

    ranges.add(new EmptiedRange(new byte[0], row(3)));
    assertTrue(ranges.contains(row(1)));
    assertEquals(999, ranges.size());
  }

  private static byte[] row(int number) {
    return Bytes.toBytes(String.format("%04d", number));
  }
}
