package io.rowguard.client;

import static io.rowguard.client.GroupTables.number;
import static io.rowguard.client.GroupTables.put;
import static io.rowguard.client.Tables.F;
import static io.rowguard.client.Tables.G;
import static io.rowguard.client.Tables.Q;
import static io.rowguard.client.Tables.bytes;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.layout.RowkeyLayout;
import io.rowguard.testing.Eventually;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.regionserver.HRegionServer;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.JVMClusterUtil.RegionServerThread;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * A bank whose customers are entity groups: clients transfer between the accounts of a customer
 * while regions split, merge and move, servers die and the layout changes. Money neither comes nor
 * goes, in any snapshot, and each transfer is in the customer's ledger exactly when commit said so.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("long")
class BankIT {
  private static final long SEED = 38;
  private static final int CLIENTS = 16;
  private static final int READERS = 2;
  private static final int CUSTOMERS = 8;
  private static final int ACCOUNTS = 4;
  private static final long FIRST_BALANCE = 1000;
  private static final String LEDGER = "9999";

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<Future<?>> running = new ArrayList<>();
  private final Set<String> done = new ConcurrentSkipListSet<>();
  private final Set<String> notDone = new ConcurrentSkipListSet<>();
  private final Set<String> unknown = new ConcurrentSkipListSet<>();
  private final Map<String, String> failures = new ConcurrentHashMap<>();
  private final AtomicInteger snapshots = new AtomicInteger();
  private volatile boolean isOver;
  private LiveCluster cluster;
  private TableName name;
  private SaltedTable table;

  @BeforeAll
  void start() {
    cluster = new LiveCluster();
  }

  @AfterAll
  void stop() throws Exception {
    isOver = true;
    threads.shutdownNow();
    cluster.close();
  }

  @BeforeEach
  void create() throws IOException {
    name = GroupTables.create(cluster.hbase(), GroupTables.SALTED, "reject");
    table = open();
    for (int customer = 0; customer < CUSTOMERS; customer++) {
      for (int account = 0; account < ACCOUNTS; account++) {
        table.put(put(account(customer, account), FIRST_BALANCE));
      }
    }
  }

  @AfterEach
  void close() throws IOException {
    table.close();
  }

  private SaltedTable open() throws IOException {
    return SaltedTable.open(cluster.patient(), name);
  }

  private static String customer(int number) {
    return "customer" + number;
  }

  private static String account(int customer, int number) {
    return String.format("%s|%04d", customer(customer), number);
  }

  private static byte[] ledger(int customer) {
    return bytes(customer(customer) + "|" + LEDGER);
  }

  private static RowGroup group(SaltedTable bank, int customer) throws IOException {
    return RowGroup.of(bank, bytes(customer(customer)));
  }

  private Void transferUntilOver(int client) throws IOException {
    Random random = new Random(SEED + client);
    try (SaltedTable bank = open()) {
      for (int i = 0; !isOver; i++) {
        int customer = random.nextInt(CUSTOMERS);
        int from = random.nextInt(ACCOUNTS);
        int to = (from + 1 + random.nextInt(ACCOUNTS - 1)) % ACCOUNTS;
        String id = customer(customer) + "/" + client + "-" + i;
        GroupTransaction transfer = transfer(bank, id, customer, from, to, random);
        if (random.nextBoolean()) {
          transfer.receipt(ledger(customer), F);
        }
        commit(id, transfer);
      }
    }
    return null;
  }

  private static GroupTransaction transfer(
      SaltedTable bank, String id, int customer, int from, int to, Random random)
      throws IOException {
    String debit = account(customer, from);
    String credit = account(customer, to);
    long debited = number(bank, debit);
    long credited = number(bank, credit);
    long amount = random.nextInt((int) debited + 1);
    return group(bank, customer)
        .when(bytes(debit))
        .column(F, Q)
        .is(CompareOperator.EQUAL, number(debited))
        .when(bytes(credit))
        .column(F, Q)
        .is(CompareOperator.EQUAL, number(credited))
        .put(put(debit, debited - amount))
        .put(put(credit, credited + amount))
        .put(new Put(ledger(customer)).addColumn(G, bytes(id), number(amount)));
  }

