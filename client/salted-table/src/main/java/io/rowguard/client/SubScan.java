package io.rowguard.client;

import io.rowguard.layout.KeyRange;
import io.rowguard.layout.SaltBucket;
import io.rowguard.readdressing.ReaddressedResult;
import java.io.IOException;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;

/**
 * The part of a scan of bare keys that reads one bucket: a scan of salted rows, and what its
 * results are with bare keys. Thread-safe as long as the scan stays as it is.
 */
public final class SubScan {
  private final LayoutSide side;
  private final SaltBucket bucket;
  private final Scan scan;

  SubScan(LayoutSide side, SaltBucket bucket, Scan scan) {
    this.side = side;
    this.bucket = bucket;
    this.scan = scan;
  }

  SaltBucket bucket() {
    return bucket;
  }

  /** The scan of salted rows. Not to be changed. */
  public Scan scan() {
    return scan;
  }

  /**
   * The part of {@link #scan()} that lies in a range of salted rows, such as a region; null when
   * there is none.
   *
   * @param start inclusive; empty for no bound
   * @param stop exclusive; empty for no bound
   */
  public Scan within(byte[] start, byte[] stop) throws IOException {
    KeyRange part = ScanPlan.rangeOf(scan).intersect(KeyRange.of(start, true, stop, false));
    return part.isEmpty() ? null : ScanPlan.withRange(new Scan(scan), part);
  }

  /**
   * A result of {@link #scan()} with its bare key and all its cells, which are copied; null when it
   * is none of this bucket.
   *
   * @param salted a result with cells
   * @param notConforming counts the results whose row does not conform to the layout; those of
   *     other buckets are not counted
   */
  public Result bare(Result salted, LongAdder notConforming) {
    Cell first = salted.rawCells()[0];
    byte[] row = first.getRowArray();
    byte[] bareKey = side.bareKeyOf(row, first.getRowOffset(), first.getRowLength(), notConforming);
    if (bareKey == null) {
      return null;
    }
    return bucket.holds(row, first.getRowOffset(), first.getRowLength())
        ? ReaddressedResult.of(salted, bareKey)
        : null;
  }

  /** The bucket, for people. */
  @Override
  public String toString() {
    return bucket.toString();
  }
}
