package io.rowguard.observer.relayout;

import static io.rowguard.observer.fixture.GuardedTable.F;
import static io.rowguard.observer.fixture.GuardedTable.Q;
import static io.rowguard.observer.fixture.RelayoutTables.OTHERWISE_SALTED;
import static io.rowguard.observer.fixture.RelayoutTables.SALTED;
import static io.rowguard.observer.fixture.RelayoutTables.UNSALTED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.config.LayoutStamp;
import io.rowguard.config.OtherRowException;
import io.rowguard.config.StaleLayoutException;
import io.rowguard.observer.fixture.Counters;
import io.rowguard.observer.fixture.GuardedTable;
import io.rowguard.observer.fixture.HFiles;
import io.rowguard.observer.fixture.Refusals;
import io.rowguard.observer.fixture.RelayoutTables;
import io.rowguard.observer.fixture.RowAdder;
import io.rowguard.observer.fixture.Servers;
import io.rowguard.observer.fixture.Writes;
import io.rowguard.testing.MiniCluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.function.Executable;

/** The rules while a table's layout changes, besides the pull of rows. */
@ExtendWith(MiniCluster.class)
@Tag("long")
class RelayoutRulesIT {
  private static final String KEY = "user1|0001";
  private static final String LEFTOVER =
      "Delete markers of an earlier relayout would hide what is written.";

  private static Connection impatient;

  private final HBaseTestingUtility hbase;
  private final Servers servers;

  RelayoutRulesIT(HBaseTestingUtility hbase) {
    this.hbase = hbase;
    this.servers = new Servers(hbase);
  }

