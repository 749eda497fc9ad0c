package io.rowguard.observer;

import static io.rowguard.observer.fixture.GuardedTable.F;
import static io.rowguard.observer.fixture.GuardedTable.Q;
import static io.rowguard.observer.fixture.Refusals.placesOf;
import static io.rowguard.observer.fixture.Writes.append;
import static io.rowguard.observer.fixture.Writes.bytes;
import static io.rowguard.observer.fixture.Writes.delete;
import static io.rowguard.observer.fixture.Writes.increment;
import static io.rowguard.observer.fixture.Writes.put;
import static io.rowguard.observer.fixture.Writes.together;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.observer.Tripwire.Hook;
import io.rowguard.observer.fixture.DurableCluster;
import io.rowguard.observer.fixture.GuardedTable;
import io.rowguard.observer.fixture.HFiles;
import io.rowguard.observer.fixture.Servers;
import io.rowguard.testing.Eventually;
import io.rowguard.testing.WholeOnly;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.snapshot.SnapshotCreationException;
import org.apache.hadoop.hbase.snapshot.SnapshotExistsException;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
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
@Tag("long")
class KilledServerIT {
  /** A boundary between groups. */
  private static final String MIDDLE = "m";

  private final HBaseTestingUtility hbase;
  private final Servers servers;
  private final DurableCluster cluster;
  private DoomedTable doomed;

  KilledServerIT(DurableCluster cluster) {
    this.cluster = cluster;
    this.hbase = cluster.hbase();
    this.servers = cluster.servers();
  }

  @BeforeAll
  void create() throws IOException {
    doomed = new DoomedTable(cluster);
  }

  @AfterAll
  void drop() throws IOException {
    doomed.close();
  }

  @BeforeEach
  void fill() throws Exception {
    doomed.fill();
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
    String b3 = doomed.row('b', 3);
    String y3 = doomed.row('y', 3);
    Object[] results =
        doomed.killDuring(
            hook,
            () -> GuardedTable.batch(doomed.table(), List.of(put(b3), put("bob|003x"), put(y3))));

    assertEquals(Set.of(1), placesOf(results));
    doomed.rows().addAll(List.of(b3, y3));
    doomed.assertWhole();
  }

  @Test
  void rowMutations_killedAfterTheLog_areDoneTogether() throws Exception {
    String b3 = doomed.row('b', 3);
    doomed.killDuring(
        Hook.AFTER_BATCH,
        () -> {
          Put another = new Put(bytes(b3)).addColumn(F, bytes("p"), bytes("new"));
          doomed.table().mutateRow(together(put(b3, "new"), another));
          return null;
        });

    assertEquals(List.of(b3 + "/p=new", b3 + "/q=new"), doomed.guarded().latest(b3));
    doomed.rows().add(b3);
    doomed.assertWhole();
  }

  @Test
  void checkAndMutate_killedBeforeTheLog_isDone() throws Exception {
    String b1 = doomed.row('b', 1);
    boolean done =
        doomed
            .killDuring(
                Hook.BEFORE_BATCH,
                () ->
                    doomed
                        .table()
                        .checkAndMutate(
                            CheckAndMutate.newBuilder(bytes(b1))
                                .ifEquals(F, Q, bytes("v"))
                                .build(put(b1, "new"))))
            .isSuccess();

    assertTrue(done);
    assertEquals(List.of(b1 + "/q=new"), doomed.guarded().latest(b1));
    doomed.assertWhole();
  }

  @Test
  void append_killedAfterTheLog_isDoneOnce() throws Exception {
    String b1 = doomed.row('b', 1);
    doomed.killDuring(Hook.AFTER_BATCH, () -> doomed.table().append(append(b1)));

    assertEquals(List.of(b1 + "/q=v+"), doomed.guarded().latest(b1));
    doomed.assertWhole();
  }

  @Test
  @WholeOnly
  void increment_killedAfterTheLog_isDoneOnce() throws Exception {
    String b3 = doomed.row('b', 3);
    doomed.killDuring(Hook.AFTER_BATCH, () -> doomed.table().increment(increment(b3)));

    assertEquals(
        List.of(b3 + "/n=\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x01"), doomed.guarded().latest(b3));
    doomed.rows().add(b3);
    doomed.assertWhole();
  }

  @Test
  @WholeOnly
  void delete_killedAfterTheLog_staysDeleted() throws Exception {
    String b1 = doomed.row('b', 1);
    doomed.killDuring(
        Hook.AFTER_BATCH,
        () -> {
          doomed.table().delete(delete(b1));
          return null;
        });

    doomed.rows().remove(b1);
    doomed.assertWhole();
  }

  @Test
  void scan_killedInTheMiddle_seesEachRowOnce() throws Exception {
    List<String> seen = new ArrayList<>();
    try (ResultScanner scanner = doomed.table().getScanner(new Scan().setCaching(5))) {
      seen.add(Bytes.toString(scanner.next().getRow()));

      doomed.killDuring(
          Hook.SCANNER_NEXT,
          () -> {
            for (Result result : scanner) {
              seen.add(Bytes.toString(result.getRow()));
            }
            return null;
          });
    }

    assertEquals(new ArrayList<>(doomed.rows()), seen);
    doomed.assertWhole();
  }

