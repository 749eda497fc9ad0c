package io.rowguard.relayout.model;

/**
 * The cells of one row in one region, as HBase stores them: two columns, each with a value at some
 * of the timestamps 1 to 7, and the newest delete marker of the row. A row is a long, so it costs
 * nothing to keep and to compare.
 *
 * <p>A marker masks every cell that is not newer, be it written before the marker or after it,
 * until a compaction purges it. What is masked is left out at once: it is never seen again, since a
 * compaction takes it along with the marker. (A masked cell that was written <i>after</i> the
 * marker can come back in HBase when the marker is purged from the files before the cell is
 * flushed. Here it is lost for good, which is the worse of the two.) Of two cells with one
 * timestamp the later one counts. Timestamp 7 is {@link #FUTURE}: no clock gets there.
 *
 * <p>Not modelled: several families, markers of single columns, the number of versions. They change
 * what a region shows of cells that it has, not where a row is.
 */
final class Row {
  static final long EMPTY = 0;
  static final int FUTURE = 7;
  static final int WIDTH = 45;

  private static final int VALUE = 3;
  private static final int COLUMN = FUTURE * VALUE;
  private static final int MARKER = 2 * COLUMN;
  private static final long CELLS = (1L << MARKER) - 1;

  private static final long LOWEST_BITS = 0111_1111_1111_1111L & CELLS;

  private Row() {}

  static long put(long row, int column, int timestamp, int value) {
    if (timestamp <= marker(row)) {
      return row;
    }
    int shift = shift(column, timestamp);
    return (row & ~(7L << shift)) | (long) value << shift;
  }

  /** The row without the cells of one timestamp. */
  static long without(long row, int timestamp) {
    return row & ~(7L << shift(0, timestamp)) & ~(7L << shift(1, timestamp));
  }

  static long delete(long row, int timestamp) {
    int marker = Math.max(marker(row), timestamp);
    long masked = (1L << (VALUE * marker)) - 1;
    return (row & CELLS & ~(masked | masked << COLUMN)) | (long) marker << MARKER;
  }

  /** The row with all that another place of it has on top, its marker too. */
  static long copy(long row, long copied) {
    long cells = cells(copied);
    long present = (cells | cells >>> 1 | cells >>> 2) & LOWEST_BITS;
    return delete((cells(row) & ~(present * 7)) | cells, Math.max(marker(row), marker(copied)));
  }

  static int marker(long row) {
    return (int) (row >>> MARKER);
  }

  /** The cells without the marker: what a major compaction leaves. */
  static long cells(long row) {
    return row & CELLS;
  }

  static boolean isEmpty(long row) {
    return cells(row) == 0;
  }

  /** The newest value of a column, 0 where there is none. */
  static int value(long row, int column) {
    int cells = (int) (row >>> (column * COLUMN)) & ((1 << COLUMN) - 1);
    if (cells == 0) {
      return 0;
    }
    int newest = (31 - Integer.numberOfLeadingZeros(cells)) / VALUE;
    return cells >>> (newest * VALUE) & 7;
  }

  /** What a Get shows: the newest values of both columns. 0 is no row. */
  static int shown(long row) {
    return value(row, 0) | value(row, 1) << VALUE;
  }

  static int shownValue(int shown, int column) {
    return shown >>> (column * VALUE) & 7;
  }

  /** The newest timestamp of a cell; 0 without one. */
  static int newest(long row) {
    return newest(row, FUTURE);
  }

  /** The newest timestamp of a cell that is not of the future; 0 without one. */
  static int newestOfThePast(long row) {
    return newest(row, FUTURE - 1);
  }

  /** Whether a marker of this row would mask one of the copied cells. */
  static boolean wouldMask(long row, long copied) {
    return cells(delete(copied, marker(row))) != cells(copied);
  }

  static String text(long row) {
    StringBuilder text = new StringBuilder("[");
    for (int column = 0; column < 2; column++) {
      for (int timestamp = 1; timestamp <= FUTURE; timestamp++) {
        int value = (int) (row >>> shift(column, timestamp)) & 7;
        if (value != 0) {
          text.append(text.length() > 1 ? " " : "").append("c").append(column + 1);
          text.append("=v").append(value).append("@").append(timestampText(timestamp));
        }
      }
    }
    if (marker(row) > 0) {
      text.append(text.length() > 1 ? " " : "").append("deleted up to @");
      text.append(timestampText(marker(row)));
    }
    return text.append("]").toString();
  }

  static String shownText(int shown) {
    if (shown == 0) {
      return "no row";
    }
    String first = shownValue(shown, 0) == 0 ? "" : "c1=v" + shownValue(shown, 0);
    String second = shownValue(shown, 1) == 0 ? "" : "c2=v" + shownValue(shown, 1);
    return first + (first.isEmpty() || second.isEmpty() ? "" : " ") + second;
  }

  static String timestampText(int timestamp) {
    return timestamp == FUTURE ? "future" : Integer.toString(timestamp);
  }

  private static int newest(long row, int from) {
    for (int timestamp = from; timestamp > 0; timestamp--) {
      if ((row >>> shift(0, timestamp) & 7) != 0 || (row >>> shift(1, timestamp) & 7) != 0) {
        return timestamp;
      }
    }
    return 0;
  }

  private static int shift(int column, int timestamp) {
    return column * COLUMN + (timestamp - 1) * VALUE;
  }
}
