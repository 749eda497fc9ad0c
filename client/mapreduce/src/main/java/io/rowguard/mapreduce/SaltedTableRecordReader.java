package io.rowguard.mapreduce;

import io.rowguard.client.SaltedTable;
import io.rowguard.client.SubScan;
import io.rowguard.config.RawConnections;
import io.rowguard.config.StaleLayoutException;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.mapreduce.Counter;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;

/**
 * Reads the rows of one split and shows them bare: those of a bucket from the salted table, those
 * of a range of bare keys from the {@link SaltedTable}.
 */
final class SaltedTableRecordReader extends RecordReader<ImmutableBytesWritable, Result> {
  static final String COUNTERS = "Rowguard";
  static final String NOT_CONFORMING = "ROWS_NOT_CONFORMING";

  private final LongAdder notConforming = new LongAdder();
  private Counter counter;
  private Connection connection;
  private Table table;
  // Null where a range of bare keys is read.
  private SubScan subScan;
  private SaltedTableSplit part;
  private ResultScanner scanner;
  private Result current;
  private boolean ended;

  @Override
  public void initialize(InputSplit split, TaskAttemptContext context) throws IOException {
    Configuration conf = RawConnections.of(HBaseConfiguration.create(context.getConfiguration()));
    TableName name = SaltedTableInputFormat.tableOf(conf);
    part = (SaltedTableSplit) split;
    counter = context.getCounter(COUNTERS, NOT_CONFORMING);
    connection = ConnectionFactory.createConnection(conf);
    if (part.isOfBareKeys()) {
      SaltedTable salted = SaltedTable.open(connection, name);
      table = salted;
      scanner = salted.getScanner(part.within(SaltedTableInputFormat.scanOf(conf, salted)));
      return;
    }
    table = connection.getTable(name);
    try (SaltedTable salted = SaltedTable.open(connection, name)) {
      subScan = subScanOf(conf, salted);
    }
    scanner = table.getScanner(part.within(new Scan(subScan.scan())));
  }

  private SubScan subScanOf(Configuration conf, SaltedTable salted) throws IOException {
    if (SaltedTableInputFormat.isReadByRanges(salted)) {
      throw changed(null);
    }
    List<SubScan> subScans = SaltedTableInputFormat.planOf(conf, salted).subScans();
    boolean same =
        part.subScan() < subScans.size()
            && subScans.get(part.subScan()).toString().equals(part.bucket());
    if (!same) {
      throw changed(null);
    }
    return subScans.get(part.subScan());
  }

  private IOException changed(IOException cause) {
    return new IOException(
        "The table's layout has changed since the job was planned; submit it again. split=" + part,
        cause);
  }

  @Override
  public boolean nextKeyValue() throws IOException {
    if (part.isOfBareKeys()) {
      current = scanner.next();
      ended = current == null;
    } else {
      nextOfBucket();
    }
    return current != null;
  }

  private void nextOfBucket() throws IOException {
    current = null;
    while (current == null && !ended) {
      Result salted = nextSalted();
      ended = salted == null;
      current = ended ? null : subScan.bare(salted, notConforming);
    }
    counter.increment(notConforming.sumThenReset());
  }

  private Result nextSalted() throws IOException {
    try {
      return scanner.next();
    } catch (IOException e) {
      for (Throwable cause = e; cause != null; cause = cause.getCause()) {
        if (cause instanceof StaleLayoutException) {
          throw changed(e);
        }
      }
      throw e;
    }
  }

  @Override
  public ImmutableBytesWritable getCurrentKey() {
    return new ImmutableBytesWritable(current.getRow());
  }

  @Override
  public Result getCurrentValue() {
    return current;
  }

  /** The number of rows is not known, as HBase's own reader says. */
  @Override
  public float getProgress() {
    return ended ? 1 : 0;
  }

  @Override
  public void close() throws IOException {
    if (scanner != null) {
      scanner.close();
      if (part.isOfBareKeys()) {
        counter.increment(((SaltedTable) table).notConforming());
      }
    }
    if (table != null) {
      table.close();
    }
    if (connection != null) {
      connection.close();
    }
  }
}
