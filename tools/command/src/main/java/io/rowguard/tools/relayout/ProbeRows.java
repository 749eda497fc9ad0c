package io.rowguard.tools.relayout;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Rows for probe reads: a sample of those that a run comes by, the first ones and then one in a
 * hundred. Bounded; thread-safe.
 */
final class ProbeRows {
  private static final int MOST = 1_000;
  private static final int FIRST = 200;
  private static final int ONE_IN = 100;

  private final Random random;
  private final List<byte[]> rows = new ArrayList<>();
  private long seen;

  ProbeRows(Random random) {
    this.random = random;
  }

  /** Whether a row that is come by is to be {@linkplain #add added}; cheap. */
  synchronized boolean wantsNext() {
    seen++;
    return seen <= FIRST || seen % ONE_IN == 0;
  }

  /** Adds a row, in the place of any other one where there are enough. */
  synchronized void add(byte[] row) {
    if (rows.size() < MOST) {
      rows.add(row);
    } else {
      rows.set(random.nextInt(MOST), row);
    }
  }

  /** Any of them; null while there is none. */
  synchronized byte[] next() {
    return rows.isEmpty() ? null : rows.get(random.nextInt(rows.size()));
  }
}
