package io.rowguard.observer.salt;

import static io.rowguard.observer.fixture.GuardedTable.F;
import static io.rowguard.observer.fixture.GuardedTable.Q;
import static io.rowguard.observer.fixture.RelayoutTables.OTHERWISE_SALTED;
import static io.rowguard.observer.fixture.RelayoutTables.SALTED;
import static io.rowguard.observer.fixture.SaltedGuard.salted;
import static io.rowguard.observer.fixture.Writes.bytes;
import static io.rowguard.observer.fixture.Writes.put;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.config.LayoutStamp;
import io.rowguard.config.TableConfig;
import io.rowguard.observer.fixture.Counters;
import io.rowguard.observer.fixture.GuardedTable;
import io.rowguard.observer.fixture.Refusals;
import io.rowguard.observer.fixture.RelayoutTables;
import io.rowguard.observer.fixture.SaltedGuard;
import io.rowguard.testing.MiniCluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.ValueFilter;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads of bare keys in salt mode. */
@ExtendWith(MiniCluster.class)
class SaltReadIT {
  private static final String ALICE = "alice|0001";
  private static final String NOBODY = "nobody|0001";

  private final HBaseTestingUtility hbase;

  SaltReadIT(HBaseTestingUtility hbase) {
    this.hbase = hbase;
  }

  @Test
  void get_ofABareKey_answersWithTheSaltedRowsCells() throws Exception {
    try (GuardedTable guarded = SaltedGuard.create(hbase)) {
      guarded.table().put(put(ALICE));

      Result result = guarded.table().get(new Get(bytes(ALICE)));

      assertEquals(ALICE, Bytes.toString(result.getRow()));
      assertEquals("v", Bytes.toString(result.getValue(F, Q)));
      assertEquals(
          salted(ALICE),
          Bytes.toString(guarded.table().get(new Get(bytes(salted(ALICE)))).getRow()));
      assertTrue(guarded.table().get(new Get(bytes(NOBODY))).isEmpty());
      assertTrue(guarded.table().get(new Get(bytes("neither"))).isEmpty());
    }
  }

  @Test
  void get_withAllItsOptions_honoursThem() throws Exception {
    try (GuardedTable guarded = SaltedGuard.create(hbase)) {
      guarded.alterVersions(5);
      for (int i = 1; i <= 5; i++) {
        guarded
            .table()
            .put(
                new Put(bytes(ALICE))
                    .addColumn(F, Q, i, bytes("v" + i))
                    .addColumn(F, bytes("other"), i, bytes("o" + i)));
      }

      List<Get> gets =
          List.of(
              new Get(bytes(ALICE)),
              new Get(bytes(ALICE)).addFamily(F).readVersions(3),
              new Get(bytes(ALICE)).addColumn(F, Q).readAllVersions(),
              new Get(bytes(ALICE)).setTimeRange(2, 4).readAllVersions(),
              new Get(bytes(ALICE)).setTimestamp(3),
              new Get(bytes(ALICE)).readAllVersions().setMaxResultsPerColumnFamily(2),
              new Get(bytes(ALICE)).setMaxResultsPerColumnFamily(2).setRowOffsetPerColumnFamily(1),
              new Get(bytes(ALICE)).setColumnFamilyTimeRange(F, 1, 3).readAllVersions(),
              new Get(bytes(ALICE))
                  .setFilter(
                      new ValueFilter(CompareOperator.EQUAL, new BinaryComparator(bytes("o5")))));
      for (Get get : gets) {
        Get direct = new Get(bytes(salted(ALICE)));
        copy(get, direct);
        assertEquals(
            values(guarded.table().get(direct)), values(guarded.table().get(get)), get.toString());
        assertFalse(values(guarded.table().get(get)).isEmpty(), get.toString());
      }
    }
  }

  private static void copy(Get from, Get to) throws IOException {
    to.setTimeRange(from.getTimeRange().getMin(), from.getTimeRange().getMax());
    to.readVersions(from.getMaxVersions());
    to.setMaxResultsPerColumnFamily(from.getMaxResultsPerColumnFamily());
    to.setRowOffsetPerColumnFamily(from.getRowOffsetPerColumnFamily());
    to.setFilter(from.getFilter());
    from.getColumnFamilyTimeRange()
        .forEach(
            (family, range) -> to.setColumnFamilyTimeRange(family, range.getMin(), range.getMax()));
    from.getFamilyMap()
        .forEach(
            (family, columns) -> {
              if (columns == null) {
                to.addFamily(family);
              } else {
                columns.forEach(column -> to.addColumn(family, column));
              }
            });
  }

