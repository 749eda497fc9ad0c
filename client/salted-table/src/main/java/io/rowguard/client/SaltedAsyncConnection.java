package io.rowguard.client;

import io.rowguard.config.TableConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.SocketAddress;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.AsyncAdminBuilder;
import org.apache.hadoop.hbase.client.AsyncBufferedMutatorBuilder;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTableBuilder;
import org.apache.hadoop.hbase.client.AsyncTableRegionLocator;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionRegistry;
import org.apache.hadoop.hbase.client.Hbck;
import org.apache.hadoop.hbase.client.ScanResultConsumer;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.security.User;
import org.apache.hbase.thirdparty.io.netty.util.concurrent.FastThreadLocalThread;

/**
 * {@link SaltedConnection} for HBase's asynchronous client. The client's hbase-site.xml names it:
 *
 * <pre>{@code
 * <property>
 *   <name>hbase.client.async.connection.impl</name>
 *   <value>io.rowguard.client.SaltedAsyncConnection</value>
 * </property>
 * }</pre>
 *
 * <p>A table that declares a layout is given with bare keys: its {@code AsyncTable} of either kind,
 * its {@code AsyncBufferedMutator}, and its {@code AsyncTableRegionLocator}. Every other table is
 * HBase's own object, and {@code AsyncAdmin} always.
 *
 * <p>A table is opened when its layout is known. So the first call for a table, and the first after
 * {@link #clearRegionLocationCache} or after the table was gone or declared something wrong, asks
 * the master and waits for the answer, in which these methods differ from HBase's own. It throws an
 * {@link UncheckedIOException} where the table is not there or declares something wrong, and an
 * {@link IllegalStateException} on a thread that the answer would have to come by: a callback of
 * HBase's client.
 *
 * <p>Thread-safe.
 */
public final class SaltedAsyncConnection implements AsyncConnection {
  /** The thread by which HBase tries again, but for its number (AsyncConnectionImpl). */
  private static final String RETRY_TIMER = "Async-Client-Retry-Timer-pool-";

  private final AsyncConnection own;
  private final ConnectionLayouts layouts;
  private final FetchThreads threads = FetchThreads.shared();

  private SaltedAsyncConnection(AsyncConnection own) {
    this.own = own;
    this.layouts = new ConnectionLayouts(this::read, threads::offer, System::nanoTime);
  }

  /** For the {@code ConnectionFactory} of HBase 2.5. */
  SaltedAsyncConnection(
      Configuration conf, ConnectionRegistry registry, String clusterId, User user)
      throws IOException {
    this(OwnConnections.async(conf, registry, clusterId, user));
  }

  /** For the {@code ConnectionFactory} of HBase 2.6. */
  SaltedAsyncConnection(
      Configuration conf,
      ConnectionRegistry registry,
      String clusterId,
      User user,
      Map<String, byte[]> attributes)
      throws IOException {
    this(OwnConnections.async(conf, registry, clusterId, user, attributes));
  }

  /** For the {@code ConnectionFactory} of HBase 3, and of later releases of 2.6. */
  SaltedAsyncConnection(
      Configuration conf,
      ConnectionRegistry registry,
      String clusterId,
      SocketAddress localAddress,
      User user,
      Map<String, byte[]> attributes)
      throws IOException {
    this(OwnConnections.async(conf, registry, clusterId, localAddress, user, attributes));
  }

  /**
   * The same over a connection of HBase's own, which is closed with this one.
   *
   * @param connection itself where it is a {@code SaltedAsyncConnection}
   */
  public static SaltedAsyncConnection over(AsyncConnection connection) {
    return Objects.requireNonNull(connection, "connection") instanceof SaltedAsyncConnection
        ? (SaltedAsyncConnection) connection
        : new SaltedAsyncConnection(connection);
  }

  private TableConfig read(TableName name) throws IOException {
    if (isOfClient(Thread.currentThread())) {
      throw new IllegalStateException(
          "A table is opened first on a thread that may wait, since its layout has to be read."
              + " table="
              + name
              + " thread="
              + Thread.currentThread().getName()
              + ". Call getTable once before, outside of callbacks; after that, and until"
              + " clearRegionLocationCache, it can be called anywhere.");
    }
    try {
      TableDescriptor descriptor = own.getAdmin().getDescriptor(name).get();
      return TableConfig.ofClient(descriptor, own.getConfiguration());
    } catch (ExecutionException | InterruptedException e) {
      throw OwnConnections.unwrapped(e);
    }
  }

