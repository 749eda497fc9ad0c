package io.rowguard.client;

import io.rowguard.layout.SaltBuckets;
import io.rowguard.readdressing.ReaddressedAction;
import java.io.IOException;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.filter.Filter;

/**
 * Makes of an action on a bare key the same action on one of its salted rows, which names the
 * layouts that it is planned with. The given action stays as it is. Immutable and thread-safe.
 */
final class SaltedActions {
  private final LayoutSide target;
  private final LayoutSide source;
  private final FilterRules filters;

  /**
   * @param source null unless the layout changes
   */
  SaltedActions(LayoutSide target, LayoutSide source, FilterRules filters) {
    this.target = target;
    this.source = source;
    this.filters = filters;
  }

  /**
   * The same action on a salted row.
   *
   * @param row of the action's bare key
   * @param given a Get, a mutation, several of one row, or a conditional one
   */
  @SuppressWarnings("unchecked") // each copy is of the class of HBase that the given action is of
  <R extends Row> R on(byte[] row, R given) throws IOException {
    return (R) copy(row, given);
  }

  private Row copy(byte[] row, Row given) throws IOException {
    if (given instanceof Get) {
      Get get = (Get) given;
      Filter filter = filter(get.getFilter(), get.getRow(), row);
      return target.marked(ReaddressedAction.get(get, row, filter));
    }
    if (given instanceof Mutation) {
      return target.markedWrite(ReaddressedAction.mutation((Mutation) given, row));
    }
    if (given instanceof RowMutations) {
      return target.markedWrite(ReaddressedAction.rowMutations((RowMutations) given, row));
    }
    if (given instanceof CheckAndMutate) {
      CheckAndMutate check = (CheckAndMutate) given;
      Filter filter = filter(check.getFilter(), check.getRow(), row);
      return target.markedWrite(ReaddressedAction.checkAndMutate(check, row, filter));
    }
    throw new DoNotRetryIOException(
        "A SaltedTable does not know this kind of action. table="
            + filters.table()
            + " class="
            + given.getClass().getName());
  }

  /**
   * A filter of bare keys as one for a salted row; null for none.
   *
   * @param row of that bare key
   */
  Filter filter(Filter given, byte[] bareKey, byte[] row) throws DoNotRetryIOException {
    if (given == null) {
      return null;
    }
    SaltBuckets buckets = (source != null && source.has(row) ? source : target).buckets();
    return filters.ofOneStream(buckets.bucketOf(bareKey)).translate(given);
  }
}
