package io.rowguard.mapreduce.digest;

import io.rowguard.mapreduce.job.FailureNotes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.hbase.mapreduce.TableMapper;

/** Digests the rows of one range of bare keys; gives its part of the ranges. */
final class DigestMapper extends TableMapper<ImmutableBytesWritable, LeveledDigest> {
  private final MessageDigest md5;
  private final ByteBuffer number = ByteBuffer.allocate(Long.BYTES);
  private RangeDigests digests;
  private boolean hasTimestamps;

  /** For Hadoop. */
  DigestMapper() throws NoSuchAlgorithmException {
    md5 = MessageDigest.getInstance("MD5");
  }

  @Override
  protected void setup(Context context) {
    digests = new RangeDigests(context.getConfiguration().getInt(DigestJob.RANGES, 1));
    hasTimestamps = context.getConfiguration().getBoolean(DigestJob.TIMESTAMPS, true);
  }

  @Override
  protected void map(ImmutableBytesWritable key, Result row, Context context) {
    byte[] bare = key.copyBytes();
    CellsDigest digest = digests.at(bare);
    digest.addRow();
    for (Cell cell : row.rawCells()) {
      digest.addCell(digestOf(bare, cell));
    }
  }

  /** Of what a client sees; each part with its length, so that no two cells give the same bytes. */
  private byte[] digestOf(byte[] bare, Cell cell) {
    add(bare, 0, bare.length);
    add(cell.getFamilyArray(), cell.getFamilyOffset(), cell.getFamilyLength());
    add(cell.getQualifierArray(), cell.getQualifierOffset(), cell.getQualifierLength());
    add(cell.getValueArray(), cell.getValueOffset(), cell.getValueLength());
    if (hasTimestamps) {
      add(cell.getTimestamp());
    }
    return md5.digest();
  }

  private void add(byte[] bytes, int offset, int length) {
    add(length);
    md5.update(bytes, offset, length);
  }

  private void add(long value) {
    number.putLong(0, value);
    md5.update(number.array());
  }

  @Override
  protected void cleanup(Context context) throws IOException, InterruptedException {
    for (RangeDigests.Range range : digests.ranges()) {
      context.write(
          new ImmutableBytesWritable(range.start()),
          new LeveledDigest(digests.level(), range.digest()));
    }
  }

  /** Leaves word of a failure, which Hadoop's local runner tells only its log. */
  @Override
  public void run(Context context) throws IOException, InterruptedException {
    FailureNotes.during(context, () -> super.run(context));
  }
}
