package io.rowguard.observer.salt;

import static io.rowguard.observer.fixture.GuardedTable.F;
import static io.rowguard.observer.fixture.GuardedTable.Q;
import static io.rowguard.observer.fixture.SaltedGuard.salted;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.observer.fixture.DurableCluster;
import io.rowguard.observer.fixture.GuardedTable;
import io.rowguard.observer.fixture.SaltedGuard;
import io.rowguard.observer.fixture.Servers;
import io.rowguard.testing.Eventually;
import io.rowguard.testing.OpenRegions;
import io.rowguard.testing.WholeOnly;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.DoNotRetryRegionException;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.RetriesExhaustedException;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Many writers of bare keys on servers of two handlers each, while regions flush, compact, move,
 * split and merge and a server dies: what was acknowledged is there, once, under its salted row.
 */
@ExtendWith(DurableCluster.Started.class)
@Tag("long")
class SaltUnderFireIT {
  private static final int WRITERS = 32;
  private static final int ROWS_OF_A_BATCH = 20;

  /** Leaves some of the processors to what is done to the regions, which has to wait for less. */
  private static final long PAUSE_MILLIS = 20;

  private final AtomicBoolean over = new AtomicBoolean();
  private final Set<String> sent = ConcurrentHashMap.newKeySet();
  private final Set<String> acknowledged = ConcurrentHashMap.newKeySet();

  private final HBaseTestingUtility hbase;
  private final Servers servers;
  private TableName orders;

  SaltUnderFireIT(DurableCluster cluster) {
    this.hbase = cluster.hbase();
    this.servers = cluster.servers();
  }

  @WholeOnly(after = 1)
  @ParameterizedTest(name = "{0} servers")
  @ValueSource(ints = {2, 3})
  @Timeout(600) // only a deadlock reaches it
  void writers_whileAllMovesAndAServerDies_loseNothing(int count) throws Exception {
    if (count > servers.count()) {
      servers.start();
    }
    assertEquals(count, servers.count());
    try (GuardedTable guarded = createTable();
        Connection connection = ConnectionFactory.createConnection(hbase.getConfiguration())) {
      orders = guarded.name();
      writeWhile(connection, () -> stir(count == 2 ? 2 : 1));
      check(guarded.table());
    } finally {
      while (servers.count() > DurableCluster.SERVERS) {
        servers.stop(servers.otherThan(null));
      }
    }
  }

