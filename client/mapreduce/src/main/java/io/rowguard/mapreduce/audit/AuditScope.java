package io.rowguard.mapreduce.audit;

import io.rowguard.layout.RowkeyLayout;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;

/**
 * What an audit looks at: the layout, a range of rows, and how many examples it keeps of each
 * mistake. Immutable; travels to the tasks in a job's configuration.
 */
public final class AuditScope {
  // Not under rowguard.*, where TableConfig takes an unknown key for a misspelt one.
  private static final String PREFIX = "io.rowguard.audit.";
  private static final String LAYOUT = PREFIX + "layout";
  private static final String MAX_ROW_LENGTH = PREFIX + "row.max.length";
  private static final String EXAMPLES = PREFIX + "examples";

  /** Rows per RPC: a row is one cell without its value here, and two megabytes end an RPC too. */
  private static final int CACHING = 1000;

  private static final int DEFAULT_EXAMPLES = 3;

  private final RowkeyLayout layout;
  private final byte[] start;
  private final byte[] stop;
  private final int examples;

  private AuditScope(RowkeyLayout layout, byte[] start, byte[] stop, int examples) {
    this.layout = layout;
    this.start = start;
    this.stop = stop;
    this.examples = examples;
  }

  /** All rows, with three examples of each mistake. */
  public static AuditScope of(RowkeyLayout layout) {
    return new AuditScope(layout, new byte[0], new byte[0], DEFAULT_EXAMPLES);
  }

  /**
   * The same within a range.
   *
   * @param start the first row, inclusive; empty for the table's first
   * @param stop the end, exclusive; empty for the table's end
   */
  public AuditScope within(byte[] start, byte[] stop) {
    return new AuditScope(layout, start.clone(), stop.clone(), examples);
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
    return new AuditScope(layout, start, stop, examples);
  }

  /** What rows are judged by. */
  public RowkeyLayout layout() {
    return layout;
  }

  /** How many examples are kept of each mistake. */
  public int examples() {
    return examples;
  }

  /**
   * A scan that gives each row of the range once, as its first cell without the value, and leaves
   * the servers' block caches to those who read for a living.
   */
  Scan scan() {
    return new Scan()
        .withStartRow(start)
        .withStopRow(stop)
        .setCaching(CACHING)
        .setCacheBlocks(false)
        .setFilter(new FilterList(new FirstKeyOnlyFilter(), new KeyOnlyFilter()));
  }

  /** Writes what tasks need. */
  void writeTo(Configuration conf) {
    conf.set(LAYOUT, layout.toString());
    conf.setInt(MAX_ROW_LENGTH, layout.rowLengthLimit());
    conf.setInt(EXAMPLES, examples);
  }

  /** Reads what {@link #writeTo} wrote; the range is not among it. */
  static AuditScope readFrom(Configuration conf) {
    RowkeyLayout layout =
        RowkeyLayout.parse(conf.getRaw(LAYOUT))
            .withMaxRowLength(conf.getInt(MAX_ROW_LENGTH, RowkeyLayout.MAX_ROW_LENGTH));
    return of(layout).withExamples(conf.getInt(EXAMPLES, DEFAULT_EXAMPLES));
  }
}
