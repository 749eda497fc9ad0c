package io.rowguard.client;

import io.rowguard.config.RowguardKey;
import io.rowguard.config.TableConfig;
import io.rowguard.layout.Derivation;
import io.rowguard.layout.RowkeyLayout;
import java.io.IOException;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableBuilder;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.filter.Filter;

/**
 * Opens a {@link SaltedTable} with options; what is not set comes from the table's descriptor and
 * the connection's configuration. For one thread; it can build several tables.
 */
public final class SaltedTableBuilder {
  private final Connection connection;
  private final TableName name;
  private final Set<String> rowBlind = new HashSet<>();
  private RowkeyLayout layout;
  private Integer maxBuckets;
  private ExecutorService executor;
  private int threads;
  private Integer operationTimeout;
  private Integer readRpcTimeout;
  private Integer writeRpcTimeout;

  SaltedTableBuilder(Connection connection, TableName name) {
    this.connection = SaltedConnection.raw(Objects.requireNonNull(connection, "connection"));
    this.name = Objects.requireNonNull(name, "name");
  }

  /**
   * The layout of the table's rows, instead of {@code rowguard.layout} in its descriptor: for
   * tables of which the servers know no layout. It must be the one that the rows were written with,
   * or none of them is found; so it is nothing for a table whose layout may be changed. Of what the
   * descriptor declares nothing counts then: the connection's configuration has the filters and the
   * number of sub-scans, and there are no groups for {@link RowGroup}.
   */
  public SaltedTableBuilder setLayout(RowkeyLayout layout) {
    this.layout = Objects.requireNonNull(layout, "layout");
    return this;
  }

  /** The most sub-scans that one scan may become, 1 to 65536; {@code rowguard.scan.max.buckets}. */
  public SaltedTableBuilder setMaxBuckets(int maxBuckets) {
    if (maxBuckets > Derivation.MAX_BUCKETS) {
      throw new IllegalArgumentException(
          "There can be " + Derivation.MAX_BUCKETS + " at most. maxBuckets=" + maxBuckets);
    }
    this.maxBuckets = atLeastOne(maxBuckets, "maxBuckets");
    return this;
  }

  /** Has sub-scans read ahead on so many threads of this table's own instead of shared ones. */
  public SaltedTableBuilder setThreads(int threads) {
    this.threads = atLeastOne(threads, "threads");
    this.executor = null;
    return this;
  }

  /**
   * Has sub-scans read ahead on threads of the caller's, which closing the table leaves alone. When
   * none is free, the thread that needs the rows fetches them itself.
   */
  public SaltedTableBuilder setExecutor(ExecutorService executor) {
    this.executor = Objects.requireNonNull(executor, "executor");
    return this;
  }

  /**
   * Says that a filter class of the user's own looks neither at rows nor from one row to the next,
   * so that it may travel as it is. Unknown filters are refused otherwise, but for those that
   * {@code rowguard.filters.row.blind} names.
   */
  public SaltedTableBuilder addRowBlindFilter(Class<? extends Filter> filter) {
    rowBlind.add(filter.getName());
    return this;
  }

  /** As {@link TableBuilder#setOperationTimeout}, in milliseconds. */
  public SaltedTableBuilder setOperationTimeout(int timeout) {
    this.operationTimeout = timeout;
    return this;
  }

  /** As {@link TableBuilder#setReadRpcTimeout}, in milliseconds. */
  public SaltedTableBuilder setReadRpcTimeout(int timeout) {
    this.readRpcTimeout = timeout;
    return this;
  }

  /** As {@link TableBuilder#setWriteRpcTimeout}, in milliseconds. */
  public SaltedTableBuilder setWriteRpcTimeout(int timeout) {
    this.writeRpcTimeout = timeout;
    return this;
  }

  /**
   * Opens the table. Asks the master for its descriptor, unless a layout is set whose buckets no
   * writer chooses.
   *
   * @throws IOException when a descriptor that it asks for cannot be read, has no layout where none
   *     is set, or a wrong one
   */
  public SaltedTable build() throws IOException {
    Table table = table();
    try {
      LayoutCache layouts = layouts(table, new FilterRules(name, rowBlind));
      return SaltedTable.of(table, layouts, fetchThreads());
    } catch (IOException | RuntimeException e) {
      table.close();
      throw e;
    }
  }

  private LayoutCache layouts(Table table, FilterRules filters) throws IOException {
    Configuration conf = connection.getConfiguration();
    // Shared threads also where the caller has given some: those may run a task in the thread that
    // offers it, and reading a descriptor may wait for a master that is away.
    Executor background = FetchThreads.shared()::offer;
    if (layout != null) {
      TableConfig site =
          TableConfig.ofClient(TableDescriptorBuilder.newBuilder(name).build(), conf);
      return new LayoutCache(
          TableLayouts.byHand(
              layout,
              maxBuckets == null ? site.scanMaxBuckets() : maxBuckets,
              filters.with(site.rowBlindFilters()),
              maxVersions(table)),
          null,
          background);
    }
    TableName ofTable = name;
    Integer buckets = maxBuckets;
    LayoutCache.Declaration declaration =
        () -> {
          TableConfig config =
              requireLayout(TableConfig.ofClient(table.getDescriptor(), conf), ofTable);
          return TableLayouts.declared(
              config, buckets == null ? config.scanMaxBuckets() : buckets, filters);
        };
    return new LayoutCache(declaration.read(), declaration, background);
  }

  /** They count only where a client merges the rows of a bare key. */
  private SortedMap<byte[], Integer> maxVersions(Table table) throws IOException {
    return layout.hasChoice()
        ? TableConfig.ofClient(table.getDescriptor(), connection.getConfiguration()).maxVersions()
        : RowMerge.ALL_VERSIONS;
  }

  static TableConfig requireLayout(TableConfig config, TableName name)
      throws DoNotRetryIOException {
    if (config.isWrong()) {
      throw new DoNotRetryIOException(
          config.problemMessage(name.getNameAsString(), "it cannot be opened as a SaltedTable"));
    }
    if (!config.hasLayout()) {
      throw new DoNotRetryIOException(
          "The table declares no layout, so nothing says how its rows are salted. table="
              + name
              + ". Declare "
              + RowguardKey.LAYOUT.key()
              + " in its descriptor, or give the layout: SaltedTable.builder(connection,"
              + " name).setLayout(RowkeyLayout.parse(\"...\")).");
    }
    return config;
  }

  private Table table() throws IOException {
    if (operationTimeout == null && readRpcTimeout == null && writeRpcTimeout == null) {
      // With the threads that all tables of the connection share; HBase 2's builder has each table
      // start some of its own, for writing and for scanning.
      return connection.getTable(name);
    }
    TableBuilder table = connection.getTableBuilder(name, null);
    if (operationTimeout != null) {
      table.setOperationTimeout(operationTimeout);
    }
    if (readRpcTimeout != null) {
      table.setReadRpcTimeout(readRpcTimeout);
    }
    if (writeRpcTimeout != null) {
      table.setWriteRpcTimeout(writeRpcTimeout);
    }
    return table.build();
  }

  private FetchThreads fetchThreads() {
    if (executor != null) {
      return FetchThreads.of(executor);
    }
    return threads > 0 ? FetchThreads.ofOwn(threads) : FetchThreads.shared();
  }

  private static int atLeastOne(int number, String what) {
    if (number < 1) {
      throw new IllegalArgumentException("There must be 1 or more. " + what + "=" + number);
    }
    return number;
  }
}