  @Test
  @WholeOnly
  void flush_killedInTheMiddle_losesNothing() throws Exception {
    // A flush is not asked for again; by default the answer is waited for a minute.
    Configuration impatient = new Configuration(hbase.getConfiguration());
    impatient.setInt(HConstants.HBASE_RPC_TIMEOUT_KEY, 5_000);
    try (Connection connection = ConnectionFactory.createConnection(impatient);
        Admin admin = connection.getAdmin()) {
      byte[] region = doomed.region().getRegionName();
      doomed.killDuring(Hook.FLUSH, () -> outcome(() -> admin.flushRegion(region)));
    }

    doomed.assertWhole();
  }

  @Test
  @WholeOnly
  void compaction_killedInTheMiddle_losesNothing() throws Exception {
    hbase.getAdmin().flush(doomed.guarded().name());

    doomed.killDuring(
        Hook.COMPACTION,
        () -> outcome(() -> hbase.getAdmin().majorCompact(doomed.guarded().name())));

    doomed.assertWhole();
  }

  @Test
  void split_killedWhileTheParentCloses_isMadeAtItsKey() throws Exception {
    doomed.createAnew();
    byte[] parent = doomed.region().getRegionName();

    doomed.killDuring(
        Hook.CLOSE,
        () ->
            outcome(
                () ->
                    hbase
                        .getAdmin()
                        .splitRegionAsync(parent, bytes(MIDDLE))
                        .get(5, TimeUnit.MINUTES)));

    Eventually.isTrue("the daughters", () -> doomed.startKeys().equals(List.of("", MIDDLE)));
    doomed.assertWhole();
  }

  @Test
  @WholeOnly
  void merge_killedWhileOneCloses_isMade() throws Exception {
    doomed.createAnew(MIDDLE);
    byte[][] pair = new byte[2][];
    for (int i = 0; i < pair.length; i++) {
      pair[i] = doomed.regions().get(i).getEncodedNameAsBytes();
    }

    doomed.killDuring(
        Hook.CLOSE,
        () ->
            outcome(
                () -> hbase.getAdmin().mergeRegionsAsync(pair, false).get(5, TimeUnit.MINUTES)));

    Eventually.isTrue("one region", () -> doomed.startKeys().equals(List.of("")));
    doomed.assertWhole();
  }

  @Test
  @WholeOnly
  void move_killedWhileTheRegionCloses_opensItElsewhere() throws Exception {
    ServerName other = servers.otherThan(doomed.server());

    doomed.killDuring(
        Hook.CLOSE,
        () -> outcome(() -> hbase.getAdmin().move(doomed.region().getEncodedNameAsBytes(), other)));

    doomed.assertWhole();
  }

  @Test
  @WholeOnly
  void open_killedInTheMiddle_opensItElsewhere() throws Exception {
    servers.move(doomed.region(), servers.otherThan(doomed.server()));

    doomed.killDuring(
        Hook.OPEN,
        () ->
            outcome(
                () ->
                    hbase
                        .getAdmin()
                        .move(doomed.region().getEncodedNameAsBytes(), doomed.server())));

    doomed.assertWhole();
  }

  @Test
  void bulkLoad_killedBeforeTheFilesAreTaken_isDoneOnce() throws Exception {
    String b3 = doomed.row('b', 3);
    String y3 = doomed.row('y', 3);
    HFiles files = new HFiles(hbase, cluster.patient());
    files.add(List.of(b3, y3));

    doomed.killDuring(
        Hook.BULK_LOAD,
        () -> {
          files.load(doomed.guarded().name());
          return null;
        });

    doomed.rows().addAll(List.of(b3, y3));
    doomed.assertWhole();
  }

  @Test
  void snapshot_killedWhileItFlushes_canBeTakenAgainAndIsGuarded() throws Exception {
    Admin admin = hbase.getAdmin();
    TableName table = doomed.guarded().name();
    String again = "again-of-" + table;

    doomed.killDuring(Hook.FLUSH, () -> outcome(() -> admin.snapshot("of-" + table, table)));

    doomed.assertWhole();
    Eventually.isTrue(
        "another snapshot",
        () -> {
          try {
            admin.snapshot(again, table);
            return true;
          } catch (SnapshotCreationException e) {
            // On HBase 2.5 the first may still be waiting for the dead server.
            return false;
          } catch (SnapshotExistsException e) {
            return true; // HBase's client asked twice
          }
        });
    admin.disableTable(table);
    admin.restoreSnapshot(again);
    admin.enableTable(table);
    // A client whose location is newer than what a server says of a move asks that server only.
    doomed.table().getRegionLocator().clearRegionLocationCache();
    doomed.assertWhole();
    admin.deleteSnapshots(Pattern.compile(".*of-" + table));
  }

  /** Something that may fail, as its server is killed. */
  private interface Work {
    void run() throws Exception;
  }

  /**
   * The error that an administrator gets when it fails: HBase's procedures go on without him, or do
   * not. Only the table counts.
   */
  private static Exception outcome(Work work) {
    try {
      work.run();
      return null;
    } catch (Exception e) {
      return e;
    }
  }
}
