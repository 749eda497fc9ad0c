package io.rowguard.tools.relayout;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.rowguard.config.Guards;
import io.rowguard.layout.RowText;
import io.rowguard.layout.RowkeyLayout;
import io.rowguard.tools.cluster.TableRegions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/** A guarded table whose layout tests change, with rows of several versions. */
final class MovingTable {
  static final RowkeyLayout EIGHT =
      RowkeyLayout.parse("{salt:digits(2)=murmur3(user)%8}-{user:word}|{item:digits(4)}");
  static final RowkeyLayout SIXTEEN =
      RowkeyLayout.parse("{salt:digits(2)=murmur3(user)%16}-{user:word}|{item:digits(4)}");
  static final RowkeyLayout UNSALTED = RowkeyLayout.parse("{user:word}|{item:digits(4)}");

  private static final byte[] F = Bytes.toBytes("f");

  private final HBaseTestingUtility hbase;
  private final TableName name;

  private MovingTable(HBaseTestingUtility hbase, TableName name) {
    this.hbase = hbase;
    this.name = name;
  }

  /** Creates the table. */
  static MovingTable create(
      HBaseTestingUtility hbase, String name, RowkeyLayout layout, String mode, String... splits)
      throws IOException {
    TableName table = TableName.valueOf(name);
    byte[][] keys = new byte[splits.length][];
    for (int i = 0; i < splits.length; i++) {
      keys[i] = Bytes.toBytes(splits[i]);
    }
    hbase
        .getAdmin()
        .createTable(
            TableDescriptorBuilder.newBuilder(table)
                .setColumnFamily(
                    ColumnFamilyDescriptorBuilder.newBuilder(F).setMaxVersions(3).build())
                .setValue("rowguard.layout", layout.toString())
                .setValue("rowguard.group", "user")
                .setValue("rowguard.mode", mode)
                .setCoprocessor(Guards.OBSERVER)
                .setRegionSplitPolicyClassName(Guards.POLICY)
                .build(),
            keys);
    return new MovingTable(hbase, table);
  }

  /** A row that conforms to {@link #SIXTEEN} only, of no user that {@link #fill} knows. */
  static String strayRow() {
    for (char user = 'a'; user <= 'z'; user++) {
      byte[] row = SIXTEEN.complete((user + "|0001").getBytes(UTF_8));
      if (!EIGHT.check(row).conforms()) {
        return new String(row, UTF_8);
      }
    }
    throw new AssertionError("All users have the same salt under both layouts.");
  }

  TableName name() {
    return name;
  }

  /** Writes some rows of each of so many users, with two versions and a column that is deleted. */
  void fill(RowkeyLayout layout, int users, int items) throws IOException {
    List<Put> puts = new ArrayList<>();
    for (int user = 0; user < users; user++) {
      for (int item = 0; item < items; item++) {
        byte[] row = layout.complete(String.format("u%d|%04d", user, item).getBytes(UTF_8));
        for (long version = 1; version <= 2; version++) {
          puts.add(
              new Put(row, 1_000_000 + version)
                  .addColumn(F, Bytes.toBytes("q"), Bytes.toBytes("v" + version + user))
                  .addColumn(F, Bytes.toBytes("r"), Bytes.toBytes(item)));
        }
      }
    }
    try (Table table = hbase.getConnection().getTable(name)) {
      table.put(puts);
    }
  }

  /** Writes a row of each of so many users, of about so many bytes that nothing compresses. */
  void fillLarge(RowkeyLayout layout, int users, int bytes) throws IOException {
    Random random = new Random(users);
    try (Table table = hbase.getConnection().getTable(name)) {
      for (int user = 0; user < users; user++) {
        byte[] value = new byte[bytes];
        random.nextBytes(value);
        byte[] row = layout.complete(("u" + user + "|0001").getBytes(UTF_8));
        table.put(new Put(row).addColumn(F, F, value));
      }
    }
  }

  void put(String row) throws IOException {
    try (Table table = hbase.getConnection().getTable(name)) {
      table.put(new Put(Bytes.toBytes(row)).addColumn(F, F, F));
    }
  }

  void put(byte[] row, long timestamp) throws IOException {
    try (Table table = hbase.getConnection().getTable(name)) {
      table.put(new Put(row, timestamp).addColumn(F, F, F));
    }
  }

  /** Alters values of the descriptor, given as keys and values; a value of null is removed. */
  void alter(String... keysAndValues) throws IOException {
    TableDescriptorBuilder changed =
        TableDescriptorBuilder.newBuilder(hbase.getAdmin().getDescriptor(name));
    for (int i = 0; i < keysAndValues.length; i += 2) {
      changed.setValue(keysAndValues[i], keysAndValues[i + 1]);
    }
    hbase.getAdmin().modifyTable(changed.build());
  }

  /** All cells, with timestamps, by bare key; fails where a row does not conform. */
  Map<String, String> cells(RowkeyLayout layout) throws IOException {
    Map<String, String> cells = new TreeMap<>();
    try (Table table = hbase.getConnection().getTable(name);
        ResultScanner scanner = table.getScanner(new Scan().readAllVersions())) {
      for (Result result : scanner) {
        StringBuilder text = new StringBuilder();
        for (Cell cell : result.rawCells()) {
          text.append(Bytes.toString(CellUtil.cloneQualifier(cell)))
              .append(cell.getTimestamp())
              .append(Bytes.toStringBinary(CellUtil.cloneValue(cell)))
              .append(' ');
        }
        cells.put(RowText.toStringBinary(layout.strip(result.getRow())), text.toString());
      }
    }
    return cells;
  }

  /** The descriptor's value of a key. */
  String value(String key) throws IOException {
    return hbase.getAdmin().getDescriptor(name).getValue(key);
  }

  int regions() throws IOException {
    return hbase.getAdmin().getRegions(name).size();
  }

  List<String> startKeys() throws IOException {
    return TableRegions.startKeys(hbase.getConnection(), name).stream()
        .map(Bytes::toString)
        .toList();
  }
}
