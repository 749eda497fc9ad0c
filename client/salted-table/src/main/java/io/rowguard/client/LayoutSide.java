package io.rowguard.client;

import io.rowguard.config.LayoutVersion;
import io.rowguard.layout.LayoutChange;
import io.rowguard.layout.RowkeyLayout;
import io.rowguard.layout.SaltBuckets;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.hbase.client.Attributes;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Delete;
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
  private static final long RAW = -1;

  private final SaltBuckets buckets;
  private final RowkeyLayout other;
  private final boolean leaving;
  private final long version;

  private LayoutSide(SaltBuckets buckets, RowkeyLayout other, boolean leaving, long version) {
    this.buckets = buckets;
    this.other = other;
    this.leaving = leaving;
    this.version = version;
  }

  /** All rows of a table whose layout is given by hand: its servers are told no version. */
  static LayoutSide byHand(RowkeyLayout layout) {
    return new LayoutSide(SaltBuckets.of(layout), null, false, RAW);
  }

  /** All rows of a table that declares one layout. */
  static LayoutSide only(RowkeyLayout layout, long version) {
    return new LayoutSide(SaltBuckets.of(layout), null, false, version);
  }

  /** The rows that have not moved yet. */
  static LayoutSide leaving(LayoutChange change, long version) {
    return new LayoutSide(SaltBuckets.of(change.from()), change.to(), true, version);
  }

  /** The rows that have moved, those that need not move, and those that never were elsewhere. */
  static LayoutSide coming(LayoutChange change, long version) {
    return new LayoutSide(SaltBuckets.of(change.to()), change.from(), false, version);
  }

  /** The buckets of the rows under this layout. */
  SaltBuckets buckets() {
    return buckets;
  }

  /** Whether these are all rows of the table, so that one stream of them has all. */
  boolean isWhole() {
    return other == null;
  }

  /** Whether the servers are told which version of the layouts a request is planned with. */
  boolean isVersioned() {
    return version != RAW;
  }

  /** The version of the layouts. */
  long version() {
    return version;
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

  /** Has a Get or a Scan say which version it is planned with. */
  <A extends Attributes> A marked(A request) {
    if (version != RAW) {
      LayoutVersion.set(request, version);
    }
    return request;
  }

  /**
   * Has whatever writes say the same, where the layout has ever changed, and deletes always: what
   * else has missed the first change is refused by its row, but any row may be deleted.
   */
  <R extends Row> R markedWrite(R action) {
    if (version > 0 || (version != RAW && deletes(action))) {
      mark(action);
    }
    return action;
  }

  private static boolean deletes(Row action) {
    if (action instanceof CheckAndMutate) {
      return deletes(((CheckAndMutate) action).getAction());
    }
    return action instanceof RowMutations
        ? ((RowMutations) action).getMutations().stream().anyMatch(LayoutSide::deletes)
        : action instanceof Delete;
  }

  private void mark(Row action) {
    if (action instanceof CheckAndMutate) {
      // It has no attributes of its own, nor have RowMutations.
      mark(((CheckAndMutate) action).getAction());
    } else if (action instanceof RowMutations) {
      for (Mutation mutation : ((RowMutations) action).getMutations()) {
        LayoutVersion.set(mutation, version);
      }
    } else {
      LayoutVersion.set((Mutation) action, version);
    }
  }
}
