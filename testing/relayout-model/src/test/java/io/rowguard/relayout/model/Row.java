package io.rowguard.relayout.model;

/**
 * The cells of one row in one region, as HBase stores them: two columns, each with a value at some
 * of the timestamps 1 to 7, and two delete markers: the newest of users' deletes, and the newest
 * that a pull has left when it took the row away ({@link #leftover}). A row is a long, so it costs
 * nothing to keep and to compare.
 *
 * <p>A marker masks every cell that is not newer, be it written before the marker or after it,
 * until a compaction purges it. Masked cells are left out at once: they are never seen again, since
 * a compaction takes it along with the marker. (A masked cell that was written <i>after</i> the
 * marker can come back in HBase when the marker is purged from the files before the cell is
 * flushed. Here it is lost for good, which is the worse of the two.) Of two cells with one
 * timestamp the later one counts. Timestamps from 6 on are of the future, no clock gets there:
 * users put at 7, {@link #FUTURE}, and delete up to 6. Users put at 1, {@link #PAST}, as well.
 *
 * <p>Not modelled: several families, markers of single columns, the number of versions. They change
 * what a region shows of cells that it has, not where a row is.
 */
final class Row {
  static final long EMPTY = 0;
  static final int FUTURE = 7;
  static final int DELETED_IN_THE_FUTURE = 6;
  static final int PAST = 1;
  static final int WIDTH = 48;

  private static final int VALUE = 3;
  private static final int COLUMN = FUTURE * VALUE;
  private static final int MARKER = 2 * COLUMN;
  private static final int LEFTOVER = MARKER + VALUE;
  private static final long CELLS = (1L << MARKER) - 1;

  private static final long LOWEST_BITS = 0111_1111_1111_1111L & CELLS;

  private Row() {}

  static long put(long row, int column, int timestamp, int value) {
    if (timestamp <= Math.max(marker(row), leftover(row))) {
      return row;
    }
    int shift = shift(column, timestamp);
    return (row & ~(7L << shift)) | (long) value << shift;
  }

  /** The row without the cells of one timestamp. */
  static long without(long row, int timestamp) {
    return row & ~(7L << shift(0, timestamp)) & ~(7L << shift(1, timestamp));
  }

  /** The row after a user's delete. */
  static long delete(long row, int timestamp) {
    return masked(cells(row), Math.max(marker(row), timestamp), leftover(row));
  }

  /** The row after a pull has taken it away. */
  static long drop(long row, int timestamp) {
    return masked(cells(row), marker(row), Math.max(leftover(row), timestamp));
  }

  /** The row with all that another place of it has on top, its marker too. */
  static long copy(long row, long copied) {
    long cells = cells(copied);
    long present = (cells | cells >>> 1 | cells >>> 2) & LOWEST_BITS;
    int marker = Math.max(marker(row), marker(copied));
    return masked((cells(row) & ~(present * 7)) | cells, marker, leftover(row));
  }

  private static long masked(long cells, int marker, int leftover) {
    long masked = (1L << (VALUE * Math.max(marker, leftover))) - 1;
    return (cells & ~(masked | masked << COLUMN))
        | (long) marker << MARKER
        | (long) leftover << LEFTOVER;
  }

  /** The newest marker of users. */
  static int marker(long row) {
    return (int) (row >>> MARKER) & 7;
  }

  /** The newest marker that is no user's: a pull has left it, and it is not of the row. */
  static int leftover(long row) {
    return (int) (row >>> LEFTOVER);
  }

  /** The content of the row, which goes where the row goes: all but the leftover. */
  static long content(long row) {
    return row & ~(7L << LEFTOVER);
  }

  /** The cells without the markers: what a major compaction leaves. */
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

  /** The row as a Get shows it: the newest values of both columns. 0 is no row. */
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
    return newest(row, DELETED_IN_THE_FUTURE - 1);
  }

  /** Whether a marker of this row would mask one of the copied cells. */
  static boolean wouldMask(long row, long copied) {
    return cells(delete(copied, Math.max(marker(row), leftover(row)))) != cells(copied);
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
    if (leftover(row) > 0) {
      text.append(text.length() > 1 ? " " : "").append("left up to @");
      text.append(timestampText(leftover(row)));
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
    return timestamp == FUTURE
        ? "future"
        : timestamp == DELETED_IN_THE_FUTURE ? "near future" : Integer.toString(timestamp);
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
