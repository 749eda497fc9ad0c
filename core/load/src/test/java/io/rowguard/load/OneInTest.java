package io.rowguard.load;

import static org.junit.jupiter.api.Assertions.assertEquals;

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
    double expected = (double) TRIES / count;
    double deviation = Math.sqrt(expected * (1 - 1.0 / count));
    assertEquals(expected, due, 6 * deviation + (count > 1000 ? 10 : 0));
  }
}
