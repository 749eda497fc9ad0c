package io.rowguard.client;

import io.rowguard.layout.RowText;
import io.rowguard.layout.SaltBuckets;
import io.rowguard.readdressing.ReaddressedAction;
import java.io.IOException;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.filter.Filter;

/**
 * Makes of an action on a bare key the same action on its salted row under one layout, which says
 * with which version of the table's layouts it is planned. What is given is not changed. Immutable
 * and thread-safe.
 */
final class SaltedActions {
  private final LayoutSide side;
  private final SaltBuckets buckets;
  private final FilterRules filters;

  SaltedActions(LayoutSide side, FilterRules filters) {
    this.side = side;
    this.buckets = side.buckets();
    this.filters = filters;
  }

  /**
   * The salted row of a bare key.
   *
   * @throws DoNotRetryIOException when it is no bare key of the table's layout
   */
  byte[] row(byte[] bareKey) throws DoNotRetryIOException {
    byte[] row = buckets.layout().completeIfBare(bareKey);
    if (row == null) {
      throw new DoNotRetryIOException(refusal(bareKey));
    }
    return row;
  }

  private String refusal(byte[] row) {
    byte[] bareKey = buckets.bareKeyOf(row, 0, row.length);
    String hint =
        bareKey == null
            ? ""
            : " It is a salted row, whose bare key is \"" + RowText.abbreviated(bareKey) + "\".";
    String reason;
    try {
      buckets.layout().complete(row);
      throw new AssertionError("A row that could not be completed could be");
    } catch (IllegalArgumentException e) {
      reason = e.getMessage();
    }
    return "A SaltedTable takes bare keys. table=" + filters.table() + "." + hint + " " + reason;
  }

  Row action(Row given) throws IOException {
    if (given instanceof Get) {
      return get((Get) given);
    }
    if (given instanceof Mutation) {
      return mutation((Mutation) given);
    }
    if (given instanceof RowMutations) {
      return rowMutations((RowMutations) given);
    }
    if (given instanceof CheckAndMutate) {
      return checkAndMutate((CheckAndMutate) given);
    }
    throw new DoNotRetryIOException(
        "A SaltedTable does not know this kind of action. table="
            + filters.table()
            + " class="
            + given.getClass().getName());
  }

  Get get(Get given) throws IOException {
    byte[] row = row(given.getRow());
    return side.marked(
        ReaddressedAction.get(given, row, filter(given.getFilter(), given.getRow())));
  }

  /** The same Get, as the question whether it would give anything. */
  Get existence(Get given) throws IOException {
    return get(given).setCheckExistenceOnly(true);
  }

  /** A filter for one row, of a bare key that is known to be one. */
  Filter filter(Filter given, byte[] bareKey) throws DoNotRetryIOException {
    return given == null ? null : filters.ofOneStream(buckets.bucketOf(bareKey)).translate(given);
  }

  Put put(Put given) throws IOException {
    return (Put) mutation(given);
  }

  Delete delete(Delete given) throws IOException {
    return (Delete) mutation(given);
  }

  Append append(Append given) throws IOException {
    return (Append) mutation(given);
  }

  Increment increment(Increment given) throws IOException {
    return (Increment) mutation(given);
  }

  private Mutation mutation(Mutation given) throws IOException {
    return side.markedWrite(ReaddressedAction.mutation(given, row(given.getRow())));
  }

  RowMutations rowMutations(RowMutations given) throws IOException {
    return side.markedWrite(ReaddressedAction.rowMutations(given, row(given.getRow())));
  }

  CheckAndMutate checkAndMutate(CheckAndMutate given) throws IOException {
    byte[] row = row(given.getRow());
    return side.markedWrite(
        ReaddressedAction.checkAndMutate(given, row, filter(given.getFilter(), given.getRow())));
  }
}
