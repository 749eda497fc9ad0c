package io.rowguard.observer;

import io.rowguard.testing.Eventually;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.RetriesExhaustedException;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hadoop.hbase.security.User;

/** A user who is not the superuser, with a connection of his own to a table. */
final class TableUser implements AutoCloseable {
  private final String name;
  private final Connection connection;
  private final Table table;

  TableUser(HBaseTestingUtility hbase, GuardedTable guarded, String name) throws IOException {
    this.name = name;
    User user = User.createUserForTesting(hbase.getConfiguration(), name, new String[0]);
    this.connection = ConnectionFactory.createConnection(hbase.getConfiguration(), user);
    this.table = connection.getTable(guarded.name());
  }

  /** A user's work with a table. */
  interface Action {
    void on(Table table) throws IOException;
  }

  String name() {
    return name;
  }

  Table table() {
    return table;
  }

  void run(Action action) throws IOException {
    action.on(table);
  }

  /** The user's answer for each action of a batch: a result, or the failure. */
  Object[] batch(Row... actions) throws IOException, InterruptedException {
    Object[] results = new Object[actions.length];
    try {
      table.batch(List.of(actions), results);
    } catch (RetriesExhaustedException e) {
      return results;
    }
    return results;
  }

  /** Returns when a grant has reached the region server. */
  void awaitAccess() throws Exception {
    Eventually.isTrue(
        name + " may read",
        () -> {
          try {
            table.exists(new Get(Writes.bytes(Writes.GOOD)));
            return true;
          } catch (AccessDeniedException e) {
            return false;
          }
        });
  }

  @Override
  public void close() throws IOException {
    table.close();
    connection.close();
  }
}
