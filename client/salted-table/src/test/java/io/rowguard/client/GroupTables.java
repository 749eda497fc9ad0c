package io.rowguard.client;

import io.rowguard.observer.LayoutRegionObserver;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.CoprocessorDescriptorBuilder;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.coprocessor.MultiRowMutationEndpoint;
import org.apache.hadoop.hbase.util.Bytes;

/** Tables with entity groups, one for each user, and what is in them. */
final class GroupTables {
  static final String SALTED = Tables.LAYOUT;
  static final String PLAIN = "{user:word}|{item:digits(4)}";

  private static final AtomicInteger COUNT = new AtomicInteger();

  private GroupTables() {}

  /**
   * A table with two families, and with HBase's endpoint.
   *
   * @param mode of the region observer; null for none
   */
  static TableName create(
      HBaseTestingUtility hbase, String layout, String mode, Class<?>... coprocessors)
      throws IOException {
    TableName name = TableName.valueOf("groups" + COUNT.incrementAndGet());
    TableDescriptorBuilder table =
        TableDescriptorBuilder.newBuilder(name)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(Tables.F))
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(Tables.G))
            .setValue("rowguard.layout", layout)
            .setValue("rowguard.group", "user")
            .setCoprocessor(MultiRowMutationEndpoint.class.getName());
    if (mode != null) {
      table
          .setValue("rowguard.mode", mode)
          .setCoprocessor(
              CoprocessorDescriptorBuilder.newBuilder(LayoutRegionObserver.class.getName())
                  .setPriority(1001)
                  .build());
    }
    for (Class<?> coprocessor : coprocessors) {
      table.setCoprocessor(coprocessor.getName());
    }
    hbase.getAdmin().createTable(table.build(), Tables.bytes("04-", "08-", "12-"));
    return name;
  }

  /** A value that is compared as the number is. */
  static byte[] number(long number) {
    return Bytes.toBytes(number);
  }

  static Put put(String row, byte[] value) {
    return new Put(Tables.bytes(row)).addColumn(Tables.F, Tables.Q, value);
  }

  static Put put(String row, long value) {
    return put(row, number(value));
  }

  /** The number in a row; null where there is none. */
  static Long number(Table table, String row) throws IOException {
    byte[] value = table.get(new Get(Tables.bytes(row))).getValue(Tables.F, Tables.Q);
    return value == null ? null : Bytes.toLong(value);
  }

  /** The numbers of a group as of one moment, by row. */
  static Map<String, Long> snapshot(RowGroup group) throws IOException {
    Map<String, Long> numbers = new TreeMap<>();
    try (ResultScanner scanner =
        group.scan(new Scan().addColumn(Tables.F, Tables.Q).setCaching(1))) {
      for (Result row = scanner.next(); row != null; row = scanner.next()) {
        numbers.put(Bytes.toString(row.getRow()), Bytes.toLong(row.getValue(Tables.F, Tables.Q)));
      }
    }
    return numbers;
  }
}
