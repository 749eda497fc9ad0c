package io.rowguard.client;

import io.rowguard.checker.RowState;
import io.rowguard.checker.RowState.Column;
import io.rowguard.layout.RowkeyLayout;
import io.rowguard.observer.LayoutRegionObserver;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.CoprocessorDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.util.Bytes;

/** A table on which there is traffic: its keys, and the layouts of its rows. Thread-safe. */
final class LiveTable {
  /** Kinds of operations on a key, each with one right answer. */
  enum Kind {
    /** Increments and appends, never a delete: each counts once. */
    COUNTER,
    /** Everything, but by nobody whose writes are forwarded with timestamps of another server. */
    ATOMIC,
    /** Puts and deletes by everybody. */
    PLAIN
  }

  static final int USERS = 240;
  static final int ITEMS = 5;
  private static final int HOT = 6;

  private final TableName name;
  private final boolean forwards;
  private volatile RowkeyLayout home;
  private volatile RowkeyLayout other;

  private LiveTable(TableName name, boolean forwards, RowkeyLayout home) {
    this.name = name;
    this.forwards = forwards;
    this.home = home;
    this.other = home;
  }

  /** A new table, with the cold rows in it. */
  static LiveTable create(LiveCluster cluster, String name, String mode, String layout)
      throws IOException {
    RowkeyLayout home = RowkeyLayout.parse(layout);
    LiveTable table = new LiveTable(TableName.valueOf(name), mode.equals("salt"), home);
    TableDescriptorBuilder descriptor =
        TableDescriptorBuilder.newBuilder(table.name)
            .setValue("rowguard.layout", layout)
            .setValue("rowguard.group", "user")
            .setValue("rowguard.mode", mode)
            .setValue("rowguard.relayout.verify", "all")
            .setCoprocessor(
                CoprocessorDescriptorBuilder.newBuilder(LayoutRegionObserver.class.getName())
                    .setPriority(1001)
                    .build());
    descriptor.setColumnFamily(
        // Without it, HBase since 2.6 may leave a row out of a reversed scan; hbase-facts.md.
        ColumnFamilyDescriptorBuilder.newBuilder(Column.C1.family())
            .setDataBlockEncoding(DataBlockEncoding.ROW_INDEX_V1)
            .build());
    cluster.hbase().getAdmin().createTable(descriptor.build(), table.boundaries(home));
    List<Put> puts = new ArrayList<>();
    table
        .cold()
        .forEach(
            (key, row) ->
                puts.add(
                    new Put(home.complete(Bytes.toBytes(key)))
                        .addColumn(
                            Column.C1.family(),
                            Column.C1.qualifier(),
                            Bytes.toBytes(row.get(Column.C1)))));
    try (Table cold = cluster.patient().getTable(table.name)) {
      cold.put(puts);
    }
    return table;
  }

  TableName name() {
    return name;
  }

  /** Whether its servers forward what is written elsewhere. */
  boolean forwards() {
    return forwards;
  }

  /** The layout of the rows that take the writes, as far as its operator knows. */
  RowkeyLayout home() {
    return home;
  }

  /** The layout that rows come from or go to; outside a relayout one that they had. */
  RowkeyLayout other() {
    return other;
  }

  /** Says to which layout rows will go. */
  void setOther(RowkeyLayout other) {
    this.other = other;
  }

  /** Says that rows are at home where they were not. */
  void exchange() {
    RowkeyLayout left = home;
    home = other;
    other = left;
  }

  SaltedTable open(Connection connection) throws IOException {
    return SaltedTable.open(connection, name);
  }

  /** Where regions may begin, so that the rows of a layout have some of their own. */
  byte[][] boundaries(RowkeyLayout layout) {
    TreeMap<String, byte[]> boundaries = new TreeMap<>();
    for (int user = 0; user < USERS; user += USERS / 4) {
      byte[] row = layout.complete(Bytes.toBytes(user(user) + "|0000"));
      byte[] start = layout.hasDerivedSegments() ? Bytes.head(row, 3) : row;
      boundaries.put(Bytes.toStringBinary(start), start);
    }
    boundaries.pollFirstEntry();
    return boundaries.values().toArray(new byte[0][]);
  }

  static String user(int number) {
    return String.format("u%04d", number);
  }

  static List<String> hot() {
    List<String> keys = new ArrayList<>();
    for (int user = 0; user < USERS; user += HOT) {
      for (int item = 0; item < ITEMS; item++) {
        keys.add(String.format("%s|%04d", user(user), item));
      }
    }
    return keys;
  }

  /** Kinds of operations on a hot key. */
  static Kind kindOf(String key) {
    switch (Integer.parseInt(key.substring(key.length() - 4)) % ITEMS) {
      case 0:
        return Kind.COUNTER;
      case 1:
      case 2:
        return Kind.ATOMIC;
      default:
        return Kind.PLAIN;
    }
  }

  /** The rows that nobody changes. */
  Map<String, RowState> cold() {
    Map<String, RowState> rows = new TreeMap<>();
    for (int user = 0; user < USERS; user++) {
      for (int item = 0; item < ITEMS; item++) {
        if (user % HOT != 0) {
          String key = String.format("%s|%04d", user(user), item);
          rows.put(key, RowState.EMPTY.with(Column.C1, "m-cold-" + key));
        }
      }
    }
    return rows;
  }
}
