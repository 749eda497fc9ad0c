package io.rowguard.client;

import io.rowguard.config.TableConfig;
import java.io.IOException;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.BufferedMutatorParams;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionRegistry;
import org.apache.hadoop.hbase.client.Hbck;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableBuilder;
import org.apache.hadoop.hbase.security.User;

/**
 * A connection that gives salted tables with bare keys, to programs that know nothing of salts. The
 * client's hbase-site.xml names it:
 *
 * <pre>{@code
 * <property>
 *   <name>hbase.client.connection.impl</name>
 *   <value>io.rowguard.client.SaltedConnection</value>
 * </property>
 * }</pre>
 *
 * <p>A table whose descriptor, or whose client's hbase-site.xml, declares a layout is a {@link
 * SaltedTable} here; its {@code BufferedMutator} takes bare keys, and its {@code RegionLocator}
 * shows ranges of them. Where the layout derives nothing, these do what HBase's own do until the
 * table gets a salt. Every other table is HBase's own object. The layout of a table is read when it
 * is opened first, again when a server says that it has changed, and once a minute while it is
 * used; a table without one is asked for again when it is opened a minute later. After {@link
 * #clearRegionLocationCache} each is read anew when it is opened next.
 *
 * <p>{@link #getAdmin} is HBase's own, so a split key is a salted row. A program that casts its
 * connection to one of HBase's private types, such as {@code ClusterConnection}, works below
 * tables, where rows are salted, and fails with a {@code ClassCastException}.
 *
 * <p>Only for clients. Servers, replication and what loads HFiles see rows as they are stored.
 *
 * <p>As thread-safe as HBase's own connection.
 */
public final class SaltedConnection implements Connection {
  private final Connection own;
  private final ConnectionLayouts layouts;

  private SaltedConnection(Connection own) {
    this.own = own;
    this.layouts =
        new ConnectionLayouts(this::read, FetchThreads.shared()::offer, System::nanoTime);
  }

  /** For the {@code ConnectionFactory} of HBase 2.5. */
  SaltedConnection(Configuration conf, ExecutorService pool, User user) throws IOException {
    this(OwnConnections.ofHBase2(conf, pool, user));
  }

  /** For the {@code ConnectionFactory} of HBase 2.6. */
  SaltedConnection(
      Configuration conf, ExecutorService pool, User user, Map<String, byte[]> attributes)
      throws IOException {
    this(OwnConnections.ofHBase2(conf, pool, user, attributes));
  }

  /** For the {@code ConnectionFactory} of HBase 3. */
  SaltedConnection(
      Configuration conf,
      ExecutorService pool,
      User user,
      ConnectionRegistry registry,
      Map<String, byte[]> attributes)
      throws IOException {
    this(OwnConnections.ofHBase3(conf, registry, user, attributes));
  }

  /**
   * The same over a connection of HBase's own, which is closed with this one.
   *
   * @param connection itself where it is a {@code SaltedConnection}
   */
  public static SaltedConnection over(Connection connection) {
    return Objects.requireNonNull(connection, "connection") instanceof SaltedConnection
        ? (SaltedConnection) connection
        : new SaltedConnection(connection);
  }

  /** The connection that shows rows as they are stored: that below a {@code SaltedConnection}. */
  static Connection raw(Connection connection) {
    return connection instanceof SaltedConnection
        ? ((SaltedConnection) connection).own
        : connection;
  }

  private TableConfig read(TableName name) throws IOException {
    try (Table table = own.getTable(name)) {
      return TableConfig.ofClient(table.getDescriptor(), own.getConfiguration());
    }
  }

  /**
   * A table, with bare keys where it declares a layout.
   *
   * @throws IOException when the table's descriptor cannot be read, as there is no such table, or
   *     declares something wrong
   */
  @Override
  public Table getTable(TableName name) throws IOException {
    return shown(own.getTable(name));
  }

  /** As {@link #getTable(TableName)}. */
  @Override
  public Table getTable(TableName name, ExecutorService pool) throws IOException {
    return shown(own.getTable(name, pool));
  }

  /** Its {@code build} throws what {@link #getTable} would, in an {@code UncheckedIOException}. */
  @Override
  public TableBuilder getTableBuilder(TableName name, ExecutorService pool) {
    return new ConnectionTableBuilder(own.getTableBuilder(name, pool), this::shown);
  }

  private Table shown(Table table) throws IOException {
    try {
      LayoutCache of = layouts.of(table.getName());
      return of == null ? table : SaltedTable.of(table, of, FetchThreads.shared());
    } catch (IOException | RuntimeException e) {
      table.close();
      throw e;
    }
  }

  @Override
  public BufferedMutator getBufferedMutator(TableName name) throws IOException {
    return getBufferedMutator(new BufferedMutatorParams(name));
  }

  /**
   * A buffer of mutations, on bare keys where the table declares a layout. Those that the listener
   * is told of are copies then, with bare keys.
   */
  @Override
  public BufferedMutator getBufferedMutator(BufferedMutatorParams params) throws IOException {
    LayoutCache of = params.getTableName() == null ? null : layouts.of(params.getTableName());
    if (of == null) {
      return own.getBufferedMutator(params);
    }
    long timeout =
        params.getOperationTimeout() >= 0
            ? params.getOperationTimeout()
            : getConfiguration()
                .getInt(
                    HConstants.HBASE_CLIENT_OPERATION_TIMEOUT,
                    HConstants.DEFAULT_HBASE_CLIENT_OPERATION_TIMEOUT);
    return new SaltedBufferedMutator(own::getBufferedMutator, params, of, timeout);
  }

  /**
   * The regions of a table; where its layout derives something, as ranges of bare keys which
   * together are all, each once, about as many as there are regions. A region's name stays what it
   * is. Each call for all regions, and the first one for a key, reads the table's first key and its
   * last.
   */
  @Override
  public RegionLocator getRegionLocator(TableName name) throws IOException {
    LayoutCache of = layouts.of(name);
    RegionLocator locator = own.getRegionLocator(name);
    // The table is not closed: all that it has is shared.
    return of == null
        ? locator
        : new BareRangeLocator(
            locator, SaltedTable.of(own.getTable(name), of, FetchThreads.shared()));
  }

  /** Also forgets which layouts the tables have. */
  @Override
  public void clearRegionLocationCache() {
    layouts.clear();
    own.clearRegionLocationCache();
  }

  /** HBase's own. */
  @Override
  public Admin getAdmin() throws IOException {
    return own.getAdmin();
  }

  @Override
  public Configuration getConfiguration() {
    return own.getConfiguration();
  }

  @Override
  public void close() throws IOException {
    own.close();
  }

  @Override
  public boolean isClosed() {
    return own.isClosed();
  }

  @Override
  public void abort(String why, Throwable e) {
    own.abort(why, e);
  }

  @Override
  public boolean isAborted() {
    return own.isAborted();
  }

  @Override
  public String getClusterId() {
    return own.getClusterId();
  }

  @Override
  public Hbck getHbck() throws IOException {
    return own.getHbck();
  }

  @Override
  public Hbck getHbck(ServerName master) throws IOException {
    return own.getHbck(master);
  }

  /**
   * A {@link SaltedAsyncConnection} over the same one to the cluster.
   *
   * @throws UnsupportedOperationException on HBase 2, whose connections have no such method
   */
  @SuppressWarnings("MissingOverride") // compiled against HBase 2, where it is none
  public AsyncConnection toAsyncConnection() {
    return SaltedAsyncConnection.over(AsyncBridge.toAsyncConnection(own));
  }

  @Override
  public String toString() {
    return "salted over " + own;
  }
}
