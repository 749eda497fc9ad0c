package io.rowguard.mapreduce.audit;

import io.rowguard.mapreduce.job.FailureNotes;
import java.io.IOException;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.hbase.mapreduce.TableInputFormat;
import org.apache.hadoop.hbase.mapreduce.TableMapReduceUtil;
import org.apache.hadoop.hbase.mapreduce.TableMapper;
import org.apache.hadoop.hbase.mapreduce.TableSnapshotInputFormat.TableSnapshotRegionSplit;
import org.apache.hadoop.hbase.mapreduce.TableSplit;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.mapreduce.InputSplit;

/** Judges the rows of one region; gives one tally, under the row at which reading began. */
final class AuditMapper extends TableMapper<ImmutableBytesWritable, RegionTally> {
  private AuditScope scope;
  private RegionTally tally;
  private byte[] start;

  /** For Hadoop. */
  AuditMapper() {}

  @Override
  protected void setup(Context context) throws IOException {
    scope = AuditScope.readFrom(context.getConfiguration());
    InputSplit split = context.getInputSplit();
    if (split instanceof TableSplit) {
      TableSplit part = (TableSplit) split;
      start = part.getStartRow();
      tally = new RegionTally(part.getEncodedRegionName(), start, part.getEndRow());
    } else if (split instanceof TableSnapshotRegionSplit) {
      RegionInfo region = ((TableSnapshotRegionSplit) split).getRegion();
      Scan scan =
          TableMapReduceUtil.convertStringToScan(
              context.getConfiguration().get(TableInputFormat.SCAN));
      start = later(region.getStartKey(), scan.getStartRow());
      byte[] end = earlierEnd(region.getEndKey(), scan.getStopRow());
      tally = new RegionTally(region.getEncodedName(), start, end);
    } else {
      throw new IOException("An audit reads tables or snapshots. split=" + split.getClass());
    }
  }

  private static byte[] later(byte[] a, byte[] b) {
    return Bytes.compareTo(a, b) >= 0 ? a : b;
  }

  /** The earlier of two exclusive ends; the empty one is the table's end. */
  private static byte[] earlierEnd(byte[] a, byte[] b) {
    if (a.length == 0 || b.length == 0) {
      return a.length == 0 ? b : a;
    }
    return Bytes.compareTo(a, b) <= 0 ? a : b;
  }

  @Override
  protected void map(ImmutableBytesWritable key, Result value, Context context) {
    tally.add(scope, key.get(), key.getOffset(), key.getLength());
  }

  @Override
  protected void cleanup(Context context) throws IOException, InterruptedException {
    context.write(new ImmutableBytesWritable(start), tally);
  }

  /** Leaves word of a failure, which Hadoop's local runner tells only its log. */
  @Override
  public void run(Context context) throws IOException, InterruptedException {
    FailureNotes.during(context, () -> super.run(context));
  }
}
