package io.rowguard.benchmarks.group;

import io.rowguard.benchmarks.BenchmarkCluster;
import io.rowguard.client.SaltedTable;
import io.rowguard.config.GroupEndpoint;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/** Customers with two accounts each, salted by customer, and transfers between the two. */
final class Accounts {
  static final byte[] FAMILY = {'f'};

  /** Where {@code RowGroup} puts receipts. */
  static final byte[] RECEIPTS = {'r'};

  /** The column that conditions look at; it stays as it is, so that they hold each time. */
  static final byte[] STATE = {'s'};

  static final byte[] OPEN = Bytes.toBytes("open");

  /** The column that transfers write. */
  private static final byte[] BALANCE = {'b'};

  private static final String LAYOUT =
      "{salt:digits(2)=murmur3(user)%16}-{user:digits(8)}|{item:digits(4)}";
  private static final int REGIONS = 16;
  private static final int VALUE_BYTES = 100;
  private static final long SEED = 1;

  private Accounts() {}

  /** Makes a table in which all accounts of so many customers are open. */
  static void create(Connection connection, TableName name, int customers) throws IOException {
    TableDescriptorBuilder table =
        TableDescriptorBuilder.newBuilder(name)
            .setCompactionEnabled(false)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(RECEIPTS))
            .setValue("rowguard.layout", LAYOUT)
            .setValue("rowguard.group", "user")
            .setCoprocessor(BenchmarkCluster.observer())
            .setCoprocessor(GroupEndpoint.NAME);
    byte[][] splits =
        IntStream.range(1, REGIONS)
            .mapToObj(salt -> Bytes.toBytes(String.format(Locale.ROOT, "%02d-", salt)))
            .toArray(byte[][]::new);
    try (Admin admin = connection.getAdmin()) {
      admin.createTable(table.build(), splits);
    }
    try (SaltedTable accounts = SaltedTable.open(connection, name)) {
      List<Put> puts = new ArrayList<>();
      for (int customer = 0; customer < customers; customer++) {
        for (int account = 0; account < 2; account++) {
          puts.add(new Put(account(customer, account)).addColumn(FAMILY, STATE, OPEN));
        }
      }
      accounts.put(puts);
    }
  }

  /** One transfer of each customer: a put for each account, by bare key. */
  static List<List<Put>> transfers(int customers) {
    byte[] value = new byte[VALUE_BYTES];
    new Random(SEED).nextBytes(value);
    return IntStream.range(0, customers)
        .mapToObj(
            customer ->
                IntStream.range(0, 2)
                    .mapToObj(
                        account ->
                            new Put(account(customer, account)).addColumn(FAMILY, BALANCE, value))
                    .toList())
        .toList();
  }

  private static byte[] account(int customer, int number) {
    return Bytes.toBytes(String.format(Locale.ROOT, "%08d|%04d", customer, number));
  }

  /** The customer of a bare key. */
  static byte[] customer(byte[] bareKey) {
    return Bytes.head(bareKey, 8);
  }

  /**
   * Holds a table to what was written to it: who writes less is faster.
   *
   * @throws IllegalStateException unless each account of so many customers has a balance
   */
  static void prove(Connection connection, TableName name, int customers) throws IOException {
    int found = 0;
    try (SaltedTable accounts = SaltedTable.open(connection, name);
        ResultScanner scanner = accounts.getScanner(new Scan().addColumn(FAMILY, BALANCE))) {
      for (Result result = scanner.next(); result != null; result = scanner.next()) {
        found++;
      }
    }
    if (found != 2 * customers) {
      throw new IllegalStateException(
          "table=" + name + " accounts=" + found + " expected=" + 2 * customers);
    }
  }
}
