package io.rowguard.client;

import io.rowguard.layout.KeyRange;
import io.rowguard.layout.SaltBucket;
import io.rowguard.layout.SaltBuckets;
import java.io.IOException;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;

/**
 * The part of a scan of bare keys that reads one bucket: a scan of stored rows, and what its
 * results are with bare keys. Thread-safe as long as nobody changes the scan.
 */
public final class SubScan {
  private final SaltBuckets buckets;
  private final SaltBucket bucket;
  private final Scan scan;

  SubScan(SaltBuckets buckets, SaltBucket bucket, Scan scan) {
    this.buckets = buckets;
    this.bucket = bucket;
    this.scan = scan;
  }

  /** The scan of stored rows. Not to be changed. */
  public Scan scan() {
    return scan;
  }

  /**
   * The part of {@link #scan()} that lies in a range of stored rows, such as a region; null when
   * there is none.
   */
  public Scan within(KeyRange storedRows) throws IOException {
    KeyRange part = ScanPlan.rangeOf(scan).intersect(storedRows);
    return part.isEmpty() ? null : ScanPlan.withRange(new Scan(scan), part);
  }

  /**
   * A result of {@link #scan()} with its bare key and all its cells, which are copied; null when it
   * is none of this bucket.
   *
   * @param stored a result with cells
   * @param strangers counts the results whose row does not conform to the layout; those of other
   *     buckets are not counted
   */
  public Result bare(Result stored, LongAdder strangers) {
    Cell first = stored.rawCells()[0];
    byte[] row = first.getRowArray();
    byte[] bareKey = buckets.bareKeyOf(row, first.getRowOffset(), first.getRowLength());
    if (bareKey == null) {
      strangers.increment();
      return null;
    }
    return bucket.holds(row, first.getRowOffset(), first.getRowLength())
        ? BareResults.withRow(stored, bareKey)
        : null;
  }

  /** The bucket, for people. */
  @Override
  public String toString() {
    return bucket.toString();
  }
}