  private GuardedTable createTable() throws IOException {
    String[] splits = new String[15];
    for (int salt = 1; salt <= splits.length; salt++) {
      splits[salt - 1] = String.format("%02d-", salt);
    }
    return SaltedGuard.table(hbase)
        .with("rowguard.salt.timeout.ms", "2000")
        .withSplits(splits)
        .create();
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

  /** Writes batches of bare keys until it is over; remembers what was acknowledged. */
  private Void write(Connection connection, String name) throws Exception {
    try (Table table = connection.getTable(orders)) {
      for (int batch = 0; !over.get(); batch++) {
        List<Put> puts = new ArrayList<>();
        for (int i = 0; i < ROWS_OF_A_BATCH; i++) {
          String key = name + batch + "y" + i + "|0001";
          sent.add(key);
          puts.add(new Put(Bytes.toBytes(key)).addColumn(F, Q, Bytes.toBytes(key)));
        }
        Object[] results = new Object[puts.size()];
        try {
          table.batch(puts, results);
        } catch (RetriesExhaustedException e) {
          // Some rows were given up; results says which.
          forgetRegions(table);
        }
        for (int i = 0; i < results.length; i++) {
          if (results[i] instanceof Result) {
            acknowledged.add(Bytes.toString(puts.get(i).getRow()));
          }
        }
        TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
      }
    }
    return null;
  }

  /**
   * Two servers may each say of a region that is gone that the other has it; a client that has the
   * region in its cache goes to and fro between them for two minutes.
   */
  private static void forgetRegions(Table table) throws IOException {
    try (RegionLocator locator = table.getRegionLocator()) {
      locator.clearRegionLocationCache();
    }
  }

  /** Does to the regions whatever can happen to them, in an order of its own; kills one server. */
  private void stir(int rounds) throws Exception {
    Random random = new Random(17);
    Admin admin = hbase.getAdmin();
    for (int round = 0; round < rounds; round++) {
      awaitMoreRows();
      admin.flush(orders);
      awaitMoreRows();
      move(admin, random);
      awaitMoreRows();
      split(round);
      awaitMoreRows();
      admin.majorCompact(orders);
      if (round == 0) {
        killOne();
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

  /** Something that is done to a region. */
  private interface Change {
    void make() throws Exception;
  }

  /**
   * Makes a change as soon as HBase lets it: not while the region is on its way, as it may be when
   * its server has just died.
   */
  private static void insist(String what, Change change) throws Exception {
    Eventually.isTrue(
        what,
        () -> {
          try {
            change.make();
            return true;
          } catch (IOException | ExecutionException e) {
            if (isOnItsWay(e)) {
              return false;
            }
            throw e;
          }
        });
  }

  /**
   * Whether HBase refuses a change because a region is in transition, which it says in two ways.
   */
  private static boolean isOnItsWay(Throwable refused) {
    for (Throwable cause = refused; cause != null; cause = cause.getCause()) {
      if (cause instanceof DoNotRetryRegionException
          || String.valueOf(cause.getMessage()).contains("is currently in transition")) {
        return true;
      }
    }
    return false;
  }

  /** Moves all regions, several at a time. */
  private void move(Admin admin, Random random) throws Exception {
    List<ServerName> servers = new ArrayList<>(admin.getRegionServers());
    List<Callable<Void>> moves = new ArrayList<>();
    for (RegionInfo region : admin.getRegions(orders)) {
      ServerName server = servers.get(random.nextInt(servers.size()));
      moves.add(
          () -> {
            insist("a move", () -> admin.move(region.getEncodedNameAsBytes(), server));
            return null;
          });
    }
    ExecutorService movers = Executors.newFixedThreadPool(8);
    try {
      for (Future<Void> move : movers.invokeAll(moves)) {
        move.get();
      }
    } finally {
      movers.shutdownNow();
    }
  }

  /** Splits the region that all bare keys come to, and one that they belong into. */
  private void split(int round) throws Exception {
    OpenRegions.await(hbase, orders);
    for (String point : List.of("w" + (round + 1), "0" + (round + 1) + "-w2")) {
      int before = hbase.getAdmin().getRegions(orders).size();
      insist("a split", () -> hbase.getAdmin().split(orders, Bytes.toBytes(point)));
      Eventually.isTrue(
          "a split at " + point, () -> hbase.getAdmin().getRegions(orders).size() > before);
      OpenRegions.await(hbase, orders);
    }
  }

  /**
   * Merges two neighbours that bare keys belong into; none that was split, since HBase would not.
   */
  private void merge(Admin admin, int round) throws Exception {
    OpenRegions.await(hbase, orders);
    String start = List.of("05-", "08-").get(round);
    List<RegionInfo> regions = new ArrayList<>(admin.getRegions(orders));
    regions.sort(Comparator.naturalOrder());
    int first = 0;
    while (!start.equals(Bytes.toString(regions.get(first).getStartKey()))) {
      first++;
    }
    byte[][] pair = {
      regions.get(first).getEncodedNameAsBytes(), regions.get(first + 1).getEncodedNameAsBytes()
    };
    insist("a merge", () -> admin.mergeRegionsAsync(pair, false).get(5, TimeUnit.MINUTES));
    assertEquals(regions.size() - 1, admin.getRegions(orders).size());
  }

  /** Kills the server that bare keys come to. */
  private void killOne() throws Exception {
    List<RegionInfo> regions = hbase.getAdmin().getRegions(orders);
    ServerName victim = servers.of(regions.get(regions.size() - 1));
    servers.killAndReplace(victim == null ? servers.otherThan(null) : victim);
  }

  private void check(Table table) throws IOException {
    forgetRegions(table);
    Set<String> stored = new TreeSet<>();
    try (ResultScanner scanner = table.getScanner(new Scan().setCaching(1000))) {
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
