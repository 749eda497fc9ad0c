package io.rowguard.client;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Scan;

/**
 * How much of a bucket is fetched at once. Immutable.
 *
 * <p>A scan's first piece of each bucket is small, since its first row waits for the first pieces
 * of all buckets, and many scans read few rows: {@link #FIRST_ROWS_OF_ALL} rows together serve a
 * range of half as many with one call per bucket.
 */
final class PieceSizes {
  /** The bytes that all buckets read ahead together. */
  static final long BYTES_OF_ALL = 16L << 20;

  /** Smaller pieces cost more in calls than they save in memory. */
  static final long LEAST_BYTES = 64L << 10;

  /** How many rows the first pieces of all buckets have together. */
  static final int FIRST_ROWS_OF_ALL = 2048;

  /** A call costs as much as some hundred rows. */
  static final int LEAST_FIRST_ROWS = 16;

  /**
   * How many bytes the first pieces of all buckets have together: HBase's own default of a call.
   */
  static final long FIRST_BYTES_OF_ALL = 2L << 20;

  private final int rows;
  private final int firstRows;
  private final long bytes;
  private final long firstBytes;

  private PieceSizes(int rows, int firstRows, long bytes, long firstBytes) {
    this.rows = rows;
    this.firstRows = firstRows;
    this.bytes = bytes;
    this.firstBytes = firstBytes;
  }

  /**
   * The sizes for a scan of so many buckets, one or more.
   *
   * @param conf of the table
   */
  static PieceSizes of(Configuration conf, Scan scan, int buckets) {
    int caching = scan.getCaching();
    if (caching <= 0) {
      caching =
          conf.getInt(
              HConstants.HBASE_CLIENT_SCANNER_CACHING,
              HConstants.DEFAULT_HBASE_CLIENT_SCANNER_CACHING);
    }
    long most = scan.getMaxResultSize();
    if (most <= 0) {
      most =
          conf.getLong(
              HConstants.HBASE_CLIENT_SCANNER_MAX_RESULT_SIZE_KEY,
              HConstants.DEFAULT_HBASE_CLIENT_SCANNER_MAX_RESULT_SIZE);
    }
    long bytes = share(most, BYTES_OF_ALL / 2, buckets);
    // Alone, nothing is fetched ahead and nothing waits for others. Where a row may come in several
    // results there is no limit, which is what makes a first piece small; see ScanPlan.
    if (buckets == 1 || !ScanPlan.rowsInOne(scan)) {
      int rows = buckets == 1 ? caching : half(caching);
      return new PieceSizes(rows, rows, bytes, bytes);
    }
    int firstRows = Math.max(LEAST_FIRST_ROWS, FIRST_ROWS_OF_ALL / buckets);
    return new PieceSizes(
        half(caching),
        Math.min(half(caching), firstRows),
        bytes,
        share(most, FIRST_BYTES_OF_ALL, buckets));
  }

  /** Two pieces of a bucket are in memory, where there are several. */
  private static int half(int caching) {
    return caching / 2 + caching % 2;
  }

  private static long share(long most, long ofAll, int buckets) {
    return Math.max(1, Math.min(most, Math.max(LEAST_BYTES, ofAll / buckets)));
  }

  /** These sizes for a scan that goes on with another one: its first pieces are as large as all. */
  PieceSizes goingOn() {
    return new PieceSizes(rows, rows, bytes, bytes);
  }

  /** The most rows of the first piece; not more than {@link #rows}. */
  int firstRows() {
    return firstRows;
  }

  /** After so many bytes the first piece ends, too. */
  long firstBytes() {
    return firstBytes;
  }

  /** The most rows of a later piece. */
  int rows() {
    return rows;
  }

  /** After so many bytes a later piece ends, too. */
  long bytes() {
    return bytes;
  }
}