  private void commit(String id, GroupTransaction transfer) throws IOException {
    try {
      (transfer.commit() ? done : notDone).add(id);
    } catch (CommitUnknownException e) {
      if (e.receipt() == null) {
        unknown.add(id);
      } else {
        (e.receipt().settle() ? done : notDone).add(id);
      }
    } catch (IOException e) {
      notDone.add(id);
      failures.put(id, "" + e);
    }
  }

  private Void readUntilOver() throws IOException {
    try (SaltedTable bank = open()) {
      for (int i = 0; !isOver; i++) {
        try {
          assertRich(bank, i % CUSTOMERS);
          snapshots.incrementAndGet();
        } catch (SnapshotLostException e) {
          // Its region has moved; a later one will do.
        } catch (DoNotRetryIOException e) {
          assertTrue(e.getMessage().startsWith("The layout of the table is changing"), "" + e);
        }
      }
    }
    return null;
  }

  private static void assertRich(SaltedTable bank, int customer) throws IOException {
    Map<String, Long> balances = GroupTables.snapshot(group(bank, customer));
    assertEquals(
        ACCOUNTS * FIRST_BALANCE,
        balances.values().stream().mapToLong(Long::longValue).sum(),
        () -> "" + balances);
  }

  /** Waits for so many transfers more, which have begun after what was done last. */
  private void awaitTransfers(int count) throws Exception {
    int enough = done.size() + CLIENTS + count;
    await(count + " transfers", () -> done.size() >= enough);
  }

  private void awaitSnapshots() throws Exception {
    int enough = snapshots.get() + READERS + CUSTOMERS;
    await("snapshots of all customers", () -> snapshots.get() >= enough);
  }

  /** Waits, as long as no client fails. */
  private void await(String what, BooleanSupplier condition) throws Exception {
    Eventually.isTrue(
        what, () -> condition.getAsBoolean() || running.stream().anyMatch(Future::isDone));
    for (Future<?> each : running) {
      if (each.isDone()) {
        each.get();
      }
    }
  }

  @Test
  void transfers_underSplitsMergesMovesKillsAndARelayout_keepTheMoney() throws Exception {
    for (int client = 0; client < CLIENTS; client++) {
      int number = client;
      running.add(threads.submit(() -> transferUntilOver(number)));
    }
    for (int reader = 0; reader < READERS; reader++) {
      running.add(threads.submit(this::readUntilOver));
    }
    awaitTransfers(20);
    split("08-", "10-");
    awaitTransfers(20);
    merge("", "04-");
    awaitTransfers(20);
    for (RegionInfo region : cluster.hbase().getAdmin().getRegions(name)) {
      move(region);
      awaitTransfers(0);
    }
    kill();
    awaitTransfers(20);
    awaitSnapshots();
    LayoutSteps steps = new LayoutSteps(cluster.patient(), name);
    steps.prepare(RowkeyLayout.parse(GroupTables.SALTED.replace("%16", "%64")));
    awaitTransfers(20);
    steps.move();
    awaitTransfers(20);
    kill();
    awaitTransfers(20);
    pullAll();
    Eventually.isTrue("no row is left", steps::isNothingLeft);
    steps.finish();
    awaitTransfers(20);
    awaitSnapshots();
    isOver = true;
    for (Future<?> each : running) {
      each.get(3, TimeUnit.MINUTES);
    }
    System.out.println(
        "bank: done="
            + done.size()
            + " notDone="
            + notDone.size()
            + " unknown="
            + unknown.size()
            + " failed="
            + failures.size()
            + " snapshots="
            + snapshots);
    assertLedgersSayTheSame();
  }

