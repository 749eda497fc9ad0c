package io.rowguard.client;

import io.rowguard.layout.KeyRange;
import io.rowguard.layout.SaltBucket;
import io.rowguard.layout.SaltBuckets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hbase.client.Result;

/**
 * The buckets of a scan that have not been asked yet. It tells which of them could hold a row in
 * front of a known one. For one thread.
 *
 * <p>Where the keys begin with the source of the salt, no other bucket can: all rows between
 * alice's third item and her seventh are in alice's bucket. A scan that ends among them asks no
 * other.
 *
 * <p>Where writers choose the bucket, those with another part of a row count as well as those with
 * a row in front of it.
 */
final class PendingBuckets {
  private final SaltBuckets buckets;
  private final boolean reversed;
  private final boolean wholeRows;
  private final int count;
  private final List<BucketScan> pending;
  // No pending bucket has a row in front of it.
  private KeyRange left;

  /**
   * @param range of the scan
   * @param all its buckets
   */
  PendingBuckets(SaltBuckets buckets, KeyRange range, boolean reversed, List<BucketScan> all) {
    this.buckets = buckets;
    this.reversed = reversed;
    this.wholeRows = !buckets.layout().hasChoice();
    this.count = all.size();
    this.pending = new ArrayList<>(all);
    this.left = range;
  }

  boolean isEmpty() {
    return pending.isEmpty();
  }

  /**
   * Takes out the buckets to ask first: those of the rows that begin as the range does, where those
   * are not all of them and the rows may be several; else all.
   */
  List<BucketScan> takeFirst() {
    byte[] start = reversed ? left.upper() : left.lower();
    // A whole key has one row only, and to ask for that alone first would be in vain.
    boolean whole = start.length > 0 && buckets.layout().completeIfBare(start) != null;
    byte[] prefix = whole ? Arrays.copyOf(start, start.length - 1) : start;
    List<BucketScan> some = in(left.intersect(KeyRange.ofPrefix(prefix)));
    return taken(some.isEmpty() ? new ArrayList<>(pending) : some);
  }

  /** Takes out the buckets that are left. */
  List<BucketScan> takeAll() {
    return taken(new ArrayList<>(pending));
  }

  /**
   * Takes out the buckets that could have a row in front of {@code next}, which is the next one of
   * all others; none when it may be given.
   *
   * @param last the last row of which it is known that it comes from the same bucket
   */
  List<BucketScan> takeThoseBefore(Result next, Result last) {
    byte[] row = next.getRow();
    if (inFrontOf(row).isEmpty()) {
      return new ArrayList<>();
    }
    // For many rows at once, where that is possible: to ask for each would take too long.
    byte[] lastRow = last.getRow();
    if (in(inFrontOf(lastRow)).isEmpty()) {
      left = from(lastRow);
      return new ArrayList<>();
    }
    List<BucketScan> before = in(inFrontOf(row));
    if (before.isEmpty()) {
      left = from(row);
    }
    return taken(before);
  }

  /** Whether none of them has a row in front of this one, as far as that is known already. */
  boolean areBehind(Result result) {
    return isEmpty() || inFrontOf(result.getRow()).isEmpty();
  }

  private KeyRange inFrontOf(byte[] row) {
    return reversed
        ? KeyRange.of(row, !wholeRows, left.upper(), left.isUpperInclusive())
        : KeyRange.of(left.lower(), left.isLowerInclusive(), row, !wholeRows);
  }

  private KeyRange from(byte[] row) {
    return reversed
        ? KeyRange.of(left.lower(), left.isLowerInclusive(), row, true)
        : KeyRange.of(row, true, left.upper(), left.isUpperInclusive());
  }

  private List<BucketScan> taken(List<BucketScan> some) {
    pending.removeAll(some);
    return some;
  }

  /** The pending buckets that some row of a range can be in. */
  private List<BucketScan> in(KeyRange range) {
    List<BucketScan> in = new ArrayList<>();
    if (range.isEmpty()) {
      return in;
    }
    if (buckets.count(range) >= count) {
      in.addAll(pending);
      return in;
    }
    Set<SaltBucket> possible = new HashSet<>(buckets.of(range));
    for (BucketScan bucket : pending) {
      if (possible.contains(bucket.bucket())) {
        in.add(bucket);
      }
    }
    return in;
  }
}
