package io.rowguard.observer;

import static io.rowguard.observer.fixture.GuardedTable.LAYOUT;
import static io.rowguard.observer.fixture.Refusals.assertRefused;
import static io.rowguard.observer.fixture.Writes.BAD;
import static io.rowguard.observer.fixture.Writes.put;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.layout.LayoutBoundaries;
import io.rowguard.layout.RowkeyLayout;
import io.rowguard.observer.Tripwire.Hook;
import io.rowguard.observer.Tripwire.Wire;
import io.rowguard.observer.fixture.DurableCluster;
import io.rowguard.observer.fixture.GuardedTable;
import io.rowguard.observer.fixture.Servers;
import io.rowguard.testing.Eventually;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A guarded table whose server is killed again and again, with a client that goes on, and with all
 * that must be true of it after each time.
 */
final class DoomedTable implements AutoCloseable {
  private final HBaseTestingUtility hbase;
  private final Servers servers;
  private final ExecutorService client = Executors.newSingleThreadExecutor();

  /** Every row that must be there in the end, of this test and those before it. */
  private final Set<String> rows = new TreeSet<>();

  private final Connection connection;
  private GuardedTable guarded;
  private Table table;
  private ServerName doomed;
  private int number;

  DoomedTable(DurableCluster cluster) throws IOException {
    this.hbase = cluster.hbase();
    this.servers = cluster.servers();
    this.connection = ConnectionFactory.createConnection(cluster.patient());
    create();
  }

  private void create(String... splits) throws IOException {
    guarded =
        GuardedTable.of(hbase, "rowguard.layout", LAYOUT, "rowguard.group", "user")
            .withCoprocessor(Tripwire.class)
            // None but the compaction that a test asks for, and that of daughters.
            .with("hbase.hstore.compaction.min", "1000")
            .with("hbase.hstore.blockingStoreFiles", "1000")
            .withSplits(splits)
            .create();
    table = connection.getTable(guarded.name());
    rows.clear();
  }

  /** For the tests that need regions of their own. */
  void createAnew(String... splits) throws Exception {
    guarded.close();
    create(splits);
    fill();
  }

  /**
   * Begins a test: all regions of the table are on the server that is to die. Half of the new rows
   * are in files, the others in memory only; a bad one has been refused.
   */
  void fill() throws Exception {
    number++;
    doomed = servers.otherThan(servers.of(RegionInfoBuilder.FIRST_META_REGIONINFO));
    for (RegionInfo region : regions()) {
      servers.move(region, doomed);
    }
    write(1);
    for (HRegion region : servers.regionsOf(guarded.name())) {
      region.flush(true);
    }
    write(2);
    assertRefused(guarded, () -> table.put(put(BAD)));
  }

  /** Writes a row of each of 26 users. */
  private void write(int item) throws IOException {
    List<Put> puts = new ArrayList<>();
    for (char user = 'a'; user <= 'z'; user++) {
      rows.add(row(user, item));
      puts.add(put(row(user, item)));
    }
    table.put(puts);
  }

  /** A row of this test. Two items of each user are there at its start, 1 and 2. */
  String row(char user, int item) {
    return String.format("%s|%04d", user, 10 * number + item);
  }

  GuardedTable guarded() {
    return guarded;
  }

  /** The table as a client has it that goes on while a server is replaced. */
  Table table() {
    return table;
  }

  /** The server of the table's regions. */
  ServerName server() {
    return doomed;
  }

  /**
   * The cells that must be there in the end; a test adds those that it has written, and removes.
   */
  Set<String> rows() {
    return rows;
  }

  /** Kills the server of the table's regions when an operation has come to the hook there. */
  <T> T killDuring(Hook hook, Callable<T> operation) throws Exception {
    Future<T> outcome;
    try (Wire wire = Tripwire.stretch(hook, doomed)) {
      outcome = client.submit(operation);
      wire.awaitOperation();
      servers.killAndReplace(doomed, wire::release);
    }
    try {
      return outcome.get(5, TimeUnit.MINUTES);
    } catch (ExecutionException e) {
      throw new AssertionError("The client gave up", e.getCause());
    }
  }

  /** Checks what must be true after each time, whatever was going on. */
  void assertWhole() throws Exception {
    Eventually.isTrue("nothing in transition", () -> inTransition().isEmpty());
    Eventually.isTrue("all regions open", this::isCovered);
    LayoutBoundaries legal = LayoutBoundaries.of(RowkeyLayout.parse(LAYOUT), "user");
    for (HRegion region : servers.regionsOf(guarded.name())) {
      byte[] start = region.getRegionInfo().getStartKey();
      assertTrue(start.length == 0 || legal.isLegal(start), Bytes.toStringBinary(start));
    }
    assertEquals(new ArrayList<>(rows), GuardedTable.rows(table));
    assertRefused(guarded, () -> table.put(put(BAD)));
    table.put(put(row('c', 4)));
    rows.add(row('c', 4));
    assertEquals(new ArrayList<>(rows), GuardedTable.rows(table));
  }

  private List<?> inTransition() throws IOException {
    return hbase
        .getAdmin()
        .getClusterMetrics(EnumSet.of(ClusterMetrics.Option.REGIONS_IN_TRANSITION))
        .getRegionStatesInTransition();
  }

  /** Whether the open regions have every row once: each begins where the one before it ends. */
  private boolean isCovered() throws Exception {
    byte[] end = new byte[0];
    int count = 0;
    for (HRegion region : servers.regionsOf(guarded.name())) {
      if (!region.isAvailable() || !Bytes.equals(end, region.getRegionInfo().getStartKey())) {
        return false;
      }
      end = region.getRegionInfo().getEndKey();
      count++;
    }
    return count > 0 && end.length == 0 && count == regions().size();
  }

  /** Where the regions begin. */
  List<String> startKeys() throws IOException {
    return regions().stream().map(region -> Bytes.toString(region.getStartKey())).toList();
  }

  /** In the order of their keys. */
  List<RegionInfo> regions() throws IOException {
    List<RegionInfo> regions = new ArrayList<>(hbase.getAdmin().getRegions(guarded.name()));
    regions.sort(RegionInfo.COMPARATOR);
    return regions;
  }

  /** The first of them. */
  RegionInfo region() throws IOException {
    return regions().get(0);
  }

  @Override
  public void close() throws IOException {
    client.shutdownNow();
    guarded.close();
    connection.close();
    assertEquals(DurableCluster.SERVERS, servers.count());
  }
}
