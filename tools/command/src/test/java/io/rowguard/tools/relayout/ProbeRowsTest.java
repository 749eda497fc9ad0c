package io.rowguard.tools.relayout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ProbeRowsTest {
  private final ProbeRows rows = new ProbeRows(new Random(1));

  /** Comes by rows of three bytes each, their numbers. */
  private void comeBy(int from, int to) {
    for (int i = from; i < to; i++) {
      if (rows.wantsNext()) {
        rows.add(new byte[] {(byte) (i >> 16), (byte) (i >> 8), (byte) i});
      }
    }
  }

  private Set<Integer> drawn() {
    Set<Integer> drawn = new HashSet<>();
    for (int i = 0; i < 20_000; i++) {
      byte[] row = rows.next();
      drawn.add(((row[0] & 0xFF) << 16) + ((row[1] & 0xFF) << 8) + (row[2] & 0xFF));
    }
    return drawn;
  }

  @Test
  void next_ofNone_isNull() {
    assertNull(rows.next());
  }

  @Test
  void next_ofFew_isEachOfThem() {
    comeBy(0, 150);
    assertEquals(150, drawn().size());
  }

  /** The sample is bounded, and what came later takes the places of what came first. */
  @Test
  void next_ofMany_isOfAllThatWasSeen() {
    comeBy(0, 1_000_000);
    Set<Integer> drawn = drawn();
    assertTrue(drawn.size() > 900 && drawn.size() <= 1_000, "size=" + drawn.size());
    long late = drawn.stream().filter(row -> row >= 500_000).count();
    assertTrue(late > 300, "of the second half: " + late);
    assertTrue(drawn.stream().filter(row -> row < 200).count() < 50, "of the first rows");
  }
}
