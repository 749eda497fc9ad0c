package io.rowguard.client;

/** Counts the rows of a scan up to its limit. For one thread. */
final class RowLimit {
  private final long most;
  // More than an int holds: a scan without limit may run for weeks.
  private long rows;

  /**
   * @param limit the most rows, 0 or more; negative for no limit
   */
  RowLimit(int limit) {
    this(limit, 0);
  }

  /**
   * @param rows how many there have been already
   */
  RowLimit(int limit, long rows) {
    this.most = limit < 0 ? Long.MAX_VALUE : limit;
    this.rows = rows;
  }

  /** Counts another row, if the limit lets it in. */
  boolean admitsAnother() {
    if (isReached()) {
      return false;
    }
    rows++;
    return true;
  }

  /** How many there have been. */
  long rows() {
    return rows;
  }

  /** Whether there can be no other row. */
  boolean isReached() {
    return rows >= most;
  }
}
