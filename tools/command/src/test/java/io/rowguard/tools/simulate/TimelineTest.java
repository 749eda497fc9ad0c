package io.rowguard.tools.simulate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.api.Test;

/** Writes over time, against an array with every single one. */
class TimelineTest {
  private static final long SEED = 402;

  @Test
  void add_unknownNumberOfKeys_slotsAreSumsOfWhatWasWritten() {
    Random random = new Random(SEED);
    for (int keys : new int[] {1, 59, 60, 61, 7680, 7681, 100_000}) {
      int[] regions = random.ints(keys, 0, 3).toArray();
      Timeline timeline = new Timeline(3, 0);
      for (int i = 0; i < keys; i++) {
        timeline.add(i, regions[i]);
      }
      assertSums(timeline, regions);
    }
  }

  @Test
  void add_otherTimeline_isAsIfOneHadSeenAll() {
    Random random = new Random(SEED);
    int[] regions = random.ints(100_000, 0, 3).toArray();
    Timeline[] parts = {new Timeline(3, regions.length), new Timeline(3, regions.length)};
    for (int i = 0; i < regions.length; i++) {
      parts[random.nextInt(2)].add(i, regions[i]);
    }
    parts[0].add(parts[1]);
    assertSums(parts[0], regions);
  }

  private static void assertSums(Timeline timeline, int[] regions) {
    assertTrue(timeline.slots() <= Timeline.MOST_SLOTS);
    assertEquals(
        (regions.length + timeline.keysPerSlot() - 1) / timeline.keysPerSlot(), timeline.slots());
    long[][] expected = new long[timeline.slots()][3];
    for (int i = 0; i < regions.length; i++) {
      expected[(int) (i / timeline.keysPerSlot())][regions[i]]++;
    }
    for (int slot = 0; slot < expected.length; slot++) {
      long total = 0;
      long most = 0;
      for (int region = 0; region < 3; region++) {
        assertEquals(expected[slot][region], timeline.writes(slot, region));
        total += expected[slot][region];
        most = Math.max(most, expected[slot][region]);
      }
      assertEquals((double) most / total, timeline.hottestShare(slot), 1e-12);
      assertEquals(most, expected[slot][timeline.hottest(slot)]);
    }
  }
}
