package io.rowguard.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.client.SaltedTable;
import io.rowguard.testing.Eventually;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The data that one version of HBase has written under the server jar's guard, opened by the next
 * one with the same jar: {@code hbase.before} in the project's pom, then the version that this
 * build tests.
 */
class UpgradeIT {
  private static final byte[] F = Bytes.toBytes("f");
  private static final byte[] Q = Bytes.toBytes("q");
  private static final TableName GROUPED = TableName.valueOf("grouped");
  private static final TableName SALTED = TableName.valueOf("salted");
  private static final int TENANTS = 16;

  @TempDir static Path temporary;

  private final Standalone standalone = Standalone.in(temporary);

  @AfterEach
  void discard() throws Exception {
    standalone.discard();
  }

  @Test
  void dataOfTheVersionBefore_openedByThisOne_isWholeAndGuardedAndSplitsOn() throws Exception {
    Path jar = Path.of(System.getProperty("rowguard.server.jar"));
    standalone.setJar(jar, HBaseJars.of(HBaseJars.VERSION_BEFORE));
    standalone.start();
    List<String> grouped;
    List<String> salted;
    int regions;
    try (Connection connection = ConnectionFactory.createConnection(standalone.client())) {
      create(connection);
      work(connection, 0);
      regions = split(connection);
      grouped = rows(connection, GROUPED);
      salted = rows(connection, SALTED);
    }
    Script.ScriptResult stopped = standalone.run("stop");
    assertEquals(0, stopped.status(), stopped.text());

    standalone.setJar(jar);
    standalone.start();
    try (Connection connection = ConnectionFactory.createConnection(standalone.client())) {
      assertEquals(grouped, rows(connection, GROUPED));
      assertEquals(salted, rows(connection, SALTED));
      try (Admin admin = connection.getAdmin()) {
        assertEquals(regions, admin.getRegions(GROUPED).size());
      }
      work(connection, 1);
      assertEquals(2 * grouped.size(), rows(connection, GROUPED).size());
      assertEquals(2 * salted.size(), rows(connection, SALTED).size());
      assertTrue(split(connection) > regions);
    }
    assertEquals(List.of(), standalone.log().lines().filter(l -> l.contains("ABORTING")).toList());
  }

  private static void create(Connection connection) throws IOException {
    TableDescriptor grouped =
        table(GROUPED, "{tenant:word}/{item:digits(6)}")
            .setValue("rowguard.group", "tenant")
            .setRegionSplitPolicyClassName("io.rowguard.split.LayoutRegionSplitPolicy")
            .build();
    TableDescriptor salted =
        table(SALTED, "{salt:digits(2)=murmur3(user)%4}-{user:word}|{n:digits(4)}")
            .setValue("rowguard.mode", "salt")
            .build();
    try (Admin admin = connection.getAdmin()) {
      admin.createTable(grouped);
      admin.createTable(
          salted, new byte[][] {Bytes.toBytes("01-"), Bytes.toBytes("02-"), Bytes.toBytes("03-")});
    }
  }

  private static TableDescriptorBuilder table(TableName name, String layout) throws IOException {
    return TableDescriptorBuilder.newBuilder(name)
        .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
        .setValue("rowguard.layout", layout)
        .setCoprocessor("io.rowguard.observer.LayoutRegionObserver");
  }

  /** Writes and reads as users do, and fails where a rule does not hold. */
  private static void work(Connection connection, int round) throws IOException {
    try (Table grouped = connection.getTable(GROUPED);
        Table salted = connection.getTable(SALTED);
        SaltedTable bare = SaltedTable.open(connection, SALTED)) {
      List<Put> items = new ArrayList<>();
      for (int tenant = 0; tenant < TENANTS; tenant++) {
        for (int item = 0; item < 50; item++) {
          items.add(put(String.format("t%02d/%06d", tenant, 2 * item + round)));
        }
      }
      grouped.put(items);
      assertThrows(DoNotRetryIOException.class, () -> grouped.put(put("t01/12")));

      salted.put(put("alice|000" + round));
      List<Put> batch = new ArrayList<>();
      for (int n = 0; n < 100; n++) {
        batch.add(put(String.format("user%d|%04d", n, round)));
      }
      salted.put(batch);
      for (Put one : batch) {
        Result read = salted.get(new Get(one.getRow()));
        assertEquals(Bytes.toStringBinary(one.getRow()), Bytes.toStringBinary(read.getRow()));
        assertTrue(bare.exists(new Get(one.getRow())));
      }
      assertThrows(DoNotRetryIOException.class, () -> salted.put(put("99-alice|0001")));
    }
    TableDescriptor bad = table(TableName.valueOf("bad"), "{tenant:nosuch}").build();
    try (Admin admin = connection.getAdmin()) {
      assertThrows(DoNotRetryIOException.class, () -> admin.createTable(bad));
    }
  }

  /** Splits once, between two tenants; returns how many regions there are then. */
  private static int split(Connection connection) throws Exception {
    try (Admin admin = connection.getAdmin()) {
      int before = admin.getRegions(GROUPED).size();
      admin.flush(GROUPED);
      admin.split(GROUPED);
      Eventually.isTrue("it has split", () -> admin.getRegions(GROUPED).size() > before);
      assertNoTenantIsCut(connection, admin.getRegions(GROUPED));
      return admin.getRegions(GROUPED).size();
    }
  }

  private static void assertNoTenantIsCut(Connection connection, List<RegionInfo> regions)
      throws IOException {
    Set<String> tenants = new HashSet<>();
    for (RegionInfo region : regions) {
      Set<String> own = new HashSet<>();
      Scan scan = new Scan().withStartRow(region.getStartKey()).withStopRow(region.getEndKey());
      for (String row : rows(connection, GROUPED, scan)) {
        own.add(row.substring(0, row.indexOf('/')));
      }
      own.forEach(tenant -> assertTrue(tenants.add(tenant), "in two regions: " + tenant));
    }
    assertEquals(TENANTS, tenants.size());
  }

  private static Put put(String row) {
    return new Put(Bytes.toBytes(row)).addColumn(F, Q, Bytes.toBytes("of " + row));
  }

  private static List<String> rows(Connection connection, TableName name) throws IOException {
    return rows(connection, name, new Scan());
  }

  /** The rows with what they hold, which must be what was put. */
  private static List<String> rows(Connection connection, TableName name, Scan scan)
      throws IOException {
    List<String> rows = new ArrayList<>();
    try (Table table = connection.getTable(name);
        ResultScanner scanner = table.getScanner(scan)) {
      for (Result result : scanner) {
        String row = Bytes.toString(result.getRow());
        String value = Bytes.toString(result.getValue(F, Q));
        assertTrue(row.endsWith(value.substring("of ".length())), value);
        rows.add(row);
      }
    }
    return rows;
  }
}
