package io.rowguard.observer;

import static io.rowguard.observer.GuardedTable.F;
import static io.rowguard.observer.GuardedTable.Q;
import static io.rowguard.observer.SaltedGuard.LAYOUT;
import static io.rowguard.observer.SaltedGuard.salted;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.testing.Eventually;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.StartMiniClusterOption;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Many writers of bare keys on servers of two handlers each, while regions flush, compact, move,
 * split and merge and a server dies: what was acknowledged is there, once, under its salted row.
 */
class SaltUnderFireIT {
  private static final int WRITERS = 32;
  private static final int ROWS_OF_A_BATCH = 20;
  private static final TableName ORDERS = TableName.valueOf("orders");

  private final AtomicBoolean over = new AtomicBoolean();
  private final Set<String> sent = ConcurrentHashMap.newKeySet();
  private final Set<String> acknowledged = ConcurrentHashMap.newKeySet();

  @ParameterizedTest(name = "{0} servers")
  @ValueSource(ints = {2, 3})
  @Timeout(600) // only a deadlock reaches it
  void writers_whileAllMovesAndAServerDies_loseNothing(int servers) throws Exception {
    HBaseTestingUtility hbase = new HBaseTestingUtility();
    configure(hbase.getConfiguration());
    hbase.startMiniCluster(
        StartMiniClusterOption.builder().numRegionServers(servers).numDataNodes(1).build());
    try {
      createTable(hbase.getAdmin());
      try (Connection connection = ConnectionFactory.createConnection(hbase.getConfiguration())) {
        writeWhile(connection, () -> stir(hbase));
      }
      check(hbase.getConnection());
    } finally {
      hbase.shutdownMiniCluster();
    }
  }

  /** Something that takes a while. */
  private interface Work {
    void run() throws Exception;
  }

