package io.rowguard.readdressing;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.function.BiFunction;
import org.apache.hadoop.hbase.Cell;
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
 * A copy of an action for another row, with everything else that it says: also what is deprecated,
 * and what a user wrote into its attributes. A caller that wants something else, such as another
 * priority, sets it in the copy.
 *
 * <p>Filters may look at rows, so they are the caller's to translate. The TTL, ACL, visibility, id,
 * isolation level and clusters of an action are attributes.
 */
public final class ReaddressedAction {
  private ReaddressedAction() {}

  /**
   * The same Get of another row.
   *
   * @param filter the one of the copy, null for none
   */
  public static Get get(Get given, byte[] row, Filter filter) throws IOException {
    TimeRange times = given.getTimeRange();
    Get moved =
        new Get(row)
            .setTimeRange(times.getMin(), times.getMax())
            .readVersions(given.getMaxVersions())
            .setMaxResultsPerColumnFamily(given.getMaxResultsPerColumnFamily())
            .setRowOffsetPerColumnFamily(given.getRowOffsetPerColumnFamily())
            .setCheckExistenceOnly(given.isCheckExistenceOnly())
            .setCacheBlocks(given.getCacheBlocks())
            .setConsistency(given.getConsistency())
            .setReplicaId(given.getReplicaId())
            .setFilter(filter)
            .setPriority(given.getPriority());
    if (given.getLoadColumnFamiliesOnDemandValue() != null) {
      moved.setLoadColumnFamiliesOnDemand(given.getLoadColumnFamiliesOnDemandValue());
    }
    for (Map.Entry<byte[], NavigableSet<byte[]>> family : given.getFamilyMap().entrySet()) {
      if (family.getValue() == null || family.getValue().isEmpty()) {
        moved.addFamily(family.getKey());
      } else {
        family.getValue().forEach(qualifier -> moved.addColumn(family.getKey(), qualifier));
      }
    }
    given
        .getColumnFamilyTimeRange()
        .forEach(
            (family, range) ->
                moved.setColumnFamilyTimeRange(family, range.getMin(), range.getMax()));
    given.getAttributesMap().forEach(moved::setAttribute);
    return moved;
  }

  /** The same mutation of another row, of the same kind; its cells keep their tags. */
  public static Mutation mutation(Mutation given, byte[] row) throws IOException {
    return mutation(given, row, ReaddressedCell::of);
  }

  /** As {@link #mutation}, but with cells as {@link ReaddressedCell#withoutTags} makes them. */
  public static Mutation withoutTags(Mutation given, byte[] row) throws IOException {
    return mutation(given, row, ReaddressedCell::withoutTags);
  }

  private static Mutation mutation(
      Mutation given, byte[] row, BiFunction<Cell, byte[], Cell> cellWithRow) throws IOException {
    long timestamp = given.getTimestamp();
    NavigableMap<byte[], List<Cell>> cells = new TreeMap<>(Bytes.BYTES_COMPARATOR);
    given
        .getFamilyCellMap()
        .forEach((family, list) -> cells.put(family, moved(list, row, cellWithRow)));
    Mutation moved;
    if (given instanceof Put) {
      moved = new Put(row, timestamp, cells);
    } else if (given instanceof Delete) {
      moved = new Delete(row, timestamp, cells);
    } else if (given instanceof Append) {
      TimeRange times = ((Append) given).getTimeRange();
      moved = new Append(row, timestamp, cells).setTimeRange(times.getMin(), times.getMax());
    } else {
      TimeRange times = ((Increment) given).getTimeRange();
      moved = new Increment(row, timestamp, cells).setTimeRange(times.getMin(), times.getMax());
    }
    given.getAttributesMap().forEach(moved::setAttribute);
    moved.setDurability(given.getDurability());
    moved.setPriority(given.getPriority());
    return moved;
  }

  private static List<Cell> moved(
      List<Cell> cells, byte[] row, BiFunction<Cell, byte[], Cell> cellWithRow) {
    List<Cell> moved = new ArrayList<>(cells.size());
    for (Cell cell : cells) {
      moved.add(cellWithRow.apply(cell, row));
    }
    return moved;
  }

  /** The same mutations, in the same order, of another row. */
  public static RowMutations rowMutations(RowMutations given, byte[] row) throws IOException {
    RowMutations moved = new RowMutations(row, given.getMutations().size());
    for (Mutation mutation : given.getMutations()) {
      moved.add(mutation(mutation, row));
    }
    return moved;
  }

  /**
   * The same conditional write, its condition and what it does, of another row.
   *
   * @param filter decides in the place of the given one's; ignored where that has none
   */
  public static CheckAndMutate checkAndMutate(CheckAndMutate given, byte[] row, Filter filter)
      throws IOException {
    CheckAndMutate.Builder moved = CheckAndMutate.newBuilder(row).timeRange(given.getTimeRange());
    if (given.hasFilter()) {
      moved.ifMatches(filter);
    } else {
      moved.ifMatches(
          given.getFamily(), given.getQualifier(), given.getCompareOp(), given.getValue());
    }
    if (given.getAction() instanceof RowMutations) {
      return moved.build(rowMutations((RowMutations) given.getAction(), row));
    }
    Row action = mutation((Mutation) given.getAction(), row);
    if (action instanceof Put) {
      return moved.build((Put) action);
    }
    if (action instanceof Delete) {
      return moved.build((Delete) action);
    }
    return action instanceof Increment
        ? moved.build((Increment) action)
        : moved.build((Append) action);
  }
}
