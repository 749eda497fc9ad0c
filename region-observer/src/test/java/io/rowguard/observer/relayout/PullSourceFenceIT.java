package io.rowguard.observer.relayout;

import static io.rowguard.observer.fixture.Asked.outcomes;
import static io.rowguard.observer.fixture.GuardedTable.F;
import static io.rowguard.observer.fixture.GuardedTable.Q;
import static io.rowguard.observer.fixture.RelayoutTables.SALTED;
import static io.rowguard.observer.fixture.RelayoutTables.UNSALTED;
import static io.rowguard.observer.fixture.Writes.bytes;
import static io.rowguard.observer.fixture.Writes.put;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.config.TableConfig;
import io.rowguard.observer.fixture.Asked;
import io.rowguard.observer.fixture.DurableCluster;
import io.rowguard.observer.fixture.GuardedTable;
import io.rowguard.observer.fixture.RelayoutTables;
import io.rowguard.observer.fixture.Servers;
import io.rowguard.observer.request.InternalMutations;
import io.rowguard.relayout.RelayoutRequest;
import io.rowguard.relayout.RelayoutResponse;
import io.rowguard.relayout.RelayoutResponse.Outcome;
import io.rowguard.testing.Eventually;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.regionserver.wal.AbstractFSWAL;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Old regions and their write-ahead logs: what a server answers goes through its log, which is
 * taken from it when the master has given it up; what it writes there does nothing when it is read
 * again; and what it was told to delete stays deleted.
 */
@ExtendWith({DurableCluster.Started.class, DurableCluster.WithoutLabels.class})
@Tag("long")
class PullSourceFenceIT {
  private static final String ALICE = "alice|0001";
  private static final String BOB = "bob|0001";

  private final HBaseTestingUtility hbase;
  private final Servers servers;

  PullSourceFenceIT(DurableCluster cluster) {
    this.hbase = cluster.hbase();
    this.servers = cluster.servers();
  }

  /** An answer could be about a row that the region's next server has given away by then. */
  @Test
  void ask_aServerWhoseLogIsTaken_hasNoAnswerThoughItStillReads() throws Exception {
    try (GuardedTable guarded = create()) {
      guarded.table().put(put(ALICE));
      long generation = RelayoutTables.start(guarded, SALTED);
      HRegion region = moveToDoomed(guarded);
      ServerName doomed = servers.of(region.getRegionInfo());
      PullSource old = pullSourceOf(region);
      RelayoutRequest request = RelayoutRequest.ask(generation, List.of(bytes(ALICE), bytes(BOB)));
      assertEquals(List.of(Outcome.CELLS, Outcome.NOTHING), outcomes(old.answer(request)));

      int all = servers.count();
      takeLog(region, doomed);

      assertEquals(List.of(ALICE), rowsOf(region));
      assertThrows(IOException.class, () -> old.answer(request));
      Eventually.isTrue(doomed + " has given up itself", () -> servers.count() < all);
      servers.start();
      awaitOpen(guarded);
      assertEquals(List.of(Outcome.CELLS, Outcome.NOTHING), outcomes(answer(guarded, request)));
    }
  }

  /**
   * Acts as the master does with a server that it has given up, before the regions open elsewhere
   * ({@code MasterWalManager.getLogDirs}, {@code RecoverLeaseFSUtils}).
   */
  private void takeLog(HRegion region, ServerName server) throws Exception {
    DistributedFileSystem files = hbase.getDFSCluster().getFileSystem();
    Path log = ((AbstractFSWAL<?>) region.getWAL()).getCurrentFileName();
    Path directory = log.getParent();
    Path taken = directory.suffix("-splitting");
    assertTrue(directory.getName().startsWith(server.getServerName()), directory.toString());
    assertTrue(files.rename(directory, taken));
    Path file = new Path(taken, log.getName());
    Eventually.isTrue(file + " is closed", () -> files.recoverLease(file));
  }

  /** The edits that answers leave in the log are neither data nor known markers. */
  @Test
  void answers_whenTheLogIsReadAgain_changeNothing() throws Exception {
    try (GuardedTable guarded = create()) {
      guarded.table().put(put(ALICE));
      guarded.table().put(put(BOB, "first"));
      guarded.table().put(put(BOB, "second"));
      guarded.table().delete(new Delete(bytes("carol|0001")));
      long generation = RelayoutTables.start(guarded, SALTED);
      HRegion region = moveToDoomed(guarded);
      ServerName doomed = servers.of(region.getRegionInfo());
      guarded.table().put(put(RelayoutTables.row(SALTED, "zoe|0001")));
      RelayoutRequest request = RelayoutRequest.ask(generation, List.of(bytes(ALICE), bytes(BOB)));
      for (int i = 0; i < 10; i++) {
        assertEquals(List.of(Outcome.CELLS, Outcome.CELLS), outcomes(answer(guarded, request)));
      }
      List<String> cells = guarded.cells();

      servers.killAndReplace(doomed);
      awaitOpen(guarded);

      assertEquals(cells, guarded.cells());
      assertEquals(List.of(Outcome.CELLS, Outcome.CELLS), outcomes(answer(guarded, request)));
    }
  }