  /**
   * Whether HBase's client calls back on a thread: one of netty's, by which answers come, or the
   * one by which all connections of the JVM try again and end what takes too long.
   */
  private static boolean isOfClient(Thread thread) {
    return thread instanceof FastThreadLocalThread || thread.getName().startsWith(RETRY_TIMER);
  }

  /** The layouts of a table that is to be shown with bare keys; null for any other. */
  private LayoutCache layoutsOf(TableName name) {
    try {
      return layouts.of(name);
    } catch (IOException e) {
      throw LayoutRetry.unchecked(e);
    }
  }

  @Override
  public AsyncTableBuilder<AdvancedScanResultConsumer> getTableBuilder(TableName name) {
    AsyncTableBuilder<AdvancedScanResultConsumer> builder = own.getTableBuilder(name);
    LayoutCache of = layoutsOf(name);
    return of == null
        ? builder
        : new SaltedAsyncTableBuilder<>(
            builder,
            own.getTableBuilder(name),
            (table, salted) -> new RawSaltedAsyncTable(salted, of, threads, locator(name, of)));
  }

  @Override
  public AsyncTableBuilder<ScanResultConsumer> getTableBuilder(
      TableName name, ExecutorService pool) {
    AsyncTableBuilder<ScanResultConsumer> builder = own.getTableBuilder(name, pool);
    LayoutCache of = layoutsOf(name);
    return of == null
        ? builder
        : new SaltedAsyncTableBuilder<>(
            builder,
            own.getTableBuilder(name),
            (table, salted) ->
                new PooledSaltedAsyncTable(table, salted, of, threads, locator(name, of), pool));
  }

  /** As {@link SaltedConnection#getBufferedMutator(TableName)}. */
  @Override
  public AsyncBufferedMutatorBuilder getBufferedMutatorBuilder(TableName name) {
    AsyncBufferedMutatorBuilder builder = own.getBufferedMutatorBuilder(name);
    LayoutCache of = layoutsOf(name);
    return of == null
        ? builder
        : new SaltedAsyncBufferedMutatorBuilder(
            builder, of, (SaltedAsyncTableBuilder<?>) getTableBuilder(name));
  }

  @Override
  public AsyncBufferedMutatorBuilder getBufferedMutatorBuilder(
      TableName name, ExecutorService pool) {
    AsyncBufferedMutatorBuilder builder = own.getBufferedMutatorBuilder(name, pool);
    LayoutCache of = layoutsOf(name);
    return of == null
        ? builder
        : new SaltedAsyncBufferedMutatorBuilder(
            builder, of, (SaltedAsyncTableBuilder<?>) getTableBuilder(name, pool));
  }

  /** As {@link SaltedConnection#getRegionLocator}. */
  @Override
  public AsyncTableRegionLocator getRegionLocator(TableName name) {
    LayoutCache of = layoutsOf(name);
    return of == null ? own.getRegionLocator(name) : locator(name, of);
  }

  private AsyncTableRegionLocator locator(TableName name, LayoutCache of) {
    return new AsyncBareRangeLocator(own.getRegionLocator(name), own.getTable(name), of, threads);
  }

  /** Also forgets which layouts the tables have. */
  @Override
  public void clearRegionLocationCache() {
    layouts.clear();
    own.clearRegionLocationCache();
  }

  /** HBase's own. */
  @Override
  public AsyncAdminBuilder getAdminBuilder() {
    return own.getAdminBuilder();
  }

  /** HBase's own. */
  @Override
  public AsyncAdminBuilder getAdminBuilder(ExecutorService pool) {
    return own.getAdminBuilder(pool);
  }

  @Override
  public Configuration getConfiguration() {
    return own.getConfiguration();
  }

  @Override
  public CompletableFuture<Hbck> getHbck() {
    return own.getHbck();
  }

  @Override
  public Hbck getHbck(ServerName master) throws IOException {
    return own.getHbck(master);
  }

  /**
   * A {@link SaltedConnection} over the same connection to the cluster.
   *
   * @throws UnsupportedOperationException on HBase 2, whose connections have no such method
   */
  @SuppressWarnings("MissingOverride") // compiled against HBase 2, where it is none
  public Connection toConnection() {
    return SaltedConnection.over(AsyncBridge.toConnection(own));
  }

  @Override
  public boolean isClosed() {
    return own.isClosed();
  }

  @Override
  public void close() throws IOException {
    own.close();
  }

  @Override
  public String toString() {
    return "salted over " + own;
  }
}
