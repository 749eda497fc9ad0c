package io.rowguard.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OneInTest {
  private static final int TRIES = 2_000_000;

  /** Chance has no seed here: six standard deviations fail one run in some hundred millions. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 100, 1_000_000})
  void isDue_manyTries_isOneInSoMany(int count) {
    OneIn oneIn = OneIn.of(count);
    int due = 0;
    for (int i = 0; i < TRIES; i++) {
      due += oneIn.isDue() ? 1 : 0;
    }
    assertOneIn(count, due);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 100, 1_000_000})
  void next_seriesOfAnyLength_picksOneInSoMany(int count) {
    OneIn oneIn = OneIn.of(count);
    int picked = 0;
    for (int begun = 0, length = 1; begun < TRIES; begun += length, length = length % 1_000 + 1) {
      int end = Math.min(length, TRIES - begun);
      for (int i = oneIn.next(0); i < end; i = oneIn.next(i + 1)) {
        picked++;
      }
    }
    assertOneIn(count, picked);
  }

  @Test
  void next_nearTheLargestNumber_isNotBeforeIt() {
    OneIn oneIn = OneIn.of(Integer.MAX_VALUE);
    for (int from = Integer.MAX_VALUE - 1_000; from < Integer.MAX_VALUE; from++) {
      int next = oneIn.next(from);
      assertTrue(next >= from, () -> "next=" + next);
    }
  }

  private static void assertOneIn(int count, int picked) {
    double expected = (double) TRIES / count;
    double deviation = Math.sqrt(expected * (1 - 1.0 / count));
    assertEquals(expected, picked, 6 * deviation + (count > 1000 ? 10 : 0));
  }
}
