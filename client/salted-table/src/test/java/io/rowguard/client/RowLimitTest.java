package io.rowguard.client;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RowLimitTest {
  /** At the ends of what an int and what an unsigned int counts. */
  @ParameterizedTest
  @ValueSource(longs = {0, Integer.MAX_VALUE - 1L, (1L << 32) - 3, (1L << 40) - 3})
  void admitsAnother_noLimit_alwaysDoes(long rowsBefore) {
    RowLimit none = new RowLimit(-1, rowsBefore);
    for (int i = 0; i < 5; i++) {
      assertFalse(none.isReached(), "rows=" + (rowsBefore + i));
      assertTrue(none.admitsAnother(), "rows=" + (rowsBefore + i));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 3})
  void admitsAnother_limit_doesSoOften(int limit) {
    RowLimit rows = new RowLimit(limit);
    for (int i = 0; i < limit; i++) {
      assertFalse(rows.isReached());
      assertTrue(rows.admitsAnother());
    }
    assertTrue(rows.isReached());
    assertFalse(rows.admitsAnother());
  }

  @Test
  void admitsAnother_largestLimit_endsThere() {
    RowLimit rows = new RowLimit(Integer.MAX_VALUE, Integer.MAX_VALUE - 1L);
    assertTrue(rows.admitsAnother());
    assertFalse(rows.admitsAnother());
  }
}
