package io.rowguard.client;

import org.apache.hadoop.hbase.client.Scan;

/**
 * How much a {@link WindowScanner} reads of the old rows before it begins with the new ones.
 * Immutable.
 *
 * <p>The first window is small, as many scans end early; each that follows is larger, since to
 * begin with the new rows costs a call per bucket. A scan's caching and its result size keep all of
 * them small, as they do with what is read ahead.
 */
final class WindowSizes {
  static final int FIRST_ROWS = 1024;
  static final int MOST_ROWS = 64 * FIRST_ROWS;
  static final long FIRST_BYTES = 1L << 20;
  static final long MOST_BYTES = 8 * FIRST_BYTES;

  /** How many calls for rows, as the scan wants to have them, are a first window. */
  private static final int FIRST_CALLS = 4;

  private static final int GROWTH = 16;

  private final int rows;
  private final long bytes;
  private final int mostRows;
  private final long mostBytes;

  private WindowSizes(int rows, long bytes, int mostRows, long mostBytes) {
    this.rows = rows;
    this.bytes = bytes;
    this.mostRows = mostRows;
    this.mostBytes = mostBytes;
  }

  /**
   * The size of a scan's first window.
   *
   * @param limit the most rows of the scan; negative for no limit
   */
  static WindowSizes first(Scan scan, int limit) {
    long caching = scan.getCaching() > 0 ? scan.getCaching() : FIRST_ROWS;
    long resultSize = scan.getMaxResultSize() > 0 ? scan.getMaxResultSize() : FIRST_BYTES;
    long rows = Math.min(FIRST_ROWS, FIRST_CALLS * caching);
    long bytes = Math.min(FIRST_BYTES, FIRST_CALLS * Math.min(resultSize, FIRST_BYTES));
    return new WindowSizes(
        (int) (limit > 0 ? Math.min(limit, rows) : rows),
        bytes,
        (int) (rows * (MOST_ROWS / FIRST_ROWS)),
        bytes * (MOST_BYTES / FIRST_BYTES));
  }

  /** The size of the window after one of this size. */
  WindowSizes next() {
    return new WindowSizes(
        Math.min(mostRows, GROWTH * rows),
        Math.min(mostBytes, GROWTH * bytes),
        mostRows,
        mostBytes);
  }

  /** The most rows. */
  int rows() {
    return rows;
  }

  /** After so many bytes, in memory, a window ends, too. */
  long bytes() {
    return bytes;
  }
}
