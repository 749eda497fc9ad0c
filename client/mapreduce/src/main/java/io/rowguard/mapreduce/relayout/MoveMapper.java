package io.rowguard.mapreduce.relayout;

import io.rowguard.mapreduce.job.FailureNotes;
import java.io.IOException;
import java.util.Arrays;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.hbase.mapreduce.TableInputFormat;
import org.apache.hadoop.hbase.mapreduce.TableMapper;
import org.apache.hadoop.io.NullWritable;

/** Moves the old rows of one region; gives nothing but counts. */
final class MoveMapper extends TableMapper<NullWritable, NullWritable> {
  private Connection connection;
  private RowMover mover;
  private long found;

  /** For Hadoop. */
  MoveMapper() {}

  @Override
  protected void setup(Context context) throws IOException {
    Configuration conf = context.getConfiguration();
    connection = ConnectionFactory.createConnection(conf);
    mover =
        new RowMover(
            connection,
            TableName.valueOf(conf.get(TableInputFormat.INPUT_TABLE)),
            MoveJob.change(conf),
            conf.getLong(MoveJob.GENERATION, 0),
            MovePace.of(conf.getDouble(MoveJob.ROWS_PER_SECOND, 0), context::progress));
  }

  @Override
  protected void map(ImmutableBytesWritable key, Result value, Context context) throws IOException {
    int from = key.getOffset();
    if (mover.isOld(key.get(), from, key.getLength())) {
      found++;
      mover.add(Arrays.copyOfRange(key.get(), from, from + key.getLength()));
      context.progress();
    }
  }

  @Override
  protected void cleanup(Context context) throws IOException {
    try {
      mover.flush();
      context.getCounter(MoveJob.Count.FOUND).increment(found);
      context.getCounter(MoveJob.Count.MOVED).increment(mover.moved());
      context.getCounter(MoveJob.Count.UNMOVED).increment(mover.unmoved());
      context.getCounter(MoveJob.Count.FAILED).increment(mover.failed());
      context.getCounter(MoveJob.Count.REFUSED).increment(mover.refused());
      if (mover.end() != null) {
        throw new IOException("Nothing more is moved: " + mover.end() + ".");
      }
      String failure = mover.failure() != null ? mover.failure() : mover.refusal();
      if (failure != null) {
        FailureNotes.write(context, new IOException(failure));
      }
    } finally {
      mover.close();
      connection.close();
    }
  }

  /** Leaves word of a failure, which Hadoop's local runner tells only its log. */
  @Override
  public void run(Context context) throws IOException, InterruptedException {
    FailureNotes.during(context, () -> super.run(context));
  }
}
