package io.rowguard.benchmarks.salt;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Properties;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;

/**
 * A table of orders in Apache Phoenix, through JDBC, with what Phoenix's tuning guide has for such
 * a table: rows that never change, descriptors that are asked for now and then, 1,000 rows a
 * commit, the order of row keys, and hints where little is read. A commit is one batch of HBase; by
 * itself Phoenix would cut it into batches of 100.
 */
final class PhoenixOrders implements ComparedTable {
  private static final String NAME = "PHOENIX";
  private static final int FETCH_SIZE = 10_000;

  private final Connection connection;
  private final PreparedStatement upsert;
  private final PreparedStatement all;
  private final PreparedStatement first;
  private final PreparedStatement range;
  private final PreparedStatement one;

  private PhoenixOrders(Connection connection) throws SQLException {
    this.connection = connection;
    this.upsert = connection.prepareStatement("UPSERT INTO " + NAME + " VALUES (?, ?)");
    String select = " id, q FROM " + NAME;
    this.all = connection.prepareStatement("SELECT" + select);
    this.all.setFetchSize(FETCH_SIZE);
    this.first = connection.prepareStatement("SELECT /*+ SERIAL */" + select + " LIMIT 1");
    this.range = connection.prepareStatement("SELECT" + select + " WHERE id BETWEEN ? AND ?");
    this.one = connection.prepareStatement("SELECT /*+ SMALL */" + select + " WHERE id = ?");
  }

  static PhoenixOrders create(org.apache.hadoop.hbase.client.Connection hbase, int buckets)
      throws SQLException {
    Configuration conf = hbase.getConfiguration();
    String url =
        "jdbc:phoenix:localhost:"
            + conf.get(HConstants.ZOOKEEPER_CLIENT_PORT)
            + ":"
            + conf.get(HConstants.ZOOKEEPER_ZNODE_PARENT);
    Properties properties = new Properties();
    properties.setProperty("phoenix.query.force.rowkeyorder", "true");
    properties.setProperty("UpsertBatchSize", Integer.toString(BATCH));
    Connection connection = DriverManager.getConnection(url, properties);
    connection.setAutoCommit(false);
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE "
              + NAME
              + " (id CHAR(10) NOT NULL PRIMARY KEY, f.q VARBINARY) IMMUTABLE_ROWS=true,"
              + " IMMUTABLE_STORAGE_SCHEME=ONE_CELL_PER_COLUMN, UPDATE_CACHE_FREQUENCY=900000,"
              + " SALT_BUCKETS="
              + buckets);
    }
    return new PhoenixOrders(connection);
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public void load(List<byte[]> ids) throws SQLException {
    byte[] value = Orders.value();
    int count = 0;
    for (byte[] id : ids) {
      upsert.setString(1, new String(id, US_ASCII));
      upsert.setBytes(2, value);
      upsert.executeUpdate();
      if (++count % BATCH == 0) {
        connection.commit();
      }
    }
    connection.commit();
  }

  @Override
  public void scan(List<byte[]> ids) throws SQLException {
    read(all, ids);
  }

  @Override
  public void first(byte[] id) throws SQLException {
    read(first, List.of(id));
  }

  @Override
  public void range(List<byte[]> ids) throws SQLException {
    range.setString(1, new String(ids.get(0), US_ASCII));
    range.setString(2, new String(ids.get(ids.size() - 1), US_ASCII));
    read(range, ids);
  }

  private static void read(PreparedStatement statement, List<byte[]> ids) throws SQLException {
    try (ResultSet rows = statement.executeQuery()) {
      for (byte[] id : ids) {
        String wanted = new String(id, US_ASCII);
        if (!rows.next() || !wanted.equals(rows.getString(1)) || rows.getBytes(2) == null) {
          throw new IllegalStateException("missing: " + wanted);
        }
      }
      if (rows.next()) {
        throw new IllegalStateException("more than " + ids.size());
      }
    }
  }

  @Override
  public void get(byte[] id) throws SQLException {
    one.setString(1, new String(id, US_ASCII));
    read(one, List.of(id));
  }

  @Override
  public void close() throws IOException {
    try {
      connection.close();
    } catch (SQLException e) {
      throw new IOException(e);
    }
  }
}
