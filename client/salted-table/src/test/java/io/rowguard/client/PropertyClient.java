package io.rowguard.client;

import static io.rowguard.client.Tables.bytes;

import io.rowguard.config.RawConnections;
import io.rowguard.layout.RowkeyLayout;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A program whose hbase-site.xml names one of Rowguard's connections, and its tables. A connection
 * is opened when it is asked for first. As an extension of a test it closes and drops them after
 * each. Not thread-safe.
 */
final class PropertyClient implements AfterEachCallback {
  private final HBaseTestingUtility hbase;
  private final Configuration site;
  private final List<TableName> tables = new ArrayList<>();
  private final List<Closeable> open = new ArrayList<>();
  private Connection connection;
  private AsyncConnection asyncConnection;

  PropertyClient(HBaseTestingUtility hbase) {
    this.hbase = hbase;
    this.site = new Configuration(hbase.getConfiguration());
  }

  /** The rest of its hbase-site.xml, to which a test may add before it asks for a connection. */
  Configuration site() {
    return site;
  }

  Connection connection() throws IOException {
    if (connection == null) {
      Configuration named = named(RawConnections.CONNECTION, SaltedConnection.class);
      connection = opened(ConnectionFactory.createConnection(named));
    }
    return connection;
  }

  AsyncConnection asyncConnection() throws IOException {
    if (asyncConnection == null) {
      Configuration named = named(RawConnections.ASYNC_CONNECTION, SaltedAsyncConnection.class);
      asyncConnection = opened(AsyncView.get(ConnectionFactory.createAsyncConnection(named)));
    }
    return asyncConnection;
  }

  /** The site with one of the two properties: each works without the other. */
  private Configuration named(String property, Class<?> connection) {
    Configuration named = new Configuration(site);
    named.set(property, connection.getName());
    return named;
  }

  private <T extends Closeable> T opened(T connection) {
    open.add(connection);
    return connection;
  }

  /** As {@link Tables#create(HBaseTestingUtility, String, String, String...)} does. */
  TableName create(String layout, String mode, String... splits) throws IOException {
    TableName name = Tables.create(hbase, layout, mode, splits);
    tables.add(name);
    return name;
  }

  /** The rows of a table as HBase has them. */
  List<String> stored(TableName name) throws IOException {
    try (Table raw = Tables.salted(hbase, name)) {
      return Tables.rows(raw, new Scan());
    }
  }

  /** The rows of bare keys under a layout, in ascending order. */
  static List<String> salted(String layout, List<String> keys) {
    List<String> rows = new ArrayList<>();
    for (String key : keys) {
      rows.add(Bytes.toStringBinary(RowkeyLayout.parse(layout).complete(bytes(key))));
    }
    rows.sort(null);
    return rows;
  }

  @Override
  public void afterEach(ExtensionContext context) throws IOException {
    for (Closeable connection : open) {
      connection.close();
    }
    Tables.drop(hbase, tables.toArray(new TableName[0]));
  }
}
