package io.rowguard.client;

import io.rowguard.config.LayoutStamp;
import io.rowguard.layout.LayoutChange;
import io.rowguard.layout.RowkeyLayout;
import io.rowguard.layout.SaltBuckets;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.hbase.client.Attributes;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;

/**
 * The rows that a table has under one layout: all of them, or, while its layout changes, those that
 * stand under the old one or under the new one. Immutable and thread-safe.
 *
 * <p>A row that conforms to both layouts counts to the new side.
 */
final class LayoutSide {
  private final SaltBuckets buckets;
  private final RowkeyLayout other;
  private final boolean leaving;

  /** Null where servers are told nothing. */
  private final LayoutStamp stamp;

  private LayoutSide(SaltBuckets buckets, RowkeyLayout other, boolean leaving, LayoutStamp stamp) {
    this.buckets = buckets;
    this.other = other;
    this.leaving = leaving;
    this.stamp = stamp;
  }

  /** All rows of a table whose layout is given by hand: its servers are told nothing of it. */
  static LayoutSide byHand(RowkeyLayout layout) {
    return new LayoutSide(SaltBuckets.of(layout), null, false, null);
  }

  /** All rows of a table that declares one layout. */
  static LayoutSide only(RowkeyLayout layout, LayoutStamp stamp) {
    return new LayoutSide(SaltBuckets.of(layout), null, false, stamp);
  }

  /** The rows that have not moved yet. */
  static LayoutSide leaving(LayoutChange change, LayoutStamp stamp) {
    return new LayoutSide(SaltBuckets.of(change.from()), change.to(), true, stamp);
  }

  /** The rows that have moved, those that need not move, and those that never were elsewhere. */
  static LayoutSide coming(LayoutChange change, LayoutStamp stamp) {
    return new LayoutSide(SaltBuckets.of(change.to()), change.from(), false, stamp);
  }

  /** The buckets of the rows under this layout. */
  SaltBuckets buckets() {
    return buckets;
  }

  /** Whether these are all rows of the table, so that one stream of them has all. */
  boolean isWhole() {
    return other == null;
  }

  /** The stamp that requests name to servers; null for none. */
  LayoutStamp stamp() {
    return stamp;
  }

  /**
   * The bare key of {@code length} bytes from {@code offset}; null when they are no row of this
   * side.
   *
   * @param notConforming counts the rows that conform to no layout of the table, of both sides this
   *     one if rows come to it
   */
  byte[] bareKeyOf(byte[] row, int offset, int length, LongAdder notConforming) {
    byte[] bareKey = buckets.bareKeyOf(row, offset, length);
    if (bareKey == null) {
      if (!leaving && (other == null || !other.check(row, offset, length).conforms())) {
        notConforming.increment();
      }
      return null;
    }
    return leaving && other.check(row, offset, length).conforms() ? null : bareKey;
  }

  /** Has a Get or a Scan say what it is planned with. */
  <A extends Attributes> A marked(A request) {
    if (stamp != null) {
      stamp.mark(request);
    }
    return request;
  }

  /** Has whatever writes say the same. */
  <R extends Row> R markedWrite(R action) {
    if (stamp != null) {
      mark(action);
    }
    return action;
  }

  private void mark(Row action) {
    if (action instanceof CheckAndMutate) {
      // It has no attributes of its own, nor have RowMutations.
      mark(((CheckAndMutate) action).getAction());
    } else if (action instanceof RowMutations) {
      for (Mutation mutation : ((RowMutations) action).getMutations()) {
        stamp.mark(mutation);
      }
    } else {
      stamp.mark((Mutation) action);
    }
  }
}
