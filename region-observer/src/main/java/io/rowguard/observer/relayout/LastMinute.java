package io.rowguard.observer.relayout;

import java.util.concurrent.TimeUnit;

/**
 * The number of rows that have gone in the last minute, to five seconds. Costs two arrays. Not
 * thread-safe.
 */
final class LastMinute {
  private static final int SLOTS = 12;
  private static final long SLOT_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final long[] rows = new long[SLOTS];

  /** When the first rows of each slot went; of any value where there are none. */
  private final long[] began = new long[SLOTS];

  private long latest = Long.MIN_VALUE;

  /**
   * Counts rows.
   *
   * @param nanos the time, as {@link System#nanoTime} has it; never goes back
   */
  void add(long number, long nanos) {
    int slot = slot(nanos);
    if (rows[slot] == 0) {
      began[slot] = nanos;
    }
    rows[slot] += number;
  }

  /** How many there were, up to a time. */
  long rows(long nanos) {
    slot(nanos);
    long sum = 0;
    for (long each : rows) {
      sum += each;
    }
    return sum;
  }

  /** How long before a time the first of these went, in milliseconds; 0 where there are none. */
  long millis(long nanos) {
    slot(nanos);
    long longest = 0;
    for (int i = 0; i < SLOTS; i++) {
      if (rows[i] > 0) {
        longest = Math.max(longest, nanos - began[i]);
      }
    }
    return TimeUnit.NANOSECONDS.toMillis(longest);
  }

  /** The slot of a time, after those have been emptied that are over. */
  private int slot(long nanos) {
    long now = Math.floorDiv(nanos, SLOT_NANOS);
    long first = latest == Long.MIN_VALUE ? now : Math.max(latest + 1, now - SLOTS + 1);
    for (long each = first; each <= now; each++) {
      rows[index(each)] = 0;
    }
    latest = Math.max(latest, now);
    return index(now);
  }

  private static int index(long slot) {
    return (int) Math.floorMod(slot, (long) SLOTS);
  }
}
