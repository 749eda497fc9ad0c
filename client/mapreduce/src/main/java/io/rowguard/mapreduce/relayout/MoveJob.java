package io.rowguard.mapreduce.relayout;

import io.rowguard.layout.LayoutChange;
import io.rowguard.layout.RowkeyLayout;
import io.rowguard.mapreduce.job.RegionsJob;
import io.rowguard.relayout.KeyScan;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.mapreduce.TableInputFormat;
import org.apache.hadoop.hbase.mapreduce.TableMapReduceUtil;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.lib.output.NullOutputFormat;

/**
 * Moves the rows of a table in relayout by a job with a mapper for each region. Where it runs and
 * how it ends: {@link RegionsJob}. It may be ended at any time, and there may be several. Not
 * thread-safe.
 */
public final class MoveJob implements AutoCloseable {
  /** Rows of one RPC: a row is one cell without its value here. */
  private static final int CACHING = 1000;

  // Not under rowguard.*, where TableConfig takes an unknown key for a misspelt one.
  private static final String PREFIX = "io.rowguard.move.";
  static final String FROM = PREFIX + "from";
  static final String TO = PREFIX + "to";
  static final String MAX_ROW_LENGTH = PREFIX + "row.max.length";
  static final String GENERATION = PREFIX + "generation";
  static final String ROWS_PER_SECOND = PREFIX + "rows.per.second";

  private final RegionsJob base;

  private MoveJob(RegionsJob base) {
    this.base = base;
  }

  /** The counters of mappers. */
  public enum Count {
    /** Old rows that were found. */
    FOUND,
    /** Rows that were moved. */
    MOVED,
    /** Rows that had moved otherwise meanwhile. */
    UNMOVED,
    /** Rows that could not be moved: they are found again by another job. */
    FAILED,
    /** Rows that a region refused: another job cannot move them either. */
    REFUSED
  }

  /**
   * Prepares a job.
   *
   * @param conf of the table's cluster, and of YARN where the job is to run there
   * @param generation of the relayout
   * @param anyOrder whether edits arrive from other clusters in any order
   * @param rowsPerSecond the most that one mapper moves in a second; 0 for no limit
   * @param directory where the job may have files: in this machine's file system when it runs in
   *     this process, else in one that all of the cluster has
   * @throws IOException when the directory cannot be written to
   */
  public static MoveJob of(
      Configuration conf,
      TableName table,
      LayoutChange change,
      long generation,
      boolean anyOrder,
      double rowsPerSecond,
      Path directory)
      throws IOException {
    RegionsJob base =
        RegionsJob.prepare(conf, "rowguard relayout " + table, directory, MoveJob.class);
    base.setUp(
        job -> {
          Configuration own = job.getConfiguration();
          own.set(FROM, change.from().toString());
          own.set(TO, change.to().toString());
          own.setInt(
              MAX_ROW_LENGTH,
              Math.max(change.from().rowLengthLimit(), change.to().rowLengthLimit()));
          own.setLong(GENERATION, generation);
          own.setDouble(ROWS_PER_SECOND, rowsPerSecond);
          job.setNumReduceTasks(0);
          job.setOutputFormatClass(NullOutputFormat.class);
          TableMapReduceUtil.initTableMapperJob(
              table.getNameAsString(),
              KeyScan.ofOldRows(CACHING, anyOrder),
              MoveMapper.class,
              NullWritable.class,
              NullWritable.class,
              job,
              !RegionsJob.isLocal(conf),
              /* initCredentials= */ true,
              TableInputFormat.class);
        });
    return new MoveJob(base);
  }

  static LayoutChange change(Configuration conf) {
    int longest = conf.getInt(MAX_ROW_LENGTH, RowkeyLayout.MAX_ROW_LENGTH);
    return LayoutChange.of(
        RowkeyLayout.parse(conf.getRaw(FROM)).withMaxRowLength(longest),
        RowkeyLayout.parse(conf.getRaw(TO)).withMaxRowLength(longest));
  }

  /** The job, to be submitted and waited for. */
  public RegionsJob base() {
    return base;
  }

  /** The generation of the relayout in which it moves rows. */
  public long generation() {
    return base.configuration().getLong(GENERATION, 0);
  }

  /** The mappers' count, once it is complete; 0 where that is lost, as of a failed job. */
  public long count(Count count) throws IOException {
    Counters counters = base.job().getCounters();
    return counters == null ? 0 : counters.findCounter(count).getValue();
  }

  /**
   * How often mappers have begun their scan again. Each time HBase leaves out the first row, which
   * it takes for the last one mapped ({@code TableRecordReaderImpl.nextKeyValue}); that one may
   * have moved, and then it was another.
   */
  public long restarts() throws IOException {
    Counters counters = base.job().getCounters();
    return counters == null
        ? 0
        : counters.findCounter("HBaseCounters", "NUM_SCANNER_RESTARTS").getValue();
  }

  /**
   * Ends the job if it still runs, and removes all it has made.
   *
   * @throws IOException when something cannot be removed
   */
  @Override
  public void close() throws IOException {
    base.close();
  }
}
