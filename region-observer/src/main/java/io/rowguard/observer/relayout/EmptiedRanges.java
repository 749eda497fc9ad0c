package io.rowguard.observer.relayout;

import io.rowguard.relayout.EmptiedRange;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Ranges of old rows of which none is left, as their regions have told a region of new ones: no row
 * of them needs to be asked about, unless it is in a pull that has read it before it went.
 *
 * <p>It is for speed only. Ranges that touch or overlap become one, so there are about as many as
 * there are old regions between which others still have rows. Bounded: what does not fit is asked
 * about again. Thread-safe; a lookup waits for nothing.
 */
final class EmptiedRanges {
  private static final int MOST = 1_000;

  /** The ends by first rows; an empty end is that of the table. No two ranges touch. */
  private final ConcurrentSkipListMap<byte[], byte[]> ends =
      new ConcurrentSkipListMap<>(Bytes.BYTES_COMPARATOR);

  /** Whether none is known; cheap. */
  boolean isEmpty() {
    return ends.isEmpty();
  }

  /** Whether an old row is in one of the ranges. */
  boolean contains(byte[] oldRow) {
    Map.Entry<byte[], byte[]> before = ends.floorEntry(oldRow);
    return before != null && isBefore(oldRow, before.getValue());
  }

  /** Adds a range. The arrays are kept. */
  synchronized void add(EmptiedRange range) {
    byte[] from = range.from();
    byte[] to = range.to();
    Map.Entry<byte[], byte[]> before = ends.floorEntry(from);
    if (before != null && reaches(before.getValue(), from)) {
      from = before.getKey();
      to = later(to, before.getValue());
    }
    Map.Entry<byte[], byte[]> next = ends.higherEntry(from);
    boolean isApart = !ends.containsKey(from) && (next == null || !reaches(to, next.getKey()));
    if (!isBefore(from, to) || (isApart && ends.size() >= MOST)) {
      return;
    }
    // A reader in between finds each row in the new range or in an old one.
    ends.put(from, to);
    while (next != null && reaches(to, next.getKey())) {
      to = later(to, next.getValue());
      ends.put(from, to);
      ends.remove(next.getKey());
      next = ends.higherEntry(from);
    }
  }

  /** The number of ranges; for tests. */
  int size() {
    return ends.size();
  }

  private static boolean isBefore(byte[] row, byte[] end) {
    return end.length == 0 || Bytes.compareTo(row, end) < 0;
  }

  private static boolean reaches(byte[] end, byte[] row) {
    return isBefore(row, end) || Bytes.equals(row, end);
  }

  private static byte[] later(byte[] end, byte[] other) {
    return end.length == 0 || other.length == 0
        ? new byte[0]
        : Bytes.compareTo(end, other) >= 0 ? end : other;
  }
}
