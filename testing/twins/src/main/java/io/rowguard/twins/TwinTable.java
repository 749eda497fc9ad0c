package io.rowguard.twins;

import io.rowguard.config.RawConnections;
import io.rowguard.layout.RowkeyLayout;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Makes a table, fills it, or prints its rows, with the connection that the hbase-site.xml on the
 * class path names.
 *
 * <pre>{@code
 * TwinTable create TABLE FAMILY plain|salted
 * TwinTable fill TABLE FAMILY ROWS
 * TwinTable rows TABLE cells|sizes
 * TwinTable stored TABLE plain|salted
 * }</pre>
 *
 * <p>A salted table has a region for each of its four buckets. {@code rows} prints a line for each
 * cell, with its value or the size of it, and no timestamp. {@code stored} counts the rows as they
 * are stored; of a salted table each must conform to the layout, else the exit code is 1.
 */
public final class TwinTable {
  private static final String LAYOUT = "{salt:uint8=murmur3(*)%4}{key:bytes}";

  private final Connection connection;
  private final TableName name;

  private TwinTable(Connection connection, TableName name) {
    this.connection = connection;
    this.name = name;
  }

  /** The program. Exit code 2: wrong arguments. */
  public static void main(String[] arguments) throws IOException {
    List<String> rest = Arrays.asList(arguments);
    if (rest.size() < 3) {
      fail();
    }
    try (Connection connection = ConnectionFactory.createConnection(HBaseConfiguration.create())) {
      TwinTable table = new TwinTable(connection, TableName.valueOf(rest.get(1)));
      if (rest.get(0).equals("create") && rest.size() == 4) {
        table.create(Bytes.toBytes(rest.get(2)), rest.get(3).equals("salted"));
      } else if (rest.get(0).equals("fill") && rest.size() == 4) {
        table.fill(Bytes.toBytes(rest.get(2)), Integer.parseInt(rest.get(3)));
      } else if (rest.get(0).equals("rows") && rest.size() == 3) {
        table.print(rest.get(2).equals("sizes"));
      } else if (rest.get(0).equals("stored") && rest.size() == 3) {
        table.count(rest.get(2).equals("salted"));
      } else {
        fail();
      }
    }
  }

  private static void fail() {
    System.err.println(
        "usage: TwinTable create TABLE FAMILY plain|salted | fill TABLE FAMILY ROWS | rows TABLE"
            + " cells|sizes | stored TABLE plain|salted");
    System.exit(2);
  }

  private void create(byte[] family, boolean salted) throws IOException {
    TableDescriptorBuilder table =
        TableDescriptorBuilder.newBuilder(name)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(family));
    byte[][] splits = {{1}, {2}, {3}};
    try (Admin admin = connection.getAdmin()) {
      if (salted) {
        admin.createTable(table.setValue("rowguard.layout", LAYOUT).build(), splits);
      } else {
        admin.createTable(table.build());
      }
    }
  }

  /** Rows as {@code user07|0003}, twenty of each user. */
  private void fill(byte[] family, int rows) throws IOException {
    List<Put> puts = new ArrayList<>();
    for (int i = 0; i < rows; i++) {
      byte[] row = Bytes.toBytes(String.format("user%02d|%04d", i / 20, i % 20));
      puts.add(
          new Put(row)
              .addColumn(family, Bytes.toBytes("name"), Bytes.toBytes("item " + i))
              .addColumn(family, Bytes.toBytes("price"), Bytes.toBytes("" + i * 7 % 100)));
    }
    try (Table table = connection.getTable(name)) {
      table.put(puts);
    }
  }

  private void count(boolean salted) throws IOException {
    RowkeyLayout layout = RowkeyLayout.parse(LAYOUT);
    int rows = 0;
    try (Connection own =
            ConnectionFactory.createConnection(RawConnections.of(connection.getConfiguration()));
        Table table = own.getTable(name);
        ResultScanner scanner = table.getScanner(new Scan())) {
      for (Result result = scanner.next(); result != null; result = scanner.next()) {
        if (salted && !layout.check(result.getRow()).conforms()) {
          System.err.println("It is not salted: " + Bytes.toStringBinary(result.getRow()));
          System.exit(1);
        }
        rows++;
      }
    }
    System.out.println(rows);
  }

  private void print(boolean sizes) throws IOException {
    try (Table table = connection.getTable(name);
        ResultScanner scanner = table.getScanner(new Scan())) {
      for (Result result = scanner.next(); result != null; result = scanner.next()) {
        for (Cell cell : result.rawCells()) {
          byte[] value = CellUtil.cloneValue(cell);
          System.out.println(
              Bytes.toStringBinary(CellUtil.cloneRow(cell))
                  + " "
                  + Bytes.toString(CellUtil.cloneFamily(cell))
                  + ":"
                  + Bytes.toStringBinary(CellUtil.cloneQualifier(cell))
                  + " "
                  + (sizes ? value.length + " bytes" : Bytes.toStringBinary(value)));
        }
      }
    }
  }
}
