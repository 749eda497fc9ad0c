package io.rowguard.client;

import io.rowguard.layout.RowkeyLayout;
import io.rowguard.observer.LayoutRegionObserver;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.CoprocessorDescriptorBuilder;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Tables for tests, and what is in them. Rows are written as {@code Bytes.toStringBinary} has it.
 */
final class Tables {
  static final byte[] F = Bytes.toBytes("f");
  static final byte[] G = Bytes.toBytes("g");
  static final byte[] Q = Bytes.toBytes("q");
  static final String LAYOUT = "{salt:digits(2)=murmur3(user)%16}-{user:word}|{item:digits(4)}";
  static final String FOUR = "{salt:digits(2)=murmur3(user)%4}-{user:word}|{item:digits(4)}";
  static final String[] SPLITS = {"03-", "04-", "08-m", "12."};

  private static final AtomicInteger COUNT = new AtomicInteger();

  private Tables() {}

  /** A table with two families of three versions; with the observer where a mode is given. */
  static TableName create(HBaseTestingUtility hbase, String layout, String mode, String... splits)
      throws IOException {
    return create(hbase, layout, mode, bytes(splits));
  }

  static TableName create(HBaseTestingUtility hbase, String layout, String mode, byte[][] splits)
      throws IOException {
    TableName name = TableName.valueOf("salted" + COUNT.incrementAndGet());
    TableDescriptorBuilder table = TableDescriptorBuilder.newBuilder(name);
    for (byte[] family : new byte[][] {F, G}) {
      table.setColumnFamily(
          ColumnFamilyDescriptorBuilder.newBuilder(family).setMaxVersions(3).build());
    }
    if (layout != null) {
      table.setValue("rowguard.layout", layout);
    }
    if (mode != null) {
      table.setValue("rowguard.mode", mode);
      table.setCoprocessor(
          CoprocessorDescriptorBuilder.newBuilder(LayoutRegionObserver.class.getName())
              .setPriority(1001)
              .build());
    }
    hbase.getAdmin().createTable(table.build(), splits);
    return name;
  }

  /** Has every region of a table load one more coprocessor. */
  static void load(HBaseTestingUtility hbase, TableName name, Class<?> coprocessor)
      throws IOException {
    hbase
        .getAdmin()
        .modifyTable(
            TableDescriptorBuilder.newBuilder(hbase.getAdmin().getDescriptor(name))
                .setCoprocessor(coprocessor.getName())
                .build());
  }

  static void drop(HBaseTestingUtility hbase, TableName... names) throws IOException {
    for (TableName name : names) {
      hbase.deleteTable(name);
    }
  }

  /** A salted table of the usual layout in five regions, no plugin on the servers. */
  static SaltedTable open(HBaseTestingUtility hbase) throws IOException {
    return SaltedTable.open(hbase.getConnection(), create(hbase, LAYOUT, null, SPLITS));
  }

  static byte[] bytes(String text) {
    return Bytes.toBytesBinary(text);
  }

  static byte[][] bytes(String... texts) {
    byte[][] bytes = new byte[texts.length][];
    for (int i = 0; i < texts.length; i++) {
      bytes[i] = bytes(texts[i]);
    }
    return bytes;
  }

  static Put put(String row, String value) {
    return new Put(bytes(row)).addColumn(F, Q, bytes(value));
  }

  static Get get(String row) {
    return new Get(bytes(row));
  }

  /** Writes these rows, each with itself as its value. */
  static void fill(Table table, Iterable<String> rows) throws IOException {
    table.put(puts(rows));
  }

  static void fill(AsyncTable<?> table, Iterable<String> rows) throws IOException {
    AsyncView.get(table.putAll(puts(rows)));
  }

  private static List<Put> puts(Iterable<String> rows) {
    List<Put> puts = new ArrayList<>();
    for (String row : rows) {
      puts.add(put(row, row));
    }
    return puts;
  }

  /** Keys of so many users, items 0 to {@code items} - 1 each, in ascending order. */
  static List<String> keys(int users, int items) {
    List<String> keys = new ArrayList<>();
    for (int user = 0; user < users; user++) {
      for (int item = 0; item < items; item++) {
        keys.add(String.format("u%04d|%04d", user, item));
      }
    }
    return keys;
  }

  static List<String> rows(Table table, Scan scan) throws IOException {
    List<String> rows = new ArrayList<>();
    try (ResultScanner scanner = table.getScanner(scan)) {
      for (Result result = scanner.next(); result != null; result = scanner.next()) {
        rows.add(Bytes.toStringBinary(result.getRow()));
      }
    }
    return rows;
  }

  static List<String> rows(List<Result> results) {
    List<String> rows = new ArrayList<>();
    for (Result result : results) {
      rows.add(Bytes.toStringBinary(result.getRow()));
    }
    return rows;
  }

  /** Everything that a result says, as text. */
  static String show(Result result) {
    if (result == null) {
      return "null";
    }
    StringBuilder text = new StringBuilder();
    if (result.getExists() != null) {
      text.append("exists=").append(result.getExists()).append(' ');
    }
    if (result.isEmpty()) {
      return text.append("empty").toString();
    }
    text.append(Bytes.toStringBinary(result.getRow())).append(':');
    for (Cell cell : result.rawCells()) {
      text.append(' ').append(show(cell));
    }
    return text.toString();
  }

  static String show(Cell cell) {
    return Bytes.toStringBinary(CellUtil.cloneRow(cell))
        + "/"
        + Bytes.toStringBinary(CellUtil.cloneFamily(cell))
        + ":"
        + Bytes.toStringBinary(CellUtil.cloneQualifier(cell))
        + "@"
        + cell.getTimestamp()
        + " "
        + cell.getType()
        + "="
        + Bytes.toStringBinary(CellUtil.cloneValue(cell));
  }

  /** The table with its salted rows, past the SaltedTable. */
  static Table salted(HBaseTestingUtility hbase, TableName name) throws IOException {
    return hbase.getConnection().getTable(name);
  }

  static byte[] complete(String bareKey) {
    return RowkeyLayout.parse(LAYOUT).complete(bytes(bareKey));
  }
}