  @BeforeAll
  static void connect(HBaseTestingUtility hbase) throws IOException {
    Configuration conf = new Configuration(hbase.getConfiguration());
    conf.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, 0);
    impatient = ConnectionFactory.createConnection(conf);
  }

  @AfterAll
  static void disconnect() throws IOException {
    impatient.close();
  }

  private GuardedTable.Builder table(String... keysAndValues) {
    return GuardedTable.of(hbase, "rowguard.layout", SALTED)
        .with(keysAndValues)
        .withSplits("08-", "32-");
  }

  private static String oldRow(String key) {
    return RelayoutTables.row(SALTED, key);
  }

  private static String newRow(String key) {
    return RelayoutTables.row(OTHERWISE_SALTED, key);
  }

  @Test
  void request_ofAVersion_isTakenWhereItIsKnownWhatItMeans() throws Exception {
    try (GuardedTable guarded = table().create()) {
      assertTaken(guarded, oldRow(KEY), Set.of(0L, 1L));
      RelayoutTables.prepare(guarded, OTHERWISE_SALTED);
      assertTaken(guarded, oldRow(KEY), Set.of(1L, 2L));
      RelayoutTables.move(guarded);
      assertTaken(guarded, newRow(KEY), Set.of(2L, 3L));
      RelayoutTables.finish(guarded);
      assertTaken(guarded, newRow(KEY), Set.of(2L, 3L, 4L));
      assertTrue(Counters.of(guarded.name()).get("relayout_stale_requests") > 0);
    }
  }

  private static void assertTaken(GuardedTable guarded, String row, Set<Long> versions)
      throws IOException {
    byte[] key = Writes.bytes(row);
    for (long version = 0; version < 6; version++) {
      Get get = new Get(key);
      Scan scan = new Scan().withStartRow(key).withStopRow(key, true);
      Put put = Writes.put(row);
      Delete delete = Writes.delete(row);
      Increment increment = Writes.increment(row);
      Append append = Writes.append(row);
      Put inside = Writes.put(row);
      LayoutStamp.ofVersion(version).mark(get);
      LayoutStamp.ofVersion(version).mark(scan);
      LayoutStamp.ofVersion(version).mark(put);
      LayoutStamp.ofVersion(version).mark(delete);
      LayoutStamp.ofVersion(version).mark(increment);
      LayoutStamp.ofVersion(version).mark(append);
      LayoutStamp.ofVersion(version).mark(inside);
      CheckAndMutate check =
          CheckAndMutate.newBuilder(key).ifNotExists(F, Writes.bytes("none")).build(inside);
      Table table = guarded.table();
      Map<String, Executable> requests = new LinkedHashMap<>();
      requests.put("get", () -> table.get(get));
      requests.put("exists", () -> table.exists(get));
      requests.put("scan", () -> scan(table, scan));
      requests.put("put", () -> table.put(put));
      requests.put("put(List)", () -> table.put(List.of(put)));
      requests.put("delete", () -> table.delete(delete));
      requests.put("increment", () -> table.increment(increment));
      requests.put("append", () -> table.append(append));
      requests.put("mutateRow", () -> table.mutateRow(Writes.together(put)));
      requests.put("checkAndMutate", () -> table.checkAndMutate(check));
      for (Map.Entry<String, Executable> request : requests.entrySet()) {
        assertTaken(request, versions.contains(version), request.getKey() + " " + version);
      }
    }
  }

  private static void assertTaken(
      Map.Entry<String, Executable> request, boolean taken, String message) {
    try {
      request.getValue().execute();
      assertTrue(taken, message);
    } catch (AssertionError e) {
      throw e;
    } catch (Throwable e) {
      Object reason = Refusals.reasonOf(e);
      assertTrue(!taken, message + " " + e);
      assertInstanceOf(StaleLayoutException.class, reason, message);
    }
  }

  private static void scan(Table table, Scan scan) throws IOException {
    try (ResultScanner scanner = table.getScanner(scan)) {
      scanner.next();
    }
  }

  /** The version before the end is taken, but not a row that has ended with it. */
  @Test
  void write_ofAnOldRowPlannedBeforeTheEnd_isToBePlannedAnew() throws Exception {
    for (String mode : List.of("reject", "warn", "salt")) {
      try (GuardedTable guarded = table("rowguard.mode", mode).create()) {
        RelayoutTables.start(guarded, OTHERWISE_SALTED);
        RelayoutTables.finish(guarded);
        String row = oldRow(KEY);
        Put put = planned(Writes.put(row));
        CheckAndMutate check =
            CheckAndMutate.newBuilder(Writes.bytes(row))
                .ifNotExists(F, Q)
                .build(planned(Writes.increment(row)));
        assertOtherRow(() -> guarded.table().put(put), mode);
        assertOtherRow(() -> guarded.table().put(List.of(put)), mode);
        assertOtherRow(() -> guarded.table().delete(planned(Writes.delete(row))), mode);
        assertOtherRow(() -> guarded.table().increment(planned(Writes.increment(row))), mode);
        assertOtherRow(() -> guarded.table().append(planned(Writes.append(row))), mode);
        assertOtherRow(() -> guarded.table().mutateRow(Writes.together(put)), mode);
        assertOtherRow(() -> guarded.table().checkAndMutate(check), mode);
        assertEquals(List.of(), guarded.rows(), mode);
      }
    }
  }

  /** As planned by a client that has not heard of the end. */
  private static <M extends Mutation> M planned(M mutation) {
    LayoutStamp.ofVersion(2).mark(mutation);
    return mutation;
  }

  private static void assertOtherRow(Executable write, String mode) {
    IOException refusal = assertThrows(IOException.class, write, mode);
    assertTrue(OtherRowException.isReasonOf((Throwable) Refusals.reasonOf(refusal)), mode);
  }

  /** A client that knows more than the region is told to come back. */
  @Test
  void write_plannedAStepAhead_isRefusedForNow() throws Exception {
    try (GuardedTable guarded = table().create();
        Table once = impatient.getTable(guarded.name())) {
      Put put = Writes.put(newRow(KEY));
      LayoutStamp.ofVersion(1).mark(put);

      IOException busy = assertThrows(IOException.class, () -> once.put(put));

      assertInstanceOf(RegionTooBusyException.class, Refusals.reasonOf(busy), busy.toString());
      assertEquals(List.of(), guarded.rows());
    }
  }

  @Test
  void bulkLoad_whileTheLayoutChanges_isRefused() throws Exception {
    try (GuardedTable guarded = table("rowguard.bulkload", "off").create()) {
      RelayoutTables.start(guarded, OTHERWISE_SALTED);
      HFiles files = new HFiles(hbase);
      files.add(List.of(newRow(KEY)));

      IOException refused = assertThrows(IOException.class, () -> files.load(guarded.name()));

      String message = String.valueOf(refused) + refused.getCause();
      assertTrue(message.contains("nothing can be loaded in bulk"), message);
      assertEquals(List.of(), guarded.rows());
    }
  }

  @Test
  void addedRow_thatIsNotPulledOrIsOld_failsItsBatch() throws Exception {
    try (GuardedTable guarded =
            GuardedTable.of(hbase, "rowguard.layout", SALTED)
                .withCoprocessor(RowAdder.class, 1002)
                .create();
        Table once = impatient.getTable(guarded.name())) {
      String another = "user5|0001";
      assertTrue(!oldRow(KEY).equals(newRow(KEY)) && !oldRow(another).equals(newRow(another)));
      guarded.table().put(Writes.put(oldRow(KEY)));
      guarded.table().put(Writes.put(oldRow(another)));
      RelayoutTables.start(guarded, OTHERWISE_SALTED);
      Put unpulled = RowAdder.adding(newRow(another), Writes.put(newRow(KEY), "new"));
      IOException busy = assertThrows(IOException.class, () -> once.put(unpulled));
      assertInstanceOf(RegionTooBusyException.class, Refusals.reasonOf(busy), busy.toString());

      Put old = RowAdder.adding(oldRow(another), Writes.put(newRow(KEY), "new"));
      IOException other = assertThrows(IOException.class, () -> once.put(old));
      assertTrue(OtherRowException.isReasonOf((Throwable) Refusals.reasonOf(other)));

      assertEquals(List.of(newRow(KEY) + "/q=v"), guarded.latestCellsOf(newRow(KEY)));
      guarded.table().put(Writes.put(newRow(another), "pulled"));
      guarded.table().put(RowAdder.adding(newRow(another), Writes.put(newRow(KEY), "new")));
      assertEquals(List.of(newRow(another) + "/q=added"), guarded.latest(newRow(another)));
    }
  }

  @Test
  void bareKey_isReadAndWritten_whereverItsRowIs() throws Exception {
    try (GuardedTable guarded = table("rowguard.mode", "salt").create()) {
      guarded.table().put(Writes.put(KEY));
      RelayoutTables.prepare(guarded, OTHERWISE_SALTED);
      assertEquals(List.of(KEY + "/q=v"), guarded.latest(KEY));
      guarded.table().put(Writes.put(KEY, "prepared"));
      assertEquals(List.of(oldRow(KEY) + "/q=prepared"), guarded.latestCells());
      RelayoutTables.move(guarded);
      assertEquals(List.of(KEY + "/q=prepared"), guarded.latest(KEY));
      guarded.table().put(Writes.put(KEY, "moving"));
      assertEquals(List.of(newRow(KEY) + "/q=moving"), guarded.latestCells());
      assertEquals(List.of(KEY + "/q=moving"), guarded.latest(KEY));
      assertEquals(List.of(), guarded.latest("nobody|0001"));
      RelayoutTables.finish(guarded);
      assertEquals(List.of(KEY + "/q=moving"), guarded.latest(KEY));
    }
  }

  /** There a bare key is the old row, so a raw Get of it is answered from where it is by now. */
  @Test
  void bareKey_ofATableThatWasNotSalted_isReadWhereverItsRowIs() throws Exception {
    try (GuardedTable guarded =
        GuardedTable.of(hbase, "rowguard.layout", UNSALTED).withSplits("m").create()) {
      guarded.table().put(Writes.put(KEY));
      guarded.alter(
          "rowguard.mode",
          "salt",
          "rowguard.layout",
          SALTED,
          "rowguard.layout.previous",
          UNSALTED,
          "rowguard.layout.phase",
          "prepared",
          "rowguard.layout.generation",
          "1",
          "rowguard.layout.version",
          "1");
      assertEquals(List.of(KEY + "/q=v"), guarded.latest(KEY));
      RelayoutTables.move(guarded);
      assertEquals(List.of(KEY + "/q=v"), guarded.latest(KEY));

      guarded.table().put(Writes.put(KEY, "new"));

      assertEquals(List.of(oldRow(KEY) + "/q=new"), guarded.latestCells());
      assertEquals(List.of(KEY + "/q=new"), guarded.latest(KEY));
      Get planned = new Get(Writes.bytes(KEY));
      LayoutStamp.ofVersion(2).mark(planned);
      assertTrue(guarded.table().get(planned).isEmpty(), "as it is stored");
    }
  }

  @Test
  void deleteOfTheLatestVersion_thatIsForwarded_deletesIt() throws Exception {
    try (GuardedTable guarded = table("rowguard.mode", "salt").create()) {
      guarded.alterVersions(3);
      guarded.table().put(new Put(Writes.bytes(oldRow(KEY))).addColumn(F, Q, 1, bytes("older")));
      guarded.table().put(new Put(Writes.bytes(oldRow(KEY))).addColumn(F, Q, 2, bytes("latest")));
      RelayoutTables.start(guarded, OTHERWISE_SALTED);

      guarded.table().delete(new Delete(Writes.bytes(oldRow(KEY))).addColumn(F, Q));

      assertEquals(List.of(newRow(KEY) + "/q=older"), guarded.latestCells());
    }
  }

  private static byte[] bytes(String text) {
    return Writes.bytes(text);
  }

  @Test
  void replicatedEdit_ofAnOldRow_isStoredAtTheNewOne() throws Exception {
    for (String mode : List.of("reject", "salt")) {
      try (GuardedTable guarded = table("rowguard.mode", mode).create()) {
        guarded.table().put(Writes.put(oldRow(KEY), "before"));
        RelayoutTables.start(guarded, OTHERWISE_SALTED);

        guarded.plant(oldRow(KEY));
        guarded.plant(newRow("user3|0001"));

        assertEquals(
            Set.of(newRow(KEY) + "/q=v", newRow("user3|0001") + "/q=v"),
            Set.copyOf(guarded.latestCells()),
            mode);
      }
    }
  }

  @Test
  void copyThatIsThereAlready_isNotWrittenAgain_andTheOldRowGoes() throws Exception {
    try (GuardedTable guarded = table().create()) {
      Put old = new Put(Writes.bytes(oldRow(KEY))).addColumn(F, Q, 5, bytes("v"));
      guarded.table().put(old);
      Put copy = new Put(Writes.bytes(newRow(KEY))).addColumn(F, Q, 5, bytes("v"));
      guarded.table().put(Writes.replicated(copy));
      RelayoutTables.start(guarded, OTHERWISE_SALTED);

      guarded.table().increment(Writes.increment(newRow(KEY)));

      assertEquals(List.of(), guarded.latestCellsOf(oldRow(KEY)));
      assertEquals(
          List.of(
              newRow(KEY) + "/n=\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x01", newRow(KEY) + "/q=v"),
          guarded.cellsOf(newRow(KEY)));
      assertEquals(1L, Counters.of(guarded.name()).get("relayout_leftovers_removed"));
    }
  }

  /** The markers of the pulls that came before would hide what comes back. */
  @Test
  void back_overMarkersOfTheWayThere_waitsForAMajorCompaction() throws Exception {
    try (GuardedTable guarded = table("rowguard.salt.timeout.ms", "2000").create();
        Table once = impatient.getTable(guarded.name())) {
      guarded.table().put(Writes.put(oldRow(KEY)));
      RelayoutTables.start(guarded, OTHERWISE_SALTED);
      guarded.table().increment(Writes.increment(newRow(KEY)));
      RelayoutTables.back(guarded);

      IOException busy =
          assertThrows(IOException.class, () -> once.put(Writes.put(oldRow(KEY), "back")));
      assertInstanceOf(RegionTooBusyException.class, Refusals.reasonOf(busy), busy.toString());
      assertTrue(Refusals.reasonOf(busy).toString().contains("major compaction"), busy.toString());
      assertEquals(2, guarded.latestCellsOf(newRow(KEY)).size());

      compact(guarded);
      guarded.table().put(Writes.put(oldRow(KEY), "back"));

      assertEquals(
          List.of(
              oldRow(KEY) + "/n=\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x01", oldRow(KEY) + "/q=back"),
          guarded.latestCells());
    }
  }

  /**
   * A marker of the future, which the pull of a cell of the future has left: no clock gets past it,
   * a client's timestamp may.
   */
  @Test
  void write_thatALeftoverOfTheFutureWouldHide_isRefused() throws Exception {
    try (GuardedTable guarded = table("rowguard.salt.timeout.ms", "2000").create();
        Table once = impatient.getTable(guarded.name())) {
      long future = System.currentTimeMillis() + 3_600_000;
      guarded
          .table()
          .put(new Put(Writes.bytes(oldRow(KEY))).addColumn(F, Q, future, bytes("future")));
      RelayoutTables.start(guarded, OTHERWISE_SALTED);
      guarded.table().delete(new Delete(Writes.bytes(newRow(KEY))).addColumn(F, Q, future));
      assertEquals(List.of(), guarded.rows());
      RelayoutTables.back(guarded);

      IOException busy = assertThrows(IOException.class, () -> once.put(Writes.put(oldRow(KEY))));

      assertTrue(Refusals.reasonOf(busy).toString().contains(LEFTOVER), busy.toString());
      once.put(new Put(Writes.bytes(oldRow(KEY))).addColumn(F, Q, future + 1, bytes("newer")));
      assertEquals(List.of(oldRow(KEY) + "/q=newer"), guarded.latestCells());
    }
  }

  /** A client's own timestamp, older than what an earlier pull has taken away. */
  @Test
  void write_thatALeftoverOfThePastWouldHide_isRefused() throws Exception {
    try (GuardedTable guarded = table("rowguard.salt.timeout.ms", "2000").create();
        Table once = impatient.getTable(guarded.name())) {
      Put put = new Put(Writes.bytes(oldRow(KEY))).addColumn(F, Q, 100, bytes("v"));
      guarded.table().put(put);
      RelayoutTables.start(guarded, OTHERWISE_SALTED);
      guarded.table().delete(new Delete(Writes.bytes(newRow(KEY))).addColumn(F, Q, 100));
      assertEquals(List.of(), guarded.rows());
      RelayoutTables.back(guarded);

      IOException busy = assertThrows(IOException.class, () -> once.put(put));

      assertTrue(Refusals.reasonOf(busy).toString().contains(LEFTOVER), busy.toString());
      once.put(Writes.put(oldRow(KEY), "now"));
      compact(guarded);
      once.put(put);
      assertEquals(List.of(oldRow(KEY) + "/q=now"), guarded.latestCells());
    }
  }

  private void compact(GuardedTable guarded) throws IOException {
    for (HRegion region : servers.regionsOf(guarded.name())) {
      region.flush(true);
      region.compact(true);
    }
  }

  /** Many rows of one batch, in several regions, some of them of keys that have no old row. */
  @Test
  void batch_ofManyRows_pullsThemTogether() throws Exception {
    try (GuardedTable guarded = table().create()) {
      List<Put> before = new ArrayList<>();
      List<Put> after = new ArrayList<>();
      List<String> expected = new ArrayList<>();
      for (int i = 0; i < 3_000; i++) {
        String key = "user" + i + "|0001";
        if (i % 3 > 0) {
          before.add(new Put(Writes.bytes(oldRow(key))).addColumn(F, bytes("o"), bytes("v")));
          expected.add(newRow(key) + "/o=v");
        }
        after.add(Writes.put(newRow(key)));
        expected.add(newRow(key) + "/q=v");
      }
      guarded.table().put(before);
      RelayoutTables.start(guarded, OTHERWISE_SALTED);

      guarded.table().put(after);

      assertEquals(expected.stream().sorted().toList(), guarded.latestCells());
    }
  }
}
