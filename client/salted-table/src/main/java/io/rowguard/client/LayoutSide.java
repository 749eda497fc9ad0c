package io.rowguard.client;

import io.rowguard.config.LayoutStamp;
import io.rowguard.layout.LayoutChange;
import io.rowguard.layout.LayoutChange.Place;
import io.rowguard.layout.RowkeyLayout;
import io.rowguard.layout.SaltBuckets;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.hbase.client.Attributes;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;

/**
 * The rows that a table has under one layout: all of them, or, while its layout changes, those of
 * the source, which rows leave, or of the target, to which they go. Immutable and thread-safe.
 *
 * <p>A row that conforms to both layouts counts to the target.
 */
final class LayoutSide {
  private final SaltBuckets buckets;

  /** Null where these are all rows of the table. */
  private final LayoutChange change;

  private final boolean isSource;

  /** Null where servers are told nothing. */
  private final LayoutStamp stamp;

  private LayoutSide(
      RowkeyLayout layout, LayoutChange change, boolean isSource, LayoutStamp stamp) {
    this.buckets = SaltBuckets.of(layout);
    this.change = change;
    this.isSource = isSource;
    this.stamp = stamp;
  }

  /** All rows of a table whose layout is given by hand: its servers are told nothing of it. */
  static LayoutSide byHand(RowkeyLayout layout) {
    return new LayoutSide(layout, null, false, null);
  }

  /** All rows of a table that declares one layout. */
  static LayoutSide only(RowkeyLayout layout, LayoutStamp stamp) {
    return new LayoutSide(layout, null, false, stamp);
  }

  /** The rows that have not moved yet. */
  static LayoutSide source(LayoutChange change, LayoutStamp stamp) {
    return new LayoutSide(change.from(), change, true, stamp);
  }

  /** The rows that have moved, those that need not move, and those that never were elsewhere. */
  static LayoutSide target(LayoutChange change, LayoutStamp stamp) {
    return new LayoutSide(change.to(), change, false, stamp);
  }

  /** The layout of the rows. */
  RowkeyLayout layout() {
    return buckets.layout();
  }

  /** The buckets of the rows under this layout. */
  SaltBuckets buckets() {
    return buckets;
  }

  /** Whether these are all rows of the table, so that one stream of them has all. */
  boolean isWhole() {
    return change == null;
  }

  /** The stamp that requests name to servers; null for none. */
  LayoutStamp stamp() {
    return stamp;
  }

  /** Whether a row of the table is on this side. */
  boolean has(byte[] row) {
    return change == null || isSource == (change.place(row) == Place.OLD);
  }

  /**
   * The bare key of {@code length} bytes from {@code offset}; null when they are no row of this
   * side.
   *
   * @param notConforming counts, for all rows and for those of the target, the rows that conform to
   *     no layout of the table
   */
  byte[] bareKeyOf(byte[] row, int offset, int length, LongAdder notConforming) {
    byte[] bareKey = buckets.bareKeyOf(row, offset, length);
    if (isSource) {
      return bareKey != null && change.place(row, offset, length) == Place.OLD ? bareKey : null;
    }
    if (bareKey == null && (change == null || change.place(row, offset, length) == Place.NONE)) {
      notConforming.increment();
    }
    return bareKey;
  }

  /** Has a Get or a Scan name the stamp. */
  <A extends Attributes> A marked(A request) {
    if (stamp != null) {
      stamp.mark(request);
    }
    return request;
  }

  /** Has a write name the stamp. */
  <R extends Row> R markedWrite(R action) {
    if (stamp != null) {
      mark(action);
    }
    return action;
  }

  private void mark(Row action) {
    if (action instanceof CheckAndMutate) {
      // It names no stamp of its own, nor do RowMutations.
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
