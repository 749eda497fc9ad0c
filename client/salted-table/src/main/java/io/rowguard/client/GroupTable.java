package io.rowguard.client;

import io.rowguard.config.Guards;
import io.rowguard.config.RowguardKey;
import io.rowguard.config.TableConfig;
import io.rowguard.layout.EntityGroup;
import io.rowguard.layout.KeyRange;
import io.rowguard.layout.RowText;
import java.io.IOException;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;

/**
 * A table with entity groups: its stored rows, and the layouts by which bare keys become them. As
 * thread-safe as the table.
 */
final class GroupTable {
  private static final String MERGE =
      "Merge the regions (rowguard doctor names them), and declare the split policy "
          + Guards.POLICY
          + ".";

  private final Table table;
  private final LayoutCache layouts;
  private final LayoutCalls calls;

  /**
   * @param table of stored rows
   */
  GroupTable(Table table, LayoutCache layouts) {
    this.table = table;
    this.layouts = layouts;
    this.calls = new LayoutCalls(layouts, this::operationTimeout);
  }

  /** The groups of a table that is given as HBase's own; reads its descriptor. */
  static GroupTable over(Table table) throws IOException {
    FilterRules filters = new FilterRules(table.getName(), Collections.emptySet());
    LayoutCache.Declaration declaration =
        () -> {
          TableConfig config =
              TableConfig.ofClient(table.getDescriptor(), table.getConfiguration());
          return TableLayouts.declared(
              requireLayout(config, table.getName()), config.scanMaxBuckets(), filters);
        };
    return new GroupTable(
        table, new LayoutCache(declaration.read(), declaration, FetchThreads.shared()::offer));
  }

  private static TableConfig requireLayout(TableConfig config, TableName name)
      throws DoNotRetryIOException {
    if (config.isWrong()) {
      throw new DoNotRetryIOException(
          config.problemMessage(name.getNameAsString(), "its entity groups are not known"));
    }
    if (!config.hasLayout()) {
      throw new DoNotRetryIOException(noGroups(name, RowguardKey.LAYOUT.key()));
    }
    return config;
  }

  private static String noGroups(TableName name, String what) {
    return "The table declares no entity groups, so nothing says which of its rows lie in one"
        + " region. table="
        + name
        + ". Declare "
        + what
        + " in its descriptor, and the split policy "
        + Guards.POLICY
        + ".";
  }

  private long operationTimeout() {
    return table.getOperationTimeout(TimeUnit.MILLISECONDS);
  }

  Table stored() {
    return table;
  }

  TableName name() {
    return table.getName();
  }

  LayoutCache layouts() {
    return layouts;
  }

  LayoutRetry retry() {
    return new LayoutRetry(layouts, operationTimeout());
  }

  /** Reads a row by its bare key. */
  Result get(Get get) throws IOException {
    return calls.read(get, table::get, BatchRounds::showsNothing);
  }

  /** Writes a row by its bare key, if a condition on it holds. */
  boolean checkAndMutate(CheckAndMutate conditional) throws IOException {
    return calls.write(conditional, table::checkAndMutate).isSuccess();
  }

  /**
   * The groups of bare keys.
   *
   * @throws DoNotRetryIOException when the table declares none that bare keys have, or writers
   *     choose the bucket of a row
   */
  EntityGroup bareGroup(TableLayouts plan) throws DoNotRetryIOException {
    plan.requireOneRow("Derive the salt from the group, such as murmur3(tenant)%16.");
    EntityGroup group = plan.bareGroup();
    if (group == null) {
      throw new DoNotRetryIOException(noGroups(name(), RowguardKey.GROUP.key()));
    }
    return group;
  }

  /**
   * Returns if bytes are the key of a group, also of one without rows.
   *
   * @throws DoNotRetryIOException when they are none
   */
  void requireGroup(TableLayouts plan, byte[] key) throws DoNotRetryIOException {
    EntityGroup groups = bareGroup(plan);
    if (!groups.isGroup(key)) {
      throw new DoNotRetryIOException(
          "These bytes are not the key of an entity group. table="
              + name()
              + " key=\""
              + RowText.abbreviated(key)
              + "\". A key ends where the segment that "
              + RowguardKey.GROUP.key()
              + "="
              + groups.segment()
              + " names does, in bare keys. Layout of bare keys: "
              + groups.layout());
    }
  }

  /**
   * Returns if rows lie in one region.
   *
   * @throws DoNotRetryIOException when the group is cut in two
   */
  void requireOneRegion(byte[] key, List<byte[]> rows) throws IOException {
    OneRegion.require(table, rows, cut(key), MERGE);
  }

  /** The same for a range of stored rows. */
  void requireOneRegion(byte[] key, KeyRange range) throws IOException {
    OneRegion.require(table, range, cut(key), MERGE);
  }

  private static String cut(byte[] key) {
    return "The entity group is cut in two, so its rows cannot be written or read as one. group=\""
        + RowText.abbreviated(key)
        + "\"";
  }

  /**
   * Returns if a bare key is of a group.
   *
   * @throws DoNotRetryIOException when it is of another, or no bare key
   */
  void requireInGroup(TableLayouts plan, byte[] key, byte[] row) throws DoNotRetryIOException {
    EntityGroup groups = bareGroup(plan);
    int end = groups.end(row, 0, row.length);
    if (end < 0) {
      plan.primaryRow(row); // says what is wrong with it
    }
    byte[] group = Arrays.copyOf(row, Math.max(0, end));
    if (!Arrays.equals(group, key)) {
      throw new DoNotRetryIOException(
          "A transaction writes and looks at rows of one entity group only. table="
              + name()
              + " group=\""
              + RowText.abbreviated(key)
              + "\" row=\""
              + RowText.abbreviated(row)
              + "\" rowGroup=\""
              + RowText.abbreviated(group)
              + "\". Begin a transaction for each group; the group of a row ends with "
              + RowguardKey.GROUP.key()
              + "="
              + groups.segment()
              + ". Layout of bare keys: "
              + groups.layout());
    }
  }
}
