package io.rowguard.deploy;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.testing.Eventually;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.ClusterMetrics.Option;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * One region server has the server jar and another has not, as in the middle of an installation
 * that did things in the wrong order; or another has the jar and the HBase before, as in the middle
 * of an upgrade. Real processes, each with a class path of its own.
 */
class RollingInstallIT {
  private static final byte[] F = Bytes.toBytes("f");
  private static final byte[] Q = Bytes.toBytes("q");
  private static final byte[] GOOD = Bytes.toBytes("12345678");
  private static final byte[] BAD = Bytes.toBytes("x");
  private static final String OBSERVER = "io.rowguard.observer.LayoutRegionObserver";
  private static final String POLICY = "io.rowguard.split.LayoutRegionSplitPolicy";
  private static final long PATIENCE_MILLIS = 180_000;

  @TempDir static Path temporary;

  private static Processes hbase;
  private static Connection connection;
  private static Admin admin;
  private static ServerName withJar;

  @BeforeAll
  static void start() throws Exception {
    hbase = Processes.start(temporary.resolve("hbase"));
    connection = ConnectionFactory.createConnection(hbase.client());
    admin = connection.getAdmin();
    withJar = admin.getRegionServers().iterator().next();
  }

  @AfterAll
  static void stop() throws Exception {
    if (connection != null) {
      connection.close();
    }
    if (hbase != null) {
      hbase.end();
    }
  }

  @Test
  void tableWithoutRowguard_onAServerWithoutTheJar_isServed() throws Exception {
    TableName name = create("plain", false, false);
    Process process = hbase.startRegionServer("plain-server", false);
    ServerName server = newcomer("plain-server");

    move(name, server);

    put(name, GOOD);
    assertTrue(process.isAlive());
    leave(process, server);
  }

  @Test
  void tableWithObserver_movedToAServerWithoutTheJar_abortsItAndComesBack() throws Exception {
    TableName name = create("observed", true, false);
    put(name, GOOD);
    Process process = hbase.startRegionServer("observed-server", false);
    ServerName server = newcomer("observed-server");

    admin.move(region(name).getEncodedNameAsBytes(), server);

    assertTrue(process.waitFor(PATIENCE_MILLIS, TimeUnit.MILLISECONDS), "the server ends");
    String log = hbase.log("observed-server");
    assertTrue(log.contains("ABORTING region server"), log);
    assertTrue(log.contains(OBSERVER), log);
    Eventually.isTrue("it is gone", () -> !admin.getRegionServers().contains(server));
    Eventually.isTrue("the region is back", () -> isServed(name) && withJar.equals(serverOf(name)));
    assertRefused(name);
  }

  @Test
  void tableWithSplitPolicyOnly_movedToAServerWithoutTheJar_comesBack() throws Exception {
    TableName name = create("policied", false, true);
    put(name, GOOD);
    Process process = hbase.startRegionServer("policied-server", false);
    ServerName server = newcomer("policied-server");

    admin.move(region(name).getEncodedNameAsBytes(), server);

    Eventually.isTrue(
        "it was tried and refused",
        () -> hbase.log("policied-server").contains("Failed to open region"));
    leave(process, server);
    Eventually.isTrue("the region is back", () -> isServed(name) && withJar.equals(serverOf(name)));
  }

  @Test
  void tableWithBoth_movedToAServerWithTheJar_isGuardedThere() throws Exception {
    TableName name = create("both", true, true);
    put(name, GOOD);
    Process process = hbase.startRegionServer("both-server", true);
    ServerName server = newcomer("both-server");

    move(name, server);

    assertTrue(isServed(name));
    assertRefused(name);
    leave(process, server);
    Eventually.isTrue("the region is back", () -> isServed(name));
  }

