package io.rowguard.observer;

import static io.rowguard.observer.GuardedTable.F;
import static io.rowguard.observer.GuardedTable.LAYOUT;
import static io.rowguard.observer.GuardedTable.Q;
import static io.rowguard.observer.Refusals.assertRefused;
import static io.rowguard.observer.Refusals.placesOf;
import static io.rowguard.observer.Writes.BAD;
import static io.rowguard.observer.Writes.append;
import static io.rowguard.observer.Writes.bytes;
import static io.rowguard.observer.Writes.delete;
import static io.rowguard.observer.Writes.increment;
import static io.rowguard.observer.Writes.put;
import static io.rowguard.observer.Writes.together;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.layout.Boundaries;
import io.rowguard.layout.RowkeyLayout;
import io.rowguard.observer.Tripwire.Hook;
import io.rowguard.observer.Tripwire.Wire;
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
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A region server is killed in the middle of each kind of operation, at a moment that {@link
 * Tripwire} decides. Afterwards what was acknowledged is there, once; what was refused is not; the
 * table is whole, cut where it may be, nothing is in transition; and the rule holds on the new
 * server.
 */
@ExtendWith(DurableCluster.Started.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class KilledServerIT {
  /** A boundary between groups. */
  private static final String MIDDLE = "m";

  private final DurableCluster cluster;
  private final HBaseTestingUtility hbase;
  private final Servers servers;
  private final ExecutorService client = Executors.newSingleThreadExecutor();

  /** Every row that must be there in the end, of this test and those before it. */
  private final Set<String> rows = new TreeSet<>();

  private Connection connection;
  private GuardedTable guarded;
  private Table table;
  private ServerName doomed;
  private int number;

  KilledServerIT(DurableCluster cluster) {
    this.cluster = cluster;
    this.hbase = cluster.hbase();
    this.servers = cluster.servers();
  }

  @BeforeAll
  void connect() throws Exception {
    connection = ConnectionFactory.createConnection(cluster.patient());
    create();
  }

  @AfterAll
  void end() throws Exception {
    client.shutdownNow();
    assertTrue(client.awaitTermination(1, TimeUnit.MINUTES));
    guarded.close();
    connection.close();
    assertEquals(DurableCluster.SERVERS, servers.count());
  }

  private void create(String... splits) throws IOException {
    guarded =
        GuardedTable.of(hbase, "rowguard.layout", LAYOUT, "rowguard.group", "user")
            .withCoprocessor(Tripwire.class)
            .withSplits(splits)
            .create();
    table = connection.getTable(guarded.name());
    rows.clear();
  }

  /** For the tests that need regions of their own. */
  private void createAnew(String... splits) throws Exception {
    guarded.close();
    create(splits);
    fill();
  }

  /**
   * All regions of the table are on the server that is to die. Half of the new rows are in files,
   * the others in memory only; a bad one has been refused.
   */
  @BeforeEach
  void fill() throws Exception {
    number++;
    doomed = servers.otherThan(servers.of(RegionInfoBuilder.FIRST_META_REGIONINFO));
    for (RegionInfo region : regions()) {
      servers.move(region, doomed);
    }
    write(1);
    hbase.getAdmin().flush(guarded.name());
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
  private String row(char user, int item) {
    return String.format("%s|%04d", user, 10 * number + item);
  }

  @Test
  void batch_killedBeforeTheLog_isWrittenOnceButForItsBadRow() throws Exception {
    assertBatchSurvives(Hook.BEFORE_BATCH);
  }

  @Test
  void batch_killedAfterTheLog_isWrittenOnceButForItsBadRow() throws Exception {
    assertBatchSurvives(Hook.AFTER_BATCH);
  }

  private void assertBatchSurvives(Hook hook) throws Exception {
    Object[] told =
        killDuring(
            hook,
            () ->
                GuardedTable.batch(
                    table, List.of(put(row('b', 3)), put("bob|003x"), put(row('y', 3)))));

    assertEquals(Set.of(1), placesOf(told));
    rows.addAll(List.of(row('b', 3), row('y', 3)));
    assertWhole();
  }

  @Test
  void rowMutations_killedAfterTheLog_areDoneTogether() throws Exception {
    killDuring(
        Hook.AFTER_BATCH,
        () -> {
          Put another = new Put(bytes(row('b', 3))).addColumn(F, bytes("p"), bytes("new"));
          table.mutateRow(together(put(row('b', 3), "new"), another));
          return null;
        });

    assertEquals(
        List.of(row('b', 3) + "/p=new", row('b', 3) + "/q=new"), guarded.latest(row('b', 3)));
    rows.add(row('b', 3));
    assertWhole();
  }

  @Test
  void checkAndMutate_killedBeforeTheLog_isDone() throws Exception {
    boolean done =
        killDuring(
                Hook.BEFORE_BATCH,
                () ->
                    table.checkAndMutate(
                        CheckAndMutate.newBuilder(bytes(row('b', 1)))
                            .ifEquals(F, Q, bytes("v"))
                            .build(put(row('b', 1), "new"))))
            .isSuccess();

    assertTrue(done);
    assertEquals(List.of(row('b', 1) + "/q=new"), guarded.latest(row('b', 1)));
    assertWhole();
  }

  @Test
  void append_killedAfterTheLog_isDoneOnce() throws Exception {
    killDuring(Hook.AFTER_BATCH, () -> table.append(append(row('b', 1))));

    assertEquals(List.of(row('b', 1) + "/q=v+"), guarded.latest(row('b', 1)));
    assertWhole();
  }

  @Test
  void increment_killedAfterTheLog_isDoneOnce() throws Exception {
    killDuring(Hook.AFTER_BATCH, () -> table.increment(increment(row('b', 3))));

    assertEquals(
        List.of(row('b', 3) + "/n=\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x01"),
        guarded.latest(row('b', 3)));
    rows.add(row('b', 3));
    assertWhole();
  }

  @Test
  void delete_killedAfterTheLog_staysDeleted() throws Exception {
    killDuring(
        Hook.AFTER_BATCH,
        () -> {
          table.delete(delete(row('b', 1)));
          return null;
        });

    rows.remove(row('b', 1));
    assertWhole();
  }

  @Test
  void scan_killedInTheMiddle_seesEachRowOnce() throws Exception {
    List<String> seen = new ArrayList<>();
    try (ResultScanner scanner = table.getScanner(new Scan().setCaching(5))) {
      seen.add(Bytes.toString(scanner.next().getRow()));

      killDuring(
          Hook.SCANNER_NEXT,
          () -> {
            for (Result result : scanner) {
              seen.add(Bytes.toString(result.getRow()));
            }
            return null;
          });
    }

    assertEquals(new ArrayList<>(rows), seen);
    assertWhole();
  }

  @Test
  void flush_killedInTheMiddle_losesNothing() throws Exception {
    killDuring(
        Hook.FLUSH, () -> outcome(() -> hbase.getAdmin().flushRegion(region().getRegionName())));

    assertWhole();
  }

  @Test
  void compaction_killedInTheMiddle_losesNothing() throws Exception {
    hbase.getAdmin().flush(guarded.name());

    killDuring(Hook.COMPACTION, () -> outcome(() -> hbase.getAdmin().majorCompact(guarded.name())));

    assertWhole();
  }

  @Test
  void split_killedWhileTheParentCloses_isMadeAtItsKey() throws Exception {
    createAnew();
    byte[] parent = region().getRegionName();

    killDuring(
        Hook.CLOSE,
        () ->
            outcome(
                () ->
                    hbase
                        .getAdmin()
                        .splitRegionAsync(parent, bytes(MIDDLE))
                        .get(2, TimeUnit.MINUTES)));

    Eventually.isTrue("the daughters", () -> startKeys().equals(List.of("", MIDDLE)));
    assertWhole();
  }

  @Test
  void merge_killedWhileOneCloses_isMade() throws Exception {
    createAnew(MIDDLE);
    byte[][] pair = new byte[2][];
    for (int i = 0; i < pair.length; i++) {
      pair[i] = regions().get(i).getEncodedNameAsBytes();
    }

    killDuring(
        Hook.CLOSE,
        () ->
            outcome(
                () -> hbase.getAdmin().mergeRegionsAsync(pair, false).get(2, TimeUnit.MINUTES)));

    Eventually.isTrue("one region", () -> startKeys().equals(List.of("")));
    assertWhole();
  }

  @Test
  void move_killedWhileTheRegionCloses_opensItElsewhere() throws Exception {
    ServerName other = servers.otherThan(doomed);

    killDuring(
        Hook.CLOSE,
        () -> outcome(() -> hbase.getAdmin().move(region().getEncodedNameAsBytes(), other)));

    assertWhole();
  }

  @Test
  void open_killedInTheMiddle_opensItElsewhere() throws Exception {
    servers.move(region(), servers.otherThan(doomed));

    killDuring(
        Hook.OPEN,
        () -> outcome(() -> hbase.getAdmin().move(region().getEncodedNameAsBytes(), doomed)));

    assertWhole();
  }

  @Test
  void bulkLoad_killedBeforeTheFilesAreTaken_isDoneOnce() throws Exception {
    HFiles files = new HFiles(hbase);
    files.add(List.of(row('b', 3), row('y', 3)));

    killDuring(
        Hook.BULK_LOAD,
        () -> {
          files.load(guarded.name());
          return null;
        });

    rows.addAll(List.of(row('b', 3), row('y', 3)));
    assertWhole();
  }

  @Test
  void snapshot_killedWhileItFlushes_canBeTakenAgainAndIsGuarded() throws Exception {
    String name = "of-" + guarded.name();
    Work take = () -> hbase.getAdmin().snapshot(name, guarded.name());

    killDuring(Hook.FLUSH, () -> outcome(take));

    assertWhole();
    if (isTaken(name)) {
      hbase.getAdmin().deleteSnapshot(name);
    }
    take.run();
    hbase.getAdmin().disableTable(guarded.name());
    hbase.getAdmin().restoreSnapshot(name);
    hbase.getAdmin().enableTable(guarded.name());
    assertWhole();
    hbase.getAdmin().deleteSnapshot(name);
  }

  private boolean isTaken(String snapshot) throws IOException {
    return hbase.getAdmin().listSnapshots().stream()
        .anyMatch(each -> each.getName().equals(snapshot));
  }

  /** Something that may fail, as its server is killed. */
  private interface Work {
    void run() throws Exception;
  }

  /**
   * What an administrator is told when it fails: HBase's procedures go on without him, or do not.
   * What counts is the table.
   */
  private static Exception outcome(Work work) {
    try {
      work.run();
      return null;
    } catch (Exception e) {
      return e;
    }
  }

  /** Kills the server of the table's regions when an operation has come to the hook there. */
  private <T> T killDuring(Hook hook, Callable<T> operation) throws Exception {
    Future<T> outcome;
    try (Wire wire = Tripwire.stretch(hook, doomed)) {
      outcome = client.submit(operation);
      wire.awaitOperation();
      servers.killAndReplace(doomed, wire::release);
    }
    try {
      return outcome.get(2, TimeUnit.MINUTES);
    } catch (ExecutionException e) {
      throw new AssertionError("The client gave up", e.getCause());
    }
  }

  private void assertWhole() throws Exception {
    Eventually.isTrue("nothing in transition", () -> inTransition().isEmpty());
    Eventually.isTrue("all regions open", this::isCovered);
    Boundaries legal = Boundaries.of(RowkeyLayout.parse(LAYOUT), "user");
    for (HRegion region : servers.regionsOf(guarded.name())) {
      byte[] start = region.getRegionInfo().getStartKey();
      assertTrue(start.length == 0 || legal.isLegal(start), Bytes.toStringBinary(start));
    }
    assertEquals(new ArrayList<>(rows), guarded.rows());
    assertRefused(guarded, () -> table.put(put(BAD)));
    table.put(put(row('c', 4)));
    rows.add(row('c', 4));
    assertEquals(new ArrayList<>(rows), guarded.rows());
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

  private List<String> startKeys() throws IOException {
    return regions().stream().map(region -> Bytes.toString(region.getStartKey())).toList();
  }

  private List<RegionInfo> regions() throws IOException {
    List<RegionInfo> regions = new ArrayList<>(hbase.getAdmin().getRegions(guarded.name()));
    regions.sort(RegionInfo.COMPARATOR);
    return regions;
  }

  private RegionInfo region() throws IOException {
    return regions().get(0);
  }
}