  private void assertLedgersSayTheSame() throws IOException {
    Set<String> carriedOut = new TreeSet<>();
    for (int customer = 0; customer < CUSTOMERS; customer++) {
      assertRich(table, customer);
      for (byte[] id : table.get(new Get(ledger(customer)).addFamily(G)).getFamilyMap(G).keySet()) {
        carriedOut.add(Bytes.toString(id));
      }
    }
    Set<String> lost = new TreeSet<>(done);
    lost.removeAll(carriedOut);
    assertEquals(Set.of(), lost, "commit said true");
    Set<String> unsaid = new TreeSet<>(carriedOut);
    unsaid.removeAll(done);
    unsaid.removeAll(unknown);
    assertEquals(Set.of(), unsaid, () -> "commit said false, or failed: " + failures);
  }

  /**
   * A customer in two regions: neither a transfer nor a snapshot goes through. A writer who sends
   * the two halves by themselves makes money, which the check of each snapshot finds.
   */
  @Test
  void groupCutInTwoByForce_isFound() throws Exception {
    String salted = Bytes.toString(Tables.complete(account(0, 2)));
    split(Bytes.toString(regionOf(salted).getStartKey()), salted);
    GroupTransaction transfer = transfer(table, "torn", 0, 0, 3, new Random(SEED));

    String refused = assertThrows(DoNotRetryIOException.class, transfer::commit).getMessage();

    assertTrue(refused.contains("cut in two"), refused);
    assertTrue(refused.contains("group=\"" + customer(0)), refused);
    String unread =
        assertThrows(DoNotRetryIOException.class, () -> assertRich(table, 0)).getMessage();
    assertTrue(unread.contains("cut in two"), unread);
    assertRich(table, 1);
    table.put(put(account(1, 3), FIRST_BALANCE + 7));
    assertThrows(AssertionError.class, () -> assertRich(table, 1));
  }

  private RegionInfo regionOf(String row) throws IOException {
    return cluster.hbase().getAdmin().getRegions(name).stream()
        .filter(region -> region.containsRow(bytes(row)))
        .findAny()
        .orElseThrow();
  }

  private RegionInfo region(String start) throws IOException {
    return cluster.hbase().getAdmin().getRegions(name).stream()
        .filter(region -> Bytes.equals(region.getStartKey(), bytes(start)))
        .findAny()
        .orElseThrow(() -> new AssertionError("No region begins with " + start));
  }

  private void split(String start, String at) throws Exception {
    Admin admin = cluster.hbase().getAdmin();
    admin.splitRegionAsync(region(start).getRegionName(), bytes(at)).get(2, TimeUnit.MINUTES);
  }

  private void merge(String first, String second) throws Exception {
    byte[][] both = {region(first).getEncodedNameAsBytes(), region(second).getEncodedNameAsBytes()};
    cluster.hbase().getAdmin().mergeRegionsAsync(both, false).get(2, TimeUnit.MINUTES);
  }

  private void move(RegionInfo region) throws IOException {
    for (RegionServerThread thread : cluster.servers()) {
      ServerName to = thread.getRegionServer().getServerName();
      if (thread.getRegionServer().getOnlineRegion(region.getRegionName()) == null) {
        cluster.hbase().getAdmin().move(region.getEncodedNameAsBytes(), to);
        return;
      }
    }
  }

  /** Kills the server that has most of the table's regions, and starts another one. */
  private void kill() throws IOException {
    HRegionServer server =
        cluster.servers().stream()
            .map(RegionServerThread::getRegionServer)
            .max(Comparator.comparingInt(each -> each.getRegions(name).size()))
            .orElseThrow();
    cluster.hbase().getMiniHBaseCluster().killRegionServer(server.getServerName());
    cluster.hbase().getMiniHBaseCluster().startRegionServer();
  }

  /** Looks at every row with a condition that never holds: then it is pulled. */
  private void pullAll() throws IOException {
    byte[] missing = bytes("missing");
    for (int customer = 0; customer < CUSTOMERS; customer++) {
      List<byte[]> rows = new ArrayList<>(List.of(ledger(customer)));
      for (int account = 0; account < ACCOUNTS; account++) {
        rows.add(bytes(account(customer, account)));
      }
      for (byte[] row : rows) {
        table.checkAndMutate(
            CheckAndMutate.newBuilder(row)
                .ifEquals(F, missing, missing)
                .build(new Put(row).addColumn(F, missing, missing)));
      }
    }
  }
}
