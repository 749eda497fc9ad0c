package io.rowguard.observer.relayout;

import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * New rows of a region's instance that are known to be pulled: nothing of them is at their old rows
 * and nothing will come there as long as the instance lives. Thread-safe.
 *
 * <p>It is for speed only. A forgotten row is asked for again, so it is bounded, to about what
 * HBase spends on an empty region (2 MB, 140 bytes a row besides the row itself): a server may have
 * hundreds of them. Those that were not asked about for the longest time go first.
 */
final class PulledRows {
  private static final int MOST_ROWS = 8_192;
  private static final long MOST_BYTES = 1L << 20;

  private final LinkedHashMap<ByteBuffer, Boolean> rows = new LinkedHashMap<>(16, 0.75f, true);
  private final int mostRows;
  private final long mostBytes;
  private long bytes;

  PulledRows() {
    this(MOST_ROWS, MOST_BYTES);
  }

  /**
   * @param mostBytes of the rows themselves
   */
  PulledRows(int mostRows, long mostBytes) {
    this.mostRows = mostRows;
    this.mostBytes = mostBytes;
  }

  /** Whether a row is known to be pulled. */
  synchronized boolean contains(byte[] row) {
    return rows.get(ByteBuffer.wrap(row)) != null;
  }

  /** Remembers rows. The arrays are kept. */
  synchronized void add(List<byte[]> pulled) {
    for (byte[] row : pulled) {
      if (rows.put(ByteBuffer.wrap(row), Boolean.TRUE) == null) {
        bytes += row.length;
      }
    }
    while (rows.size() > mostRows || (bytes > mostBytes && rows.size() > 1)) {
      Map.Entry<ByteBuffer, Boolean> eldest = rows.entrySet().iterator().next();
      bytes -= eldest.getKey().remaining();
      rows.remove(eldest.getKey());
    }
  }

  /** The number of rows remembered; for tests. */
  synchronized int size() {
    return rows.size();
  }
}
