package io.rowguard.tools.relayout;

import java.util.ArrayDeque;
import java.util.Deque;

/** The times that the last reads took. Not thread-safe. */
final class ReadTimes {
  private static final double HIGH = 0.9;

  private final long windowNanos;
  private final Deque<long[]> reads = new ArrayDeque<>();

  /**
   * @param windowNanos how long a read counts
   */
  ReadTimes(long windowNanos) {
    this.windowNanos = windowNanos;
  }

  /** Adds a read that ends now. */
  void add(long now, long tookNanos) {
    reads.addLast(new long[] {now, tookNanos});
    prune(now);
  }

  private void prune(long now) {
    while (!reads.isEmpty() && now - reads.getFirst()[0] > windowNanos) {
      reads.removeFirst();
    }
  }

  /** How many count. */
  int count(long now) {
    prune(now);
    return reads.size();
  }

  /**
   * The time in nanoseconds that nine of ten took at most, 0 where there is none. A server that is
   * slower than the others shows here long before it does in the middle, and one slow read does
   * not.
   */
  double high(long now) {
    prune(now);
    long[] sorted = reads.stream().mapToLong(read -> read[1]).sorted().toArray();
    return sorted.length == 0 ? 0 : sorted[(int) Math.ceil(HIGH * sorted.length) - 1];
  }

  void clear() {
    reads.clear();
  }
}
