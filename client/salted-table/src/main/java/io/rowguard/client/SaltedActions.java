package io.rowguard.client;

import io.rowguard.layout.RowText;
import io.rowguard.layout.SaltBuckets;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.TreeMap;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
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
import org.apache.hadoop.hbase.io.TimeRange;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Makes of an action on a bare key the same action on its stored row. What is given is not changed.
 * Immutable and thread-safe.
 */
final class SaltedActions {
  private final TableName table;
  private final SaltBuckets buckets;
  private final FilterRules filters;

  SaltedActions(TableName table, SaltBuckets buckets, FilterRules filters) {
    this.table = table;
    this.buckets = buckets;
    this.filters = filters;
  }

  /**
   * The stored row of a bare key.
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
            : " It is a stored row, whose bare key is \"" + RowText.abbreviated(bareKey) + "\".";
    String reason;
    try {
      buckets.layout().complete(row);
      throw new AssertionError("A row that could not be completed could be");
    } catch (IllegalArgumentException e) {
      reason = e.getMessage();
    }
    return "A SaltedTable takes bare keys. table=" + table + "." + hint + " " + reason;
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
            + table
            + " class="
            + given.getClass().getName());
  }

  List<Get> gets(List<Get> given) throws IOException {
    List<Get> stored = new ArrayList<>(given.size());
    for (Get get : given) {
      stored.add(get(get));
    }
    return stored;
  }

  Get get(Get given) throws IOException {
    TimeRange times = given.getTimeRange();
    Get stored =
        new Get(row(given.getRow()))
            .setTimeRange(times.getMin(), times.getMax())
            .readVersions(given.getMaxVersions())
            .setMaxResultsPerColumnFamily(given.getMaxResultsPerColumnFamily())
            .setRowOffsetPerColumnFamily(given.getRowOffsetPerColumnFamily())
            .setCheckExistenceOnly(given.isCheckExistenceOnly())
            .setCacheBlocks(given.getCacheBlocks())
            .setConsistency(given.getConsistency())
            .setIsolationLevel(given.getIsolationLevel())
            .setReplicaId(given.getReplicaId())
            .setFilter(filter(given.getFilter(), given.getRow()))
            .setPriority(given.getPriority());
    if (given.getLoadColumnFamiliesOnDemandValue() != null) {
      stored.setLoadColumnFamiliesOnDemand(given.getLoadColumnFamiliesOnDemandValue());
    }
    for (Map.Entry<byte[], NavigableSet<byte[]>> family : given.getFamilyMap().entrySet()) {
      if (family.getValue() == null || family.getValue().isEmpty()) {
        stored.addFamily(family.getKey());
      } else {
        family.getValue().forEach(qualifier -> stored.addColumn(family.getKey(), qualifier));
      }
    }
    given
        .getColumnFamilyTimeRange()
        .forEach(
            (family, range) ->
                stored.setColumnFamilyTimeRange(family, range.getMin(), range.getMax()));
    given.getAttributesMap().forEach(stored::setAttribute);
    return stored;
  }

  /** A filter for one row, of a bare key that is known to be one. */
  private Filter filter(Filter given, byte[] bareKey) throws DoNotRetryIOException {
    return given == null ? null : filters.ofOneStream(buckets.bucketOf(bareKey)).translate(given);
  }

  Put put(Put given) throws DoNotRetryIOException {
    byte[] row = row(given.getRow());
    return like(given, new Put(row, given.getTimestamp(), cells(given, row)));
  }

  Delete delete(Delete given) throws DoNotRetryIOException {
    byte[] row = row(given.getRow());
    return like(given, new Delete(row, given.getTimestamp(), cells(given, row)));
  }

  Append append(Append given) throws DoNotRetryIOException {
    byte[] row = row(given.getRow());
    Append stored = like(given, new Append(row, given.getTimestamp(), cells(given, row)));
    TimeRange times = given.getTimeRange();
    return stored.setTimeRange(times.getMin(), times.getMax());
  }

  Increment increment(Increment given) throws IOException {
    byte[] row = row(given.getRow());
    Increment stored = like(given, new Increment(row, given.getTimestamp(), cells(given, row)));
    TimeRange times = given.getTimeRange();
    return stored.setTimeRange(times.getMin(), times.getMax());
  }

  private Mutation mutation(Mutation given) throws IOException {
    if (given instanceof Put) {
      return put((Put) given);
    }
    if (given instanceof Delete) {
      return delete((Delete) given);
    }
    return given instanceof Append ? append((Append) given) : increment((Increment) given);
  }

  RowMutations rowMutations(RowMutations given) throws IOException {
    RowMutations stored = new RowMutations(row(given.getRow()), given.getMutations().size());
    for (Mutation mutation : given.getMutations()) {
      stored.add(mutation(mutation));
    }
    return stored;
  }

  CheckAndMutate checkAndMutate(CheckAndMutate given) throws IOException {
    CheckAndMutate.Builder stored =
        CheckAndMutate.newBuilder(row(given.getRow())).timeRange(given.getTimeRange());
    if (given.hasFilter()) {
      stored.ifMatches(filter(given.getFilter(), given.getRow()));
    } else {
      stored.ifMatches(
          given.getFamily(), given.getQualifier(), given.getCompareOp(), given.getValue());
    }
    Row action = action(given.getAction());
    if (action instanceof Put) {
      return stored.build((Put) action);
    }
    if (action instanceof Delete) {
      return stored.build((Delete) action);
    }
    if (action instanceof Increment) {
      return stored.build((Increment) action);
    }
    return action instanceof Append
        ? stored.build((Append) action)
        : stored.build((RowMutations) action);
  }

  private static NavigableMap<byte[], List<Cell>> cells(Mutation given, byte[] row) {
    NavigableMap<byte[], List<Cell>> families = new TreeMap<>(Bytes.BYTES_COMPARATOR);
    for (Map.Entry<byte[], List<Cell>> family : given.getFamilyCellMap().entrySet()) {
      List<Cell> cells = new ArrayList<>(family.getValue().size());
      for (Cell cell : family.getValue()) {
        cells.add(BareResults.withRow(cell, row));
      }
      families.put(family.getKey(), cells);
    }
    return families;
  }

  /** The TTL, ACL, visibility, id and cluster ids of a mutation are attributes. */
  private static <M extends Mutation> M like(Mutation given, M stored) {
    given.getAttributesMap().forEach(stored::setAttribute);
    stored.setDurability(given.getDurability());
    stored.setPriority(given.getPriority());
    return stored;
  }
}