  /** Rows written through one of them go to regions of the other. */
  @Test
  void saltedTable_onServersOfTwoVersionsOfHBase_isWrittenAndReadThroughBoth() throws Exception {
    TableName name = TableName.valueOf("salted");
    admin.createTable(
        TableDescriptorBuilder.newBuilder(name)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
            .setValue("rowguard.layout", "{salt:digits(2)=murmur3(id)%4}-{id:digits(8)}")
            .setValue("rowguard.mode", "salt")
            .setCoprocessor(OBSERVER)
            .setRegionSplitPolicyClassName(POLICY)
            .build(),
        // Salted rows lie in the first two regions, bare keys with 1 in the second, with 2 in the
        // third.
        new byte[][] {Bytes.toBytes("02-"), Bytes.toBytes("2")});
    Process process =
        hbase.startRegionServer("before-server", true, HBaseJars.of(HBaseJars.VERSION_BEFORE));
    ServerName server = newcomer("before-server");
    List<RegionInfo> regions = admin.getRegions(name);
    for (RegionInfo region : List.of(regions.get(0), regions.get(2))) {
      admin.move(region.getEncodedNameAsBytes(), server);
      Eventually.isTrue("it is there", () -> server.equals(serverOf(name, region.getStartKey())));
    }
    assertEquals(withJar, serverOf(name, regions.get(1).getStartKey()));

    List<Put> puts = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      byte[] bare = Bytes.toBytes(String.format("%d%07d", 1 + i % 2, i));
      puts.add(new Put(bare).addColumn(F, Q, bare));
    }
    try (Table table = connection.getTable(name)) {
      table.put(puts);
      for (Put put : puts) {
        assertArrayEquals(put.getRow(), table.get(new Get(put.getRow())).getValue(F, Q));
      }
      assertThrows(DoNotRetryIOException.class, () -> put(name, BAD));
      leave(process, server);
      for (Put put : puts) {
        assertTrue(table.exists(new Get(put.getRow())));
      }
    }
  }

  private static TableName create(String name, boolean observer, boolean policy)
      throws IOException {
    TableName table = TableName.valueOf(name);
    TableDescriptorBuilder descriptor =
        TableDescriptorBuilder.newBuilder(table)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F));
    if (observer || policy) {
      descriptor.setValue("rowguard.layout", "{id:digits(8)}");
    }
    if (observer) {
      descriptor.setCoprocessor(OBSERVER);
    }
    if (policy) {
      descriptor.setRegionSplitPolicyClassName(POLICY);
    }
    admin.createTable(descriptor.build());
    assertEquals(withJar, serverOf(table), "there is no other server yet");
    return table;
  }

  /** The server that has just been started. */
  private static ServerName newcomer(String name) throws Exception {
    // Before that, it is known and refuses regions.
    Eventually.isTrue("it serves", () -> hbase.log(name).contains("Serving as "));
    // HBase 3.0 sends regions only to servers that have reported since they registered.
    Eventually.isTrue("it has reported to the master", () -> others().size() == 1);
    return others().get(0);
  }

  /** The servers that have reported to the master, but for the first. */
  private static List<ServerName> others() throws IOException {
    return admin
        .getClusterMetrics(EnumSet.of(Option.LIVE_SERVERS))
        .getLiveServerMetrics()
        .values()
        .stream()
        .filter(metrics -> metrics.getLastReportTimestamp() > 0)
        .map(ServerMetrics::getServerName)
        .filter(server -> !server.equals(withJar))
        .toList();
  }

  private static void move(TableName table, ServerName server) throws Exception {
    admin.move(region(table).getEncodedNameAsBytes(), server);
    Eventually.isTrue("the region is on " + server, () -> server.equals(serverOf(table)));
  }

  /** Ends a region server and waits until the master has seen it. */
  private static void leave(Process process, ServerName server) throws Exception {
    assertNotEquals(withJar, server);
    process.destroy();
    assertTrue(process.waitFor(PATIENCE_MILLIS, TimeUnit.MILLISECONDS), "the server ends");
    Eventually.isTrue("it is gone", () -> !admin.getRegionServers().contains(server));
  }

  private static RegionInfo region(TableName table) throws IOException {
    return admin.getRegions(table).get(0);
  }

  private static ServerName serverOf(TableName table) throws IOException {
    return serverOf(table, GOOD);
  }

  private static ServerName serverOf(TableName table, byte[] row) throws IOException {
    return connection.getRegionLocator(table).getRegionLocation(row, true).getServerName();
  }

  private static void put(TableName name, byte[] row) throws IOException {
    try (Table table = connection.getTable(name)) {
      table.put(new Put(row).addColumn(F, Q, Q));
    }
  }

  private static boolean isServed(TableName name) throws IOException {
    try (Table table = connection.getTable(name)) {
      return table.exists(new Get(GOOD));
    }
  }

  private static void assertRefused(TableName name) {
    DoNotRetryIOException refusal = assertThrows(DoNotRetryIOException.class, () -> put(name, BAD));
    assertFalse(refusal.getMessage().isEmpty());
  }
}
