package io.rowguard.client;

import io.rowguard.layout.SaltBuckets;
import io.rowguard.readdressing.ReaddressedAction;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.filter.Filter;

/**
 * Makes of an action on a bare key the same action on one of its salted rows, which names the
 * layouts that it is planned with. The given action stays as it is. Immutable and thread-safe.
 */
final class SaltedActions {
  private static final String DELETE_ALONE =
      "Send the delete by itself; puts of one row may go together.";
  private static final String DELETE_ALL =
      "Delete all versions (addColumns), or give the version's timestamp.";
  private static final String READ = "Read the row by a Get.";
  private static final String DERIVE =
      "Rows that are counted, appended to or written under a condition need a salt that is derived"
          + " from the key, such as murmur3(*)%16.";

  private final LayoutSide target;
  private final LayoutSide source;
  private final FilterRules filters;
  private final boolean deriving;

  /**
   * @param source null unless the layout changes
   * @param deriving whether rows have something that bare keys lack; else every filter is right
   */
  SaltedActions(LayoutSide target, LayoutSide source, FilterRules filters, boolean deriving) {
    this.target = target;
    this.source = source;
    this.filters = filters;
    this.deriving = deriving;
  }

  /**
   * The same action on a salted row.
   *
   * @param row of the action's bare key
   * @param given a Get, a mutation, several of one row, or a conditional one
   */
  @SuppressWarnings("unchecked") // each copy is of the given action's own kind
  <R extends Row> R on(byte[] row, R given) throws IOException {
    return (R) copy(row, given);
  }

  private Row copy(byte[] row, Row given) throws IOException {
    if (target.layout().hasChoice()) {
      requireOfParts(given);
    }
    if (given instanceof Get) {
      Get get = (Get) given;
      Filter filter = filter(get.getFilter(), row);
      Get salted = target.marked(ReaddressedAction.get(get, row, filter));
      return target.layout().hasChoice() ? RowMerge.widened(salted) : salted;
    }
    if (given instanceof Mutation) {
      return target.markedWrite(ReaddressedAction.mutation((Mutation) given, row));
    }
    if (given instanceof RowMutations) {
      return target.markedWrite(ReaddressedAction.rowMutations((RowMutations) given, row));
    }
    if (given instanceof CheckAndMutate) {
      CheckAndMutate check = (CheckAndMutate) given;
      Filter filter = filter(check.getFilter(), row);
      return target.markedWrite(ReaddressedAction.checkAndMutate(check, row, filter));
    }
    throw new DoNotRetryIOException(
        "A SaltedTable does not know this kind of action. table="
            + filters.table()
            + " class="
            + given.getClass().getName());
  }

  /**
   * Returns if an action does not have to know the whole row, of which this bucket has a part.
   *
   * @throws DoNotRetryIOException when it does
   */
  private void requireOfParts(Row given) throws DoNotRetryIOException {
    List<? extends Row> mutations =
        given instanceof RowMutations
            ? ((RowMutations) given).getMutations()
            : Collections.singletonList(given);
    for (Row one : mutations) {
      if (one instanceof Delete && given != one) {
        throw ofParts(given, "deletes in several buckets are not carried out as one", DELETE_ALONE);
      }
      if (one instanceof Delete && deletesNewest((Delete) one)) {
        throw ofParts(given, "no bucket knows which of all versions is the newest", DELETE_ALL);
      }
      if (one instanceof Get
          && ((Get) one).isCheckExistenceOnly()
          && ((Get) one).getRowOffsetPerColumnFamily() > 0) {
        throw ofParts(given, "no bucket knows which cells come behind an offset", READ);
      }
      if (!(one instanceof Put || one instanceof Get || one instanceof Delete)) {
        throw ofParts(given, "no bucket knows the value that the whole row has", DERIVE);
      }
    }
  }

  private DoNotRetryIOException ofParts(Row given, String reason, String wayOut) {
    return new DoNotRetryIOException(
        "Writers choose the bucket of a row in this table, so its cells may lie in several, and "
            + reason
            + ". table="
            + filters.table()
            + " action="
            + given.getClass().getSimpleName()
            + ". "
            + wayOut
            + " Layout: "
            + target.layout());
  }

  /** Whether some cell stands for the newest version of a column, whichever it is. */
  private static boolean deletesNewest(Delete delete) {
    for (List<Cell> cells : delete.getFamilyCellMap().values()) {
      for (Cell cell : cells) {
        if (cell.getType() == Cell.Type.Delete
            && cell.getTimestamp() == HConstants.LATEST_TIMESTAMP) {
          return true;
        }
      }
    }
    return false;
  }

  /** A filter of bare keys as one for a salted row; null for none. */
  Filter filter(Filter given, byte[] row) throws DoNotRetryIOException {
    if (given == null || !deriving) {
      return given;
    }
    SaltBuckets buckets = (source != null && source.has(row) ? source : target).buckets();
    return filters.ofOneStream(buckets.bucketOfRow(row)).translate(given);
  }
}