  private static List<String> values(Result result) {
    return Stream.of(result.isEmpty() ? new Cell[0] : result.rawCells())
        .map(cell -> Bytes.toString(CellUtil.cloneValue(cell)) + "@" + cell.getTimestamp())
        .toList();
  }

  @Test
  void exists_ofBareKeys_answers() throws Exception {
    try (GuardedTable guarded = SaltedGuard.create(hbase)) {
      guarded.table().put(put(ALICE));

      assertTrue(guarded.table().exists(new Get(bytes(ALICE))));
      assertFalse(guarded.table().exists(new Get(bytes(NOBODY))));
      assertArrayEquals(
          new boolean[] {true, false, true},
          guarded
              .table()
              .exists(
                  List.of(
                      new Get(bytes(ALICE)),
                      new Get(bytes(NOBODY)),
                      new Get(bytes(salted(ALICE))))));
    }
  }

  @Test
  void get_ofManyBareKeys_answersEach() throws Exception {
    try (GuardedTable guarded = SaltedGuard.create(hbase)) {
      List<Get> gets = new ArrayList<>();
      List<Put> puts = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        puts.add(put("user" + i + "|0001", "v" + i));
        gets.add(new Get(bytes("user" + i + "|0001")));
      }
      guarded.table().put(puts);

      Result[] results = guarded.table().get(gets);

      for (int i = 0; i < 100; i++) {
        assertEquals("user" + i + "|0001", Bytes.toString(results[i].getRow()));
        assertEquals("v" + i, Bytes.toString(results[i].value()));
      }
      assertEquals(100, Counters.of(guarded.name()).get("bare_reads"));
    }
  }

  @Test
  void scan_whereNoRowCanLie_isRefusedUnlessAccepted() throws Exception {
    List<Scan> scans =
        List.of(
            scan("alice", "bob", false),
            scan("alice", null, false),
            scan("bob", "alice", true),
            scan("16", "17", false),
            scan("03-alice|0001", "03-alice|0002", false),
            scan(null, "0", false));
    try (GuardedTable guarded = SaltedGuard.create(hbase)) {
      guarded.table().put(put(ALICE));
      for (Scan scan : scans) {
        String message = Refusals.messageOf(() -> count(guarded, scan));
        assertTrue(
            message.startsWith(
                "No row of the layout lies between the bounds of this scan, so it would find"
                    + " nothing. table="
                    + guarded.name()),
            message);
      }
      guarded.alter("rowguard.scan", "accept");
      for (Scan scan : scans) {
        assertEquals(0, count(guarded, scan), scan.toString());
      }
    }
  }

  /** Regions may lie where no row can, and the client goes on from one to the next. */
  @ParameterizedTest(name = "reversed={0}")
  @ValueSource(booleans = {false, true})
  void scan_ofTheWholeTableThroughRegionsThatNoRowCanReach_runs(boolean reversed) throws Exception {
    try (GuardedTable guarded =
        SaltedGuard.table(hbase).withSplits("+", "04-", "08-", "12-", "a", "w1").create()) {
      List<Put> puts = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        puts.add(put("user" + i + "|0001"));
      }
      guarded.table().put(puts);

      assertEquals(100, count(guarded, scan(null, null, reversed).setCaching(7)));
    }
  }

  /** As the client goes on after a region has moved: after the last row that it got. */
  /** As HBase's own MapReduce jobs do, and those of the command. */
  @Test
  void scan_ofEachRegionByItself_runs() throws Exception {
    try (GuardedTable guarded =
        SaltedGuard.table(hbase).withSplits("+", "04-", "08-", "12-", "a", "w1").create()) {
      guarded.table().put(put(ALICE));
      int rows = 0;
      for (RegionInfo region : hbase.getAdmin().getRegions(guarded.name())) {
        Scan scan = new Scan().withStartRow(region.getStartKey()).withStopRow(region.getEndKey());
        rows += count(guarded, scan);
      }
      assertEquals(1, rows);
    }
  }

  @Test
  void scan_thatGoesOnAfterTheLastRowThereCanBe_runs() throws Exception {
    try (GuardedTable guarded =
        GuardedTable.of(
                hbase,
                "rowguard.layout",
                "{salt:digits(1)=murmur3(*)%2}-{id:digits(1)}",
                "rowguard.mode",
                "salt")
            .create()) {
      guarded.table().put(put("9"));

      assertEquals(0, count(guarded, new Scan().withStartRow(bytes("1-9"), false)));
    }
  }

  @Test
  void scan_whereRowsCanLie_runs() throws Exception {
    try (GuardedTable guarded = SaltedGuard.create(hbase)) {
      guarded.table().put(List.of(put(ALICE), put("bob|0001")));
      assertEquals("13-" + ALICE, salted(ALICE));

      assertEquals(2, count(guarded, scan(null, null, false)));
      assertEquals(2, count(guarded, scan(null, null, true)));
      assertEquals(2, count(guarded, scan("0", null, false)));
      assertEquals(2, count(guarded, scan(null, "alice", false)));
      assertEquals(2, count(guarded, scan("alice", null, true)));
      assertEquals(1, count(guarded, scan("13-", "14-", false)));
      assertEquals(0, count(guarded, scan("alice", "alice", false)));
    }
  }

  /** A reader of both layouts' rows scans ranges of either, in each phase. */
  @Test
  void scan_whileTheLayoutChanges_runsWhereRowsOfEitherLayoutCanLie() throws Exception {
    try (GuardedTable guarded = SaltedGuard.create(hbase)) {
      guarded.table().put(put(ALICE));
      String old = RelayoutTables.row(SALTED, ALICE);
      String row = RelayoutTables.row(OTHERWISE_SALTED, ALICE);
      assertEquals("13-" + ALICE, old);
      assertEquals("29-" + ALICE, row);
      Scan oldRow = scan(old, "13-alice|0002", false);
      Scan newRow = scan(row, "29-alice|0002", false);
      RelayoutTables.prepare(guarded, OTHERWISE_SALTED);
      for (int phase = 0; phase < 2; phase++) {
        assertEquals(1, count(guarded, oldRow));
        assertEquals(0, count(guarded, newRow));
        assertEquals(0, count(guarded, scan("63-x", "64-", false)));
        for (Scan neither :
            List.of(
                scan("64-a", "65-", false),
                scan("45-alice|0001", "45-alice|0002", false),
                scan("alice", "bob", false),
                scan("bob", "alice", true))) {
          String message = Refusals.messageOf(() -> count(guarded, neither));
          assertTrue(message.startsWith("No row of the layout lies between"), message);
        }
        if (phase == 0) {
          RelayoutTables.move(guarded);
        }
      }
      guarded.table().put(put(row));
      assertEquals(0, count(guarded, oldRow));
      assertEquals(1, count(guarded, newRow));

      TableDescriptor moving = hbase.getAdmin().getDescriptor(guarded.name());
      RelayoutTables.finish(guarded);
      assertEquals(1, count(guarded, newRow));
      Refusals.messageOf(() -> count(guarded, oldRow));
      // A client that has not noticed yet asks in both places, and says so.
      LayoutStamp.of(TableConfig.of(moving, hbase.getConfiguration())).mark(oldRow);
      assertEquals(0, count(guarded, oldRow));
    }
  }

  /** Where the rows were unsalted, the bounds of bare keys are those of old rows. */
  @Test
  void scan_ofBareKeysWhileTheyAreTheOldRows_runs() throws Exception {
    try (GuardedTable guarded =
        GuardedTable.of(hbase, "rowguard.layout", RelayoutTables.UNSALTED).create()) {
      guarded.table().put(put(ALICE));
      guarded.alter("rowguard.mode", "salt");
      RelayoutTables.start(guarded, SALTED);

      assertEquals(1, count(guarded, scan("alice", "bob", false)));
      assertEquals(0, count(guarded, scan("13-alice", "13-bob", false)));
      Refusals.messageOf(() -> count(guarded, scan("16-alice", "16-bob", false)));
    }
  }

  private static Scan scan(String start, String stop, boolean reversed) {
    Scan scan = new Scan().setReversed(reversed);
    if (start != null) {
      scan.withStartRow(bytes(start));
    }
    if (stop != null) {
      scan.withStopRow(bytes(stop), false);
    }
    return scan;
  }

  private static int count(GuardedTable guarded, Scan scan) throws IOException {
    int rows = 0;
    try (ResultScanner scanner = guarded.table().getScanner(scan)) {
      while (scanner.next() != null) {
        rows++;
      }
    }
    return rows;
  }
}
