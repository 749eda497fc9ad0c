package io.rowguard.observer;

import static io.rowguard.observer.fixture.GuardedTable.F;
import static io.rowguard.observer.fixture.GuardedTable.LAYOUT;
import static io.rowguard.observer.fixture.GuardedTable.Q;
import static io.rowguard.observer.fixture.Refusals.assertRefused;
import static io.rowguard.observer.fixture.Refusals.placesOf;
import static io.rowguard.observer.fixture.Writes.BAD;
import static io.rowguard.observer.fixture.Writes.GOOD;
import static io.rowguard.observer.fixture.Writes.append;
import static io.rowguard.observer.fixture.Writes.bytes;
import static io.rowguard.observer.fixture.Writes.delete;
import static io.rowguard.observer.fixture.Writes.increment;
import static io.rowguard.observer.fixture.Writes.put;
import static io.rowguard.observer.fixture.Writes.together;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.observer.fixture.Counters;
import io.rowguard.observer.fixture.DurableCluster;
import io.rowguard.observer.fixture.GuardedTable;
import io.rowguard.observer.fixture.RowAdder;
import io.rowguard.observer.fixture.Servers;
import io.rowguard.testing.Eventually;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A region server dies with rows that are in its write-ahead log only. Acknowledged rows come back,
 * conforming or not, refused ones do not.
 */
@ExtendWith(DurableCluster.Started.class)
class WalReplayIT {
  private final HBaseTestingUtility hbase;
  private final Servers servers;

  WalReplayIT(DurableCluster cluster) {
    this.hbase = cluster.hbase();
    this.servers = cluster.servers();
  }

  @Test
  void serverWithoutMeta_dies_acknowledgedRowsComeBack() throws Exception {
    assertRowsOutlive(servers.otherThan(serverWithMeta()));
  }

  @Test
  void serverWithMeta_dies_acknowledgedRowsComeBack() throws Exception {
    assertRowsOutlive(serverWithMeta());
  }

  /** The write-ahead log is what is asked for last, so nothing of the batch may be in it. */
  @Test
  void server_diesAfterABatchThatAnAddedRowFailed_nothingOfItComesBack() throws Exception {
    ServerName doomed = servers.otherThan(serverWithMeta());
    try (GuardedTable guarded =
        GuardedTable.of(hbase, "rowguard.layout", LAYOUT)
            .withCoprocessor(RowAdder.class, Integer.MAX_VALUE)
            .create()) {
      moveTo(doomed, guarded);
      guarded.table().put(RowAdder.adding("a|0001", put(GOOD)));
      assertEquals(
          Set.of(0, 1),
          placesOf(guarded.batch(List.of(put("b|0002"), RowAdder.adding(BAD, put("c|0003"))))));
      List<String> cells = guarded.cells();
      assertInMemoryOnly(guarded);

      servers.killAndReplace(doomed);
      awaitReopened(guarded.name());

      assertEquals(List.of(GOOD, "a|0001"), guarded.rows());
      assertEquals(cells, guarded.cells());
    }
  }

  private void assertRowsOutlive(ServerName doomed) throws Exception {
    try (GuardedTable rejecting = GuardedTable.create(hbase);
        GuardedTable warning =
            GuardedTable.of(hbase, "rowguard.layout", LAYOUT, "rowguard.mode", "warn")
                .withoutObserver()
                .create()) {
      moveTo(doomed, rejecting);
      moveTo(doomed, warning);
      writeWhereRefused(rejecting);
      writeWhereWarned(warning);
      List<String> cells = rejecting.cells();
      List<String> lenientCells = warning.cells();
      Map<String, Long> counts = Counters.of(rejecting.name());
      Map<String, Long> lenientCounts = Counters.of(warning.name());
      assertInMemoryOnly(rejecting);
      assertInMemoryOnly(warning);

      servers.killAndReplace(doomed);
      awaitReopened(rejecting.name());
      awaitReopened(warning.name());

      assertEquals(cells, rejecting.cells());
      assertEquals(lenientCells, warning.cells());
      assertEquals(counts, Counters.of(rejecting.name()), "replayed edits were counted");
      assertEquals(lenientCounts, Counters.of(warning.name()), "replayed edits were counted");
      assertRefused(rejecting, () -> rejecting.table().put(put(BAD, "new")));
      assertRefused(warning, () -> warning.table().put(put(BAD, "new"))); // by the new descriptor
      rejecting.table().put(put("zoe|0009"));
      warning.table().put(put("zoe|0009"));
    }
  }

  /** Acknowledged rows of all kinds, bad ones among them, and refused ones. */
  private static void writeWhereRefused(GuardedTable guarded) throws Exception {
    guarded.table().put(put(GOOD));
    guarded.table().append(append("b|0002"));
    guarded.table().increment(increment("c|0003"));
    guarded.table().mutateRow(together(put("d|0004"), increment("d|0004")));
    guarded.plant("bob|001x");
    guarded.plant("bob|002x");
    guarded.table().delete(delete("bob|002x"));
    assertRefused(guarded, () -> guarded.table().put(put(BAD)));
    assertRefused(guarded, () -> guarded.table().mutateRow(together(put(BAD), increment(BAD))));
    assertRefused(
        guarded,
        () ->
            guarded
                .table()
                .checkAndMutate(
                    CheckAndMutate.newBuilder(bytes(BAD)).ifNotExists(F, Q).build(put(BAD))));
    Object[] results = guarded.batch(List.of(put("e|0005"), put("bob|003x"), put("f|0006")));
    assertEquals(Set.of(1), placesOf(results));

    assertEquals(
        List.of(GOOD, "bob|001x", "b|0002", "c|0003", "d|0004", "e|0005", "f|0006"),
        guarded.rows());
  }

  /** Bad rows while they may land; then the table gets strict, which the open region knows not. */
  private static void writeWhereWarned(GuardedTable guarded) throws Exception {
    guarded.table().put(put(BAD));
    guarded.table().append(append("bob|004x"));
    assertEquals(Set.of(), placesOf(guarded.batch(List.of(put(GOOD), put("bob|005x")))));
    guarded.alterWithoutReopening("rowguard.mode", "reject");

    assertEquals(List.of(GOOD, BAD, "bob|004x", "bob|005x"), guarded.rows());
  }

  private void moveTo(ServerName server, GuardedTable guarded) throws Exception {
    servers.move(onlyRegionOf(guarded.name()).getRegionInfo(), server);
  }

  private HRegion onlyRegionOf(TableName table) {
    List<HRegion> regions = servers.regionsOf(table);
    assertEquals(1, regions.size());
    return regions.get(0);
  }

  private void assertInMemoryOnly(GuardedTable guarded) {
    HRegion region = onlyRegionOf(guarded.name());
    assertTrue(region.getMemStoreDataSize() > 0);
    assertEquals(0, region.getStores().stream().mapToInt(HStore::getStorefilesCount).sum());
  }

  private void awaitReopened(TableName table) throws Exception {
    Eventually.isTrue(
        table + " on the other server",
        () ->
            servers.regionsOf(table).stream()
                .anyMatch(region -> servers.of(region.getRegionInfo()) != null));
  }

  private ServerName serverWithMeta() {
    return servers.of(RegionInfoBuilder.FIRST_META_REGIONINFO);
  }
}
