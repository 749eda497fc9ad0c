package io.rowguard.client;

import io.rowguard.config.RawConnections;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.BufferedMutatorParams;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Table;

/**
 * Makes the clients of {@link LiveTraffic}, and has their connections: HBase's own, and those that
 * the properties of a configuration name.
 */
final class LiveConnections implements Closeable {
  private final LiveTraffic traffic;
  private final TableName name;
  private final Connection patient;
  private final Connection exact;
  private final Connection patientByProperty;
  private final Connection exactByProperty;
  private final AsyncConnection patientAsync;
  private final AsyncConnection exactAsync;
  private final ExecutorService pool = Executors.newCachedThreadPool();
  private final List<Closeable> open = new ArrayList<>();

  LiveConnections(LiveCluster cluster, LiveTraffic traffic) throws Exception {
    this.traffic = traffic;
    this.name = traffic.table().name();
    this.patient = cluster.patient();
    this.exact = opened(ConnectionFactory.createConnection(cluster.exactConf()));
    this.patientByProperty =
        opened(ConnectionFactory.createConnection(salted(cluster.patientConf())));
    this.exactByProperty = opened(ConnectionFactory.createConnection(salted(cluster.exactConf())));
    this.patientAsync =
        opened(ConnectionFactory.createAsyncConnection(salted(cluster.patientConf())).get());
    this.exactAsync =
        opened(ConnectionFactory.createAsyncConnection(salted(cluster.exactConf())).get());
  }

  private <T extends Closeable> T opened(T connection) {
    open.add(connection);
    return connection;
  }

  private static Configuration salted(Configuration conf) {
    conf.set(RawConnections.CONNECTION, SaltedConnection.class.getName());
    conf.set(RawConnections.ASYNC_CONNECTION, SaltedAsyncConnection.class.getName());
    return conf;
  }

  /** A client of {@link SaltedTable}. */
  SaltedClient ofTable(long seed) throws IOException {
    return client(seed, SaltedTable.open(exact, name), SaltedTable.open(patient, name));
  }

  /** A client of tables of the connection that the property names. */
  SaltedClient byProperty(long seed) throws IOException {
    return client(seed, exactByProperty.getTable(name), patientByProperty.getTable(name));
  }

  private SaltedClient client(long seed, Table once, Table untilDone) throws IOException {
    return new SaltedClient(
        traffic, seed, once, untilDone, once.getRegionLocator()::clearRegionLocationCache);
  }

  /** A client of asynchronous tables. */
  SaltedClient async(long seed) {
    return new SaltedClient(
        traffic,
        seed,
        AsyncView.of(exactAsync.getTable(name), seed),
        AsyncView.of(patientAsync.getTable(name), seed),
        exactAsync.getRegionLocator(name)::clearRegionLocationCache);
  }

  /** A client of asynchronous tables with a pool. */
  SaltedClient asyncPooled(long seed) {
    return new SaltedClient(
        traffic,
        seed,
        AsyncView.ofPooled(exactAsync.getTable(name, pool), seed),
        AsyncView.ofPooled(patientAsync.getTable(name, pool), seed),
        exactAsync.getRegionLocator(name)::clearRegionLocationCache);
  }

  /** A client of a {@code BufferedMutator}. */
  BufferedClient buffered(long seed) throws IOException {
    BufferedClient.Failures failures = new BufferedClient.Failures();
    BufferedMutatorParams params = new BufferedMutatorParams(name).listener(failures);
    return new BufferedClient(
        traffic,
        seed,
        exactByProperty.getRegionLocator(name)::clearRegionLocationCache,
        "buffered",
        failures.sender(exactByProperty.getBufferedMutator(params)));
  }

  /** A client of an {@code AsyncBufferedMutator}. */
  BufferedClient bufferedAsync(long seed) {
    return new BufferedClient(
        traffic,
        seed,
        exactAsync.getRegionLocator(name)::clearRegionLocationCache,
        "buffered, asynchronously",
        BufferedClient.sender(exactAsync.getBufferedMutator(name)));
  }

  /** A client that scans {@link SaltedTable}. */
  ScanningClient scanning(long seed, boolean isSalted) throws IOException {
    return new ScanningClient(traffic, seed, SaltedTable.open(patient, name), isSalted);
  }

  /** A client that scans an asynchronous table. */
  ScanningClient scanningAsync(long seed, boolean isSalted) {
    return new ScanningClient(
        traffic, seed, AsyncView.of(patientAsync.getTable(name), seed), isSalted);
  }

  /** A client that knows nothing of Rowguard. */
  RawClient raw(long seed) throws IOException {
    return new RawClient(traffic, seed, exact, patient);
  }

  /** Closes the connections. Tables that they have opened end with them. */
  @Override
  public void close() throws IOException {
    pool.shutdownNow();
    for (Closeable connection : open) {
      connection.close();
    }
  }
}