  /** A drop is in the log whatever durability the table declares. */
  @Test
  void drop_whereTheTableSkipsItsLog_outlivesTheServer() throws Exception {
    try (GuardedTable guarded =
        GuardedTable.of(hbase, "rowguard.layout", UNSALTED, "DURABILITY", "SKIP_WAL").create()) {
      guarded.table().put(new Put(bytes(ALICE)).addColumn(F, Q, 10, bytes("v")));
      guarded.table().put(new Put(bytes(BOB)).addColumn(F, Q, 10, bytes("v")));
      hbase.flush(guarded.name());
      long generation = RelayoutTables.start(guarded, SALTED);
      HRegion region = moveToDoomed(guarded);
      ServerName doomed = servers.of(region.getRegionInfo());
      RelayoutRequest drop = RelayoutRequest.drop(generation, List.of(bytes(ALICE)), List.of(10L));
      assertEquals(List.of(Outcome.DONE), outcomes(answer(guarded, drop)));

      servers.killAndReplace(doomed);
      awaitOpen(guarded);

      assertEquals(List.of(BOB), guarded.rows());
    }
  }

  /** So is a copy: on another server its old row is deleted then. */
  @Test
  void copy_whereTheTableSkipsItsLog_outlivesTheServer() throws Exception {
    try (GuardedTable guarded =
        GuardedTable.of(hbase, "rowguard.layout", UNSALTED, "DURABILITY", "SKIP_WAL")
            .withSplits("a")
            .create()) {
      guarded.table().put(put(ALICE));
      hbase.flush(guarded.name());
      long generation = RelayoutTables.start(guarded, SALTED);
      HRegion region = moveToDoomed(guarded);
      ServerName doomed = servers.of(region.getRegionInfo());
      servers.move(
          servers.regionsOf(guarded.name()).get(1).getRegionInfo(), servers.otherThan(doomed));
      String row = RelayoutTables.row(SALTED, ALICE);
      RelayoutRequest touch = RelayoutRequest.touch(generation, List.of(bytes(row)));
      assertEquals(List.of(Outcome.DONE), outcomes(Asked.answer(guarded, row, touch)));

      takeLog(region, doomed); // else what is not synced would be, in the end
      servers.killAndReplace(doomed);
      awaitOpen(guarded);

      assertEquals(List.of(row), guarded.rows());
    }
  }

  private GuardedTable create() throws IOException {
    return GuardedTable.of(hbase, "rowguard.layout", UNSALTED).create();
  }

  /** The old side that the observer of a region would have; asked here it needs no network. */
  private static PullSource pullSourceOf(HRegion region) {
    TableConfig config =
        TableConfig.of(region.getTableDescriptor(), region.getReadOnlyConfiguration());
    assertFalse(config.isWrong(), () -> config.problems().toString());
    return new PullSource(region, config, new InternalMutations(), GlobalMemstore.of(null));
  }

  /** The table's region, on the server without hbase:meta. */
  private HRegion moveToDoomed(GuardedTable guarded) throws Exception {
    RegionInfo info = servers.regionsOf(guarded.name()).get(0).getRegionInfo();
    servers.move(info, servers.otherThan(servers.of(RegionInfoBuilder.FIRST_META_REGIONINFO)));
    return servers.regionsOf(guarded.name()).get(0);
  }

  private void awaitOpen(GuardedTable guarded) throws Exception {
    Eventually.isTrue(
        guarded.name() + " is open",
        () ->
            servers.regionsOf(guarded.name()).stream()
                .anyMatch(region -> servers.of(region.getRegionInfo()) != null));
    guarded.table().get(new Get(bytes(ALICE)));
  }

  private static List<String> rowsOf(HRegion region) throws IOException {
    List<String> rows = new ArrayList<>();
    try (RegionScanner scanner = region.getScanner(new Scan())) {
      List<Cell> cells = new ArrayList<>();
      boolean more = true;
      while (more) {
        more = scanner.next(cells);
        cells.forEach(cell -> rows.add(row(cell)));
        cells.clear();
      }
    }
    return rows;
  }

  private static String row(Cell cell) {
    return new String(cell.getRowArray(), cell.getRowOffset(), cell.getRowLength(), UTF_8);
  }

  private static RelayoutResponse answer(GuardedTable guarded, RelayoutRequest request)
      throws IOException {
    return RelayoutResponse.of(guarded.table().get(request.toGet(bytes(ALICE))));
  }
}
