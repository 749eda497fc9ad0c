package io.rowguard.client;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableBuilder;

/**
 * Builds a table of a {@link SaltedConnection}: HBase's own table, with the timeouts and threads
 * that HBase's own builder has been given, and over it one of bare keys where the table declares a
 * layout. For one thread.
 */
final class ConnectionTableBuilder implements TableBuilder {
  /** Shows a table with bare keys where it has to be. */
  interface Shown {
    Table of(Table table) throws IOException;
  }

  private final TableBuilder own;
  private final Shown shown;

  ConnectionTableBuilder(TableBuilder own, Shown shown) {
    this.own = own;
    this.shown = shown;
  }

  @Override
  public TableBuilder setOperationTimeout(int timeout) {
    own.setOperationTimeout(timeout);
    return this;
  }

  @Override
  public TableBuilder setRpcTimeout(int timeout) {
    own.setRpcTimeout(timeout);
    return this;
  }

  @Override
  public TableBuilder setReadRpcTimeout(int timeout) {
    own.setReadRpcTimeout(timeout);
    return this;
  }

  @Override
  public TableBuilder setWriteRpcTimeout(int timeout) {
    own.setWriteRpcTimeout(timeout);
    return this;
  }

  /** HBase has this method from 2.6 on. */
  @SuppressWarnings("MissingOverride") // 2.5 lacks it
  public TableBuilder setRequestAttribute(String key, byte[] value) {
    own.setRequestAttribute(key, value);
    return this;
  }

  /**
   * The table.
   *
   * @throws UncheckedIOException when the table's descriptor cannot be read, or declares something
   *     wrong: HBase's signature has no other exception
   */
  @Override
  public Table build() {
    try {
      return shown.of(own.build());
    } catch (IOException e) {
      throw LayoutRetry.unchecked(e);
    }
  }
}
