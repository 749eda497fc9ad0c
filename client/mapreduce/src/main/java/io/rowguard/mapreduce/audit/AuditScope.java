package io.rowguard.mapreduce.audit;

import io.rowguard.layout.RowkeyLayout;
import io.rowguard.relayout.KeyScan;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Scan;

/**
 * The scope of an audit: the layout, and the one that rows leave where it changes, a range of rows,
 * and how many examples it keeps of each mistake. Immutable; travels to the tasks in a job's
 * configuration.
 */
public final class AuditScope {
  // Not under rowguard.*, where TableConfig takes an unknown key for a misspelt one.
  private static final String PREFIX = "io.rowguard.audit.";
  private static final String LAYOUT = PREFIX + "layout";
  private static final String MAX_ROW_LENGTH = PREFIX + "row.max.length";
  private static final String PREVIOUS = PREFIX + "previous";
  private static final String PREVIOUS_MAX_ROW_LENGTH = PREVIOUS + ".row.max.length";
  private static final String EXAMPLES = PREFIX + "examples";

  /** Rows per RPC: a row is one cell without its value here, and two megabytes end an RPC too. */
  private static final int CACHING = 1000;

  private static final int DEFAULT_EXAMPLES = 3;

  private final RowkeyLayout layout;
  private final RowkeyLayout previous;
  private final byte[] start;
  private final byte[] stop;
  private final int examples;

  private AuditScope(
      RowkeyLayout layout, RowkeyLayout previous, byte[] start, byte[] stop, int examples) {
    this.layout = layout;
    this.previous = previous;
    this.start = start;
    this.stop = stop;
    this.examples = examples;
  }

  /** All rows, with three examples of each mistake. */
  public static AuditScope of(RowkeyLayout layout) {
    return new AuditScope(layout, null, new byte[0], new byte[0], DEFAULT_EXAMPLES);
  }

  /**
   * The same where rows are on their way to the layout: those that fit the one that they leave are
   * counted as old.
   *
   * @param previous the layout that rows leave; null for none
   */
  public AuditScope withPrevious(RowkeyLayout previous) {
    return new AuditScope(layout, previous, start, stop, examples);
  }

  /**
   * The same within a range.
   *
   * @param start the first row, inclusive; empty for the table's first
   * @param stop the end, exclusive; empty for the table's end
   */
  public AuditScope within(byte[] start, byte[] stop) {
    return new AuditScope(layout, previous, start.clone(), stop.clone(), examples);
  }

  /**
   * The same with so many examples of each mistake, 0 or more.
   *
   * @throws IllegalArgumentException when it is negative
   */
  public AuditScope withExamples(int examples) {
    if (examples < 0) {
      throw new IllegalArgumentException("The number of examples is 0 or more. found=" + examples);
    }
    return new AuditScope(layout, previous, start, stop, examples);
  }

  /** The layout by which rows are judged. */
  public RowkeyLayout layout() {
    return layout;
  }

  /** The layout that old rows fit instead; null for none. */
  public RowkeyLayout previous() {
    return previous;
  }

  /** How many examples are kept of each mistake. */
  public int examples() {
    return examples;
  }

  /** A scan for the keys of the range. */
  Scan scan() {
    return KeyScan.of(CACHING).withStartRow(start).withStopRow(stop);
  }

  /** Writes what tasks need. */
  void writeTo(Configuration conf) {
    conf.set(LAYOUT, layout.toString());
    conf.setInt(MAX_ROW_LENGTH, layout.rowLengthLimit());
    conf.setInt(EXAMPLES, examples);
    if (previous != null) {
      conf.set(PREVIOUS, previous.toString());
      conf.setInt(PREVIOUS_MAX_ROW_LENGTH, previous.rowLengthLimit());
    }
  }

  /** Reads what {@link #writeTo} wrote; the range is not among it. */
  static AuditScope readFrom(Configuration conf) {
    RowkeyLayout layout = layout(conf, LAYOUT, MAX_ROW_LENGTH);
    return of(layout)
        .withPrevious(
            conf.getRaw(PREVIOUS) == null ? null : layout(conf, PREVIOUS, PREVIOUS_MAX_ROW_LENGTH))
        .withExamples(conf.getInt(EXAMPLES, DEFAULT_EXAMPLES));
  }

  private static RowkeyLayout layout(Configuration conf, String key, String maxRowLength) {
    return RowkeyLayout.parse(conf.getRaw(key))
        .withMaxRowLength(conf.getInt(maxRowLength, RowkeyLayout.MAX_ROW_LENGTH));
  }
}