  private void writeWhile(Connection connection, Work work) throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(WRITERS);
    try {
      List<Future<?>> writers = new ArrayList<>();
      for (int i = 0; i < WRITERS; i++) {
        String name = "w" + i + "x";
        writers.add(pool.submit(() -> write(connection, name)));
      }
      work.run();
      over.set(true);
      for (Future<?> writer : writers) {
        writer.get();
      }
    } finally {
      over.set(true);
      pool.shutdownNow();
    }
  }

  private static void configure(Configuration conf) {
    conf.setInt(HConstants.REGION_SERVER_HANDLER_COUNT, 2);
    conf.setInt(HConstants.MASTER_INFO_PORT, -1);
    conf.setInt(HConstants.REGIONSERVER_INFO_PORT, -1);
    conf.setInt("hbase.regionserver.msginterval", 100);
    conf.setLong(HConstants.HBASE_CLIENT_PAUSE, 50);
    conf.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, 30);
    conf.setFloat(HConstants.HFILE_BLOCK_CACHE_SIZE_KEY, 0.1f);
    // A server that died is noticed when its session ends.
    conf.setInt(HConstants.ZK_SESSION_TIMEOUT, 10_000);
  }

  private static void createTable(Admin admin) throws IOException {
    byte[][] splits = new byte[15][];
    for (int salt = 1; salt <= splits.length; salt++) {
      splits[salt - 1] = Bytes.toBytes(String.format("%02d-", salt));
    }
    admin.createTable(
        TableDescriptorBuilder.newBuilder(ORDERS)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
            .setValue("rowguard.layout", LAYOUT.toString())
            .setValue("rowguard.mode", "salt")
            .setValue("rowguard.salt.timeout.ms", "2000")
            .setCoprocessor(LayoutRegionObserver.class.getName())
            .build(),
        splits);
  }

  /** Writes batches of bare keys until it is over; remembers what was acknowledged. */
  private Void write(Connection connection, String name) throws Exception {
    try (Table table = connection.getTable(ORDERS)) {
      for (int batch = 0; !over.get(); batch++) {
        List<Put> puts = new ArrayList<>();
        for (int i = 0; i < ROWS_OF_A_BATCH; i++) {
          String key = name + batch + "y" + i + "|0001";
          sent.add(key);
          puts.add(new Put(Bytes.toBytes(key)).addColumn(F, Q, Bytes.toBytes(key)));
        }
        Object[] told = new Object[puts.size()];
        try {
          table.batch(puts, told);
        } catch (RetriesExhaustedWithDetailsException e) {
          assertTrue(e.getNumExceptions() > 0); // some rows were given up; told says which
        }
        for (int i = 0; i < told.length; i++) {
          if (told[i] instanceof Result) {
            acknowledged.add(Bytes.toString(puts.get(i).getRow()));
          }
        }
      }
    }
    return null;
  }

  /** Does to the regions whatever can happen to them, in an order of its own. */
  private void stir(HBaseTestingUtility hbase) throws Exception {
    Random random = new Random(17);
    Admin admin = hbase.getAdmin();
    for (int round = 0; round < 3; round++) {
      awaitMoreRows();
      admin.flush(ORDERS);
      awaitMoreRows();
      move(admin, random);
      awaitMoreRows();
      split(hbase, round);
      awaitMoreRows();
      admin.majorCompact(ORDERS);
      if (round == 1) {
        killOne(hbase);
      }
      awaitMoreRows();
      merge(admin, round);
      awaitMoreRows();
    }
  }

  private void awaitMoreRows() throws Exception {
    int before = acknowledged.size();
    Eventually.isTrue(
        "more rows are acknowledged than " + before, () -> acknowledged.size() > before + 50);
  }

  private static void move(Admin admin, Random random) throws IOException {
    List<ServerName> servers = new ArrayList<>(admin.getRegionServers());
    for (RegionInfo region : admin.getRegions(ORDERS)) {
      admin.move(region.getEncodedNameAsBytes(), servers.get(random.nextInt(servers.size())));
    }
  }

  /** Splits the region that all bare keys come to, and one that they belong into. */
  private static void split(HBaseTestingUtility hbase, int round) throws Exception {
    for (String point : List.of("w" + (round + 1), "0" + (round + 1) + "-w2")) {
      int before = hbase.getAdmin().getRegions(ORDERS).size();
      hbase.getAdmin().split(ORDERS, Bytes.toBytes(point));
      Eventually.isTrue(
          "a split at " + point, () -> hbase.getAdmin().getRegions(ORDERS).size() > before);
    }
  }

  /**
   * Merges two neighbours that bare keys belong into; none that was split, since HBase would not.
   */
  private static void merge(Admin admin, int round) throws Exception {
    String start = List.of("05-", "08-", "11-").get(round);
    List<RegionInfo> regions = new ArrayList<>(admin.getRegions(ORDERS));
    regions.sort(Comparator.naturalOrder());
    int first = 0;
    while (!start.equals(Bytes.toString(regions.get(first).getStartKey()))) {
      first++;
    }
    byte[][] pair = {
      regions.get(first).getEncodedNameAsBytes(), regions.get(first + 1).getEncodedNameAsBytes()
    };
    admin.mergeRegionsAsync(pair, false).get(2, TimeUnit.MINUTES);
    assertEquals(regions.size() - 1, admin.getRegions(ORDERS).size());
  }

  /** Kills the server that bare keys come to, as a crash does, and starts another. */
  private static void killOne(HBaseTestingUtility hbase) throws Exception {
    List<RegionInfo> regions = hbase.getAdmin().getRegions(ORDERS);
    RegionInfo last = regions.get(regions.size() - 1);
    ServerName victim =
        hbase
            .getConnection()
            .getRegionLocator(ORDERS)
            .getRegionLocation(last.getStartKey(), true)
            .getServerName();
    hbase.getHBaseCluster().killRegionServer(victim);
    hbase.getHBaseCluster().startRegionServer(victim.getHostname(), 0);
    hbase.getHBaseCluster().waitForRegionServerToStop(victim, 60_000);
  }

  private void check(Connection connection) throws IOException {
    Set<String> stored = new TreeSet<>();
    try (Table table = connection.getTable(ORDERS);
        ResultScanner scanner = table.getScanner(new Scan().setCaching(1000))) {
      for (Result result : scanner) {
        String row = Bytes.toString(result.getRow());
        String key = Bytes.toString(result.value());
        assertEquals(salted(key), row, "each row is under its own salt");
        assertTrue(stored.add(key), "twice: " + key);
      }
    }
    Set<String> lost = new TreeSet<>(acknowledged);
    lost.removeAll(stored);
    assertEquals(Set.of(), lost, "acknowledged and lost");
    Set<String> made = new TreeSet<>(stored);
    made.removeAll(sent);
    assertEquals(Set.of(), made, "stored and never sent");
    assertTrue(acknowledged.size() > 1000, acknowledged.size() + " acknowledged");
  }
}
