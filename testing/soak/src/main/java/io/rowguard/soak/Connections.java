package io.rowguard.soak;

import io.rowguard.client.SaltedAsyncConnection;
import io.rowguard.client.SaltedConnection;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.util.FutureUtils;

/**
 * The connections of a client to the soak's cluster.
 *
 * @param exact sends each operation once
 * @param patient tries again until servers are back
 * @param async patient too
 */
record Connections(Connection exact, Connection patient, AsyncConnection async)
    implements AutoCloseable {
  private static final int PATIENT_RETRIES = 1000;

  /** HBase's own. */
  static Connections own(Path directory) throws IOException {
    return of(siteOf(directory));
  }

  /** Those of a program whose hbase-site.xml names Rowguard's: all rows are bare keys. */
  static Connections byProperty(Path directory) throws IOException {
    Configuration conf = siteOf(directory);
    conf.set("hbase.client.connection.impl", SaltedConnection.class.getName());
    conf.set("hbase.client.async.connection.impl", SaltedAsyncConnection.class.getName());
    return of(conf);
  }

  private static Configuration siteOf(Path directory) {
    Configuration conf = HBaseConfiguration.create();
    conf.addResource(
        new org.apache.hadoop.fs.Path(directory.resolve("conf/hbase-site.xml").toUri()));
    conf.setInt("hbase.rpc.timeout", 10_000);
    conf.setInt("hbase.client.meta.operation.timeout", 240_000);
    conf.setInt("hbase.client.scanner.timeout.period", 60_000);
    return conf;
  }

  private static Connections of(Configuration conf) throws IOException {
    Configuration patient = retrying(conf, PATIENT_RETRIES, 240_000);
    return new Connections(
        ConnectionFactory.createConnection(retrying(conf, 0, 10_000)),
        ConnectionFactory.createConnection(patient),
        FutureUtils.get(ConnectionFactory.createAsyncConnection(patient)));
  }

  private static Configuration retrying(Configuration conf, int retries, int timeoutMillis) {
    Configuration with = new Configuration(conf);
    with.setInt("hbase.client.retries.number", retries);
    with.setInt("hbase.client.operation.timeout", timeoutMillis);
    return with;
  }

  @Override
  public void close() throws IOException {
    try (exact;
        patient;
        async) {
      // Closed by what follows, also when one of them fails.
    }
  }
}
