package io.rowguard.client;

import static io.rowguard.client.GroupTables.number;
import static io.rowguard.client.GroupTables.put;
import static io.rowguard.client.Tables.F;
import static io.rowguard.client.Tables.G;
import static io.rowguard.client.Tables.Q;
import static io.rowguard.client.Tables.bytes;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.layout.RowkeyLayout;
import io.rowguard.testing.Eventually;
import io.rowguard.testing.MiniCluster;
import java.io.IOException;
import java.util.ArrayList;
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
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.JVMClusterUtil.RegionServerThread;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A bank whose customers are entity groups: clients transfer between the accounts of a customer
 * while regions split, merge and move and the layout changes. Money neither comes nor goes, in any
 * snapshot, and each transfer is in the customer's ledger exactly when commit said so.
 */
@ExtendWith(MiniCluster.class)
class BankIT {
  private static final long SEED = 38;
  private static final int CLIENTS = 4;
  private static final int CUSTOMERS = 5;
  private static final int ACCOUNTS = 4;
  private static final long FIRST_BALANCE = 1000;
  private static final String LEDGER = "9999";

  private final HBaseTestingUtility hbase;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<Future<?>> running = new ArrayList<>();
  private final Set<String> done = new ConcurrentSkipListSet<>();
  private final Set<String> notDone = new ConcurrentSkipListSet<>();
  private final Set<String> unknown = new ConcurrentSkipListSet<>();
  private final Map<String, String> failures = new ConcurrentHashMap<>();
  private final AtomicInteger snapshots = new AtomicInteger();
  private volatile boolean isOver;
  private TableName name;
  private SaltedTable table;

  BankIT(HBaseTestingUtility hbase) {
    this.hbase = hbase;
  }

  @BeforeEach
  void create() throws IOException {
    name = GroupTables.create(hbase, GroupTables.SALTED, "reject");
    table = SaltedTable.open(hbase.getConnection(), name);
    for (int customer = 0; customer < CUSTOMERS; customer++) {
      for (int account = 0; account < ACCOUNTS; account++) {
        table.put(put(account(customer, account), FIRST_BALANCE));
      }
    }
  }

  @AfterEach
  void drop() throws IOException {
    isOver = true;
    threads.shutdownNow();
    table.close();
    Tables.drop(hbase, name);
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

  private RowGroup group(int customer) throws IOException {
    return RowGroup.of(table, bytes(customer(customer)));
  }

  private Void transferUntilOver(int client) throws IOException {
    Random random = new Random(SEED + client);
    for (int i = 0; !isOver; i++) {
      int customer = random.nextInt(CUSTOMERS);
      int from = random.nextInt(ACCOUNTS);
      int to = (from + 1 + random.nextInt(ACCOUNTS - 1)) % ACCOUNTS;
      transfer(customer(customer) + "/" + client + "-" + i, customer, from, to, random);
    }
    return null;
  }

  private void transfer(String id, int customer, int from, int to, Random random)
      throws IOException {
    String debit = account(customer, from);
    String credit = account(customer, to);
    long debited = number(table, debit);
    long credited = number(table, credit);
    long amount = random.nextInt((int) debited + 1);
    GroupTransaction transfer =
        group(customer)
            .when(bytes(debit))
            .column(F, Q)
            .is(CompareOperator.EQUAL, number(debited))
            .when(bytes(credit))
            .column(F, Q)
            .is(CompareOperator.EQUAL, number(credited))
            .put(put(debit, debited - amount))
            .put(put(credit, credited + amount))
            .put(new Put(ledger(customer)).addColumn(G, bytes(id), number(amount)));
    if (random.nextBoolean()) {
      transfer.receipt(ledger(customer), F);
    }
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
    for (int i = 0; !isOver; i++) {
      int customer = i % CUSTOMERS;
      try {
        assertRich(customer);
        snapshots.incrementAndGet();
      } catch (SnapshotLostException e) {
        // Its region has moved; a later one will do.
      } catch (DoNotRetryIOException e) {
        assertTrue(e.getMessage().startsWith("The layout of the table is changing"), "" + e);
      }
    }
    return null;
  }

  private void assertRich(int customer) throws IOException {
    Map<String, Long> balances = GroupTables.snapshot(group(customer));
    assertEquals(
        ACCOUNTS * FIRST_BALANCE,
        balances.values().stream().mapToLong(Long::longValue).sum(),
        () -> "" + balances);
  }

  /** Waits for so many transfers more, which have begun after what was done last. */
  private void awaitTransfers(int count) throws Exception {
    int enough = done.size() + count;
    Eventually.isTrue(
        count + " transfers",
        () -> done.size() >= enough || running.stream().anyMatch(Future::isDone));
    for (Future<?> each : running) {
      if (each.isDone()) {
        each.get();
      }
    }
  }

  @Test
  void transfers_underSplitsMergesMovesAndARelayout_keepTheMoney() throws Exception {
    for (int client = 0; client < CLIENTS; client++) {
      int number = client;
      running.add(threads.submit(() -> transferUntilOver(number)));
    }
    running.add(threads.submit(this::readUntilOver));
    awaitTransfers(20);
    split("08-", "10-");
    awaitTransfers(20);
    merge("", "04-");
    awaitTransfers(20);
    for (RegionInfo region : hbase.getAdmin().getRegions(name)) {
      move(region);
      awaitTransfers(5);
    }
    LayoutSteps steps = new LayoutSteps(hbase.getConnection(), name);
    steps.prepare(RowkeyLayout.parse(GroupTables.SALTED.replace("%16", "%64")));
    awaitTransfers(20);
    steps.move();
    awaitTransfers(40);
    pullAll();
    Eventually.isTrue("no row is left", steps::isNothingLeft);
    steps.finish();
    awaitTransfers(20);
    int before = snapshots.get();
    Eventually.isTrue("snapshots of all customers", () -> snapshots.get() > before + CUSTOMERS);
    isOver = true;
    for (Future<?> each : running) {
      each.get(3, TimeUnit.MINUTES);
    }
    assertLedgersSayTheSame();
  }

  private void assertLedgersSayTheSame() throws IOException {
    Set<String> carriedOut = new TreeSet<>();
    for (int customer = 0; customer < CUSTOMERS; customer++) {
      assertRich(customer);
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

  private RegionInfo region(String start) throws IOException {
    return hbase.getAdmin().getRegions(name).stream()
        .filter(region -> Bytes.equals(region.getStartKey(), bytes(start)))
        .findAny()
        .orElseThrow(() -> new AssertionError("No region begins with " + start));
  }

  private void split(String start, String at) throws Exception {
    Admin admin = hbase.getAdmin();
    admin.splitRegionAsync(region(start).getRegionName(), bytes(at)).get(2, TimeUnit.MINUTES);
  }

  private void merge(String first, String second) throws Exception {
    byte[][] both = {region(first).getEncodedNameAsBytes(), region(second).getEncodedNameAsBytes()};
    hbase.getAdmin().mergeRegionsAsync(both, false).get(2, TimeUnit.MINUTES);
  }

  private void move(RegionInfo region) throws IOException {
    for (RegionServerThread thread : hbase.getMiniHBaseCluster().getLiveRegionServerThreads()) {
      ServerName to = thread.getRegionServer().getServerName();
      if (thread.getRegionServer().getOnlineRegion(region.getRegionName()) == null) {
        hbase.getAdmin().move(region.getEncodedNameAsBytes(), to);
        return;
      }
    }
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
