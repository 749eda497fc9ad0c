package io.rowguard.mapreduce;

import io.rowguard.client.SaltedTable;
import io.rowguard.config.RawConnections;
import io.rowguard.layout.RowkeyLayout;
import io.rowguard.readdressing.ReaddressedAction;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.hbase.mapreduce.TableOutputFormat;
import org.apache.hadoop.hbase.mapreduce.TsvImporterMapper;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.lib.map.WrappedMapper;

/**
 * The mapper with which HBase's {@code ImportTsv} makes HFiles for a salted table of lines that
 * have bare keys: it completes the row of each line.
 *
 * <pre>{@code
 * hbase org.apache.hadoop.hbase.mapreduce.ImportTsv \
 *     -Dimporttsv.mapper.class=io.rowguard.mapreduce.SaltedTsvMapper \
 *     -Dimporttsv.columns=HBASE_ROW_KEY,f:q -Dimporttsv.bulk.output=/files orders /lines
 * hbase completebulkload /files orders
 * }</pre>
 *
 * <p>HFiles have rows as they are stored, and are divided where regions begin, so both commands
 * need HBase's own connection: where hbase-site.xml names Rowguard's, {@code
 * -Dhbase.client.connection.impl} and {@code -Dhbase.client.async.connection.impl} give it back.
 * With Rowguard's the job fails before it reads a line. A line whose row is no bare key of the
 * table's layout is a bad line, as {@code ImportTsv} has it: counted and left out, or with {@code
 * importtsv.skip.bad.lines=false} the end of the job.
 */
public final class SaltedTsvMapper extends TsvImporterMapper {
  /** HBase's own key, which is not public, for the table that HFiles are made for. */
  private static final String FILES_FOR = "hbase.mapreduce.hfileoutputformat.table.name";

  private RowkeyLayout layout;

  /** Where writers choose the bucket, the number of the next choice. */
  private int turn;

  /** Public and without arguments, as Hadoop wants it. */
  public SaltedTsvMapper() {}

  @Override
  protected void setup(Context context) {
    super.setup(context);
    try {
      layout = layoutFor(context.getConfiguration());
      // An attempt that is made again chooses as the one before, and no two tasks begin alike.
      turn = context.getTaskAttemptID().getTaskID().getId();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static RowkeyLayout layoutFor(Configuration conf) throws IOException {
    Configuration raw = RawConnections.of(conf);
    if (raw != conf) {
      StringBuilder options = new StringBuilder();
      for (String key : RawConnections.KEYS) {
        if (!Objects.equals(conf.get(key), raw.get(key))) {
          options.append(" -D").append(key).append('=').append(raw.get(key));
        }
      }
      throw new IOException(
          "The job's connections show bare keys, but HFiles have rows as they are stored. Give the"
              + " job, and completebulkload too,"
              + options
              + "; or without importtsv.bulk.output leave this mapper out.");
    }
    String name = conf.get(FILES_FOR, conf.get(TableOutputFormat.OUTPUT_TABLE));
    if (name == null) {
      throw new IOException("The job names no table to write to. Run it through ImportTsv.");
    }
    try (Connection connection = ConnectionFactory.createConnection(conf);
        SaltedTable table = SaltedTable.open(connection, TableName.valueOf(name))) {
      if (table.isLayoutChanging()) {
        throw new IOException(
            "The layout of the table is changing, and no HFiles are loaded meanwhile. table="
                + name
                + ". Run the job when rowguard relayout has finished.");
      }
      return table.layout();
    }
  }

  @Override
  public void map(LongWritable offset, Text line, Context context) throws IOException {
    super.map(offset, line, new Completing(new WrappedMapper<>(), context));
  }

  /** Completes the row of what is written. */
  private final class Completing
      extends WrappedMapper<LongWritable, Text, ImmutableBytesWritable, Put>.Context {
    Completing(
        WrappedMapper<LongWritable, Text, ImmutableBytesWritable, Put> wrapper, Context context) {
      wrapper.super(context);
    }

    @Override
    public void write(ImmutableBytesWritable key, Put put)
        throws IOException, InterruptedException {
      byte[] bareKey = key.copyBytes();
      byte[] chosen = layout.completeIfBare(bareKey, turn++);
      byte[] row = chosen == null ? layout.complete(bareKey) : chosen;
      Mutation salted = ReaddressedAction.mutation(put, row);
      super.write(new ImmutableBytesWritable(row), (Put) salted);
    }
  }
}
