package io.rowguard.mapreduce;

import io.rowguard.client.SaltedTable;
import io.rowguard.client.SubScan;
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

/** Reads the rows of one split and shows them bare. */
final class SaltedTableRecordReader extends RecordReader<ImmutableBytesWritable, Result> {
  static final String COUNTERS = "Rowguard";
  static final String NOT_CONFORMING = "ROWS_NOT_CONFORMING";

  private final LongAdder notConforming = new LongAdder();
  private Counter counter;
  private Connection connection;
  private Table table;
  private SubScan subScan;
  private ResultScanner scanner;
  private Result current;
  private boolean ended;

  @Override
  public void initialize(InputSplit split, TaskAttemptContext context) throws IOException {
    Configuration conf = HBaseConfiguration.create(context.getConfiguration());
    TableName name = SaltedTableInputFormat.tableOf(conf);
    SaltedTableSplit part = (SaltedTableSplit) split;
    counter = context.getCounter(COUNTERS, NOT_CONFORMING);
    connection = ConnectionFactory.createConnection(conf);
    table = connection.getTable(name);
    try (SaltedTable salted = SaltedTable.open(connection, name)) {
      subScan = subScanOf(part, SaltedTableInputFormat.planOf(conf, salted).subScans());
    }
    scanner = table.getScanner(part.within(new Scan(subScan.scan())));
  }

  private static SubScan subScanOf(SaltedTableSplit part, List<SubScan> subScans)
      throws IOException {
    boolean same =
        part.subScan() < subScans.size()
            && subScans.get(part.subScan()).toString().equals(part.bucket());
    if (!same) {
      throw new IOException(
          "The table's layout has changed since the job was planned; submit it again. split="
              + part);
    }
    return subScans.get(part.subScan());
  }

  @Override
  public boolean nextKeyValue() throws IOException {
    current = null;
    while (current == null && !ended) {
      Result salted = scanner.next();
      ended = salted == null;
      current = ended ? null : subScan.bare(salted, notConforming);
    }
    counter.increment(notConforming.sumThenReset());
    return current != null;
  }

  @Override
  public ImmutableBytesWritable getCurrentKey() {
    return new ImmutableBytesWritable(current.getRow());
  }

  @Override
  public Result getCurrentValue() {
    return current;
  }

  /** Nobody knows how many rows there are; as HBase's own reader says. */
  @Override
  public float getProgress() {
    return ended ? 1 : 0;
  }

  @Override
  public void close() throws IOException {
    if (scanner != null) {
      scanner.close();
    }
    if (table != null) {
      table.close();
    }
    if (connection != null) {
      connection.close();
    }
  }
}
