package io.rowguard.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A running HBase with a session of its shell and a client, and the two tables that the pages speak
 * of: {@code orders}, as the README creates it, and {@code live}, which has rows and knows nothing
 * of Rowguard.
 */
final class Trial implements AutoCloseable {
  static final String REFUSED = "Rowkey does not fit the layout: ";

  /** Rows of orders; the second lacks its salt. As in {@link Bytes#toBytesBinary}. */
  static final String ORDER = "13-alice|\\x7F\\xFF\\xFEk\\x00\\x00\\x00\\x01";

  static final String BARE_ORDER = "alice|\\x7F\\xFF\\xFEk\\x00\\x00\\x00\\x01";

  /** Rows of live; the second lacks its salt. */
  static final String ROW = "d0-acme/2025";

  static final String BARE_ROW = "acme/2025";

  private static final byte[] F = Bytes.toBytes("f");
  private static final byte[] Q = Bytes.toBytes("q");

  private final HBaseShell shell;
  private final Connection connection;
  private final Admin admin;

  Trial(Standalone standalone, String shellCommandLine) throws IOException {
    shell = standalone.shell(shellCommandLine);
    connection = ConnectionFactory.createConnection(standalone.client());
    admin = connection.getAdmin();
  }

  /** Executes a command in the shell, which must not complain; returns what it printed. */
  String execute(String command) throws IOException {
    String printed = shell.run(command);
    assertFalse(printed.contains("ERROR"), () -> command + " printed " + printed);
    return printed;
  }

  /** Output of the shell for a command that must fail. */
  String failing(String command) throws IOException {
    String printed = shell.run(command);
    assertTrue(printed.contains("ERROR"), () -> command + " printed " + printed);
    return printed;
  }

  /** Creates orders as the README does, in place of one that is there. */
  void createOrders() throws IOException {
    drop("orders");
    List<String> create =
        Page.commandsOf("README.md").stream()
            .map(Command::text)
            .filter(text -> text.startsWith("create 'orders'"))
            .toList();
    assertEquals(1, create.size());
    execute(create.get(0));
  }

  /** Creates a table that nobody guards, in place of one that is there, with a row. */
  void createPlain(String name, String row) throws IOException {
    drop(name);
    admin.createTable(
        TableDescriptorBuilder.newBuilder(TableName.valueOf(name))
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
            .build());
    accepts(name, row);
  }

  void drop(String name) throws IOException {
    TableName table = TableName.valueOf(name);
    if (admin.tableExists(table)) {
      admin.disableTable(table);
      admin.deleteTable(table);
    }
  }

  /** The first line of the error of a client that writes a row; empty when the row is written. */
  String errorOf(String name, String row) throws IOException {
    try (Table table = connection.getTable(TableName.valueOf(name))) {
      table.put(new Put(Bytes.toBytesBinary(row)).addColumn(F, Q, Q));
      return "";
    } catch (DoNotRetryIOException e) {
      return e.getMessage().lines().findFirst().orElseThrow();
    }
  }

  /** Asserts that a row can be written and read. */
  void accepts(String name, String row) throws IOException {
    assertEquals("", errorOf(name, row));
    assertTrue(has(name, row));
  }

  /** Asserts that a row is refused for its layout. */
  void refuses(String name, String row) throws IOException {
    String error = errorOf(name, row);
    assertTrue(error.contains(REFUSED), error);
    assertTrue(error.contains("table=" + name), error);
  }

  boolean has(String name, String row) throws IOException {
    try (Table table = connection.getTable(TableName.valueOf(name))) {
      return table.exists(new Get(Bytes.toBytesBinary(row)));
    }
  }

  void delete(String name, String row) throws IOException {
    try (Table table = connection.getTable(TableName.valueOf(name))) {
      table.delete(new Delete(Bytes.toBytesBinary(row)));
    }
  }

  /** The keys of a table's descriptor that are about Rowguard, or name its classes. */
  List<String> guards(String name) throws IOException {
    Map<Bytes, Bytes> values = admin.getDescriptor(TableName.valueOf(name)).getValues();
    return values.entrySet().stream()
        .map(each -> text(each.getKey()) + "=" + text(each.getValue()))
        .filter(each -> each.contains("rowguard"))
        .sorted()
        .toList();
  }

  private static String text(Bytes bytes) {
    return Bytes.toString(bytes.get(), bytes.getOffset(), bytes.getLength());
  }

  /** The keys at which the regions of a table begin. */
  List<String> startKeys(String name) throws IOException {
    byte[][] keys = connection.getRegionLocator(TableName.valueOf(name)).getStartKeys();
    return Stream.of(keys).map(Bytes::toStringBinary).toList();
  }

  /** The region server's web page, as {@code host:port}. */
  String serverPage() throws IOException {
    ClusterMetrics metrics = admin.getClusterMetrics();
    return "127.0.0.1:"
        + metrics.getLiveServerMetrics().values().iterator().next().getInfoServerPort();
  }

  /** The master's web page, as {@code host:port}. */
  String masterPage() throws IOException {
    return "127.0.0.1:" + admin.getClusterMetrics().getMasterInfoPort();
  }

  @Override
  public void close() throws IOException {
    admin.close();
    connection.close();
    shell.close();
  }
}
