package io.rowguard.mapreduce;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.mapreduce.InputSplit;

/**
 * The part of one bucket in one region: the number of the sub-scan, and its range of salted rows.
 * Or, of a table whose bare keys have several rows, a range of them.
 */
final class SaltedTableSplit extends InputSplit implements Writable {
  private static final int NO_SUB_SCAN = -1;

  private int subScan;
  private String bucket = "";
  private byte[] startRow = {};
  private boolean withStartRow;
  private byte[] stopRow = {};
  private boolean withStopRow;
  private String host = "";

  /** For Hadoop, which fills it by {@link #readFields}. */
  SaltedTableSplit() {}

  /**
   * @param subScan the index of the sub-scan in its plan
   * @param bucket the bucket in words, to notice when the plan has become another
   * @param part the sub-scan in one region
   * @param host where the region is; null for on no server
   */
  SaltedTableSplit(int subScan, String bucket, Scan part, String host) {
    this.subScan = subScan;
    this.bucket = bucket;
    this.startRow = part.getStartRow();
    this.withStartRow = part.includeStartRow();
    this.stopRow = part.getStopRow();
    this.withStopRow = part.includeStopRow();
    this.host = host == null ? "" : host;
  }

  /**
   * A split that is a range of bare keys.
   *
   * @param range a scan of it
   */
  static SaltedTableSplit ofBareKeys(Scan range) {
    return new SaltedTableSplit(NO_SUB_SCAN, "bare keys", range, null);
  }

  /** Whether it is a range of bare keys, and no part of a bucket. */
  boolean isOfBareKeys() {
    return subScan == NO_SUB_SCAN;
  }

  int subScan() {
    return subScan;
  }

  String bucket() {
    return bucket;
  }

  /** Gives a scan this split's range. */
  Scan within(Scan scan) {
    return scan.withStartRow(startRow, withStartRow).withStopRow(stopRow, withStopRow);
  }

  /** Not known, as for HBase's own splits of a table without statistics. */
  @Override
  public long getLength() {
    return 0;
  }

  /**
   * The host of the region; nothing where it had none when the job was planned, nor for bare keys,
   * which are in all regions.
   */
  @Override
  public String[] getLocations() {
    return host.isEmpty() ? new String[0] : new String[] {host};
  }

  @Override
  public void write(DataOutput out) throws IOException {
    out.writeInt(subScan);
    out.writeUTF(bucket);
    Bytes.writeByteArray(out, startRow);
    out.writeBoolean(withStartRow);
    Bytes.writeByteArray(out, stopRow);
    out.writeBoolean(withStopRow);
    out.writeUTF(host);
  }

  @Override
  public void readFields(DataInput in) throws IOException {
    subScan = in.readInt();
    bucket = in.readUTF();
    startRow = Bytes.readByteArray(in);
    withStartRow = in.readBoolean();
    stopRow = Bytes.readByteArray(in);
    withStopRow = in.readBoolean();
    host = in.readUTF();
  }

  @Override
  public String toString() {
    return bucket
        + " from \""
        + Bytes.toStringBinary(startRow)
        + "\" to \""
        + Bytes.toStringBinary(stopRow)
        + "\" on "
        + (host.isEmpty() ? "no server" : host);
  }
}
