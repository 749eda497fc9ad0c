package io.rowguard.observer;

import static io.rowguard.observer.fixture.GuardedTable.F;
import static io.rowguard.observer.fixture.GuardedTable.Q;
import static io.rowguard.observer.fixture.Refusals.messageOf;
import static io.rowguard.observer.fixture.Writes.BAD;
import static io.rowguard.observer.fixture.Writes.GOOD;
import static io.rowguard.observer.fixture.Writes.append;
import static io.rowguard.observer.fixture.Writes.bytes;
import static io.rowguard.observer.fixture.Writes.delete;
import static io.rowguard.observer.fixture.Writes.increment;
import static io.rowguard.observer.fixture.Writes.put;
import static io.rowguard.observer.fixture.Writes.together;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.observer.fixture.Counters;
import io.rowguard.observer.fixture.DurableCluster;
import io.rowguard.observer.fixture.GuardedTable;
import io.rowguard.observer.fixture.Refusals;
import io.rowguard.observer.fixture.SaltedGuard;
import io.rowguard.observer.fixture.Servers;
import io.rowguard.observer.fixture.TableUser;
import io.rowguard.observer.fixture.Writes;
import io.rowguard.testing.Eventually;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hadoop.hbase.security.access.AccessController;
import org.apache.hadoop.hbase.security.access.Permission;
import org.apache.hadoop.hbase.security.access.Permission.Action;
import org.apache.hadoop.hbase.security.access.UserPermission;
import org.apache.hadoop.hbase.security.visibility.CellVisibility;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.function.Executable;

/**
 * Beside HBase's access control and visibility labels, where the layout is the cluster's. A user
 * who may not write gets that error, and nothing of the layout.
 */
@ExtendWith(DurableCluster.Started.class)
class SecurityIT {
  private final DurableCluster cluster;
  private final HBaseTestingUtility hbase;

  SecurityIT(DurableCluster cluster) {
    this.cluster = cluster;
    this.hbase = cluster.hbase();
  }

  @Test
  void writerWithPermission_badRow_isRefusedAndConformingOnesLand() throws Exception {
    try (GuardedTable guarded = create();
        TableUser writer = new TableUser(hbase, guarded, "writer")) {
      grant(guarded, writer, Action.READ, Action.WRITE);
      writer.run(table -> table.put(put(GOOD)));

      for (TableUser.Action write : everyWriteOf(BAD)) {
        assertRefused(guarded, () -> writer.run(write));
      }
      Object[] results = writer.batch(put("a|0001"), put(BAD), put("c|0003"), append(BAD));

      assertEquals(Set.of(1, 3), Refusals.placesOf(results));
      assertEquals(List.of(GOOD, "a|0001", "c|0003"), guarded.rows());
    }
  }

  @Test
  void userWithoutPermission_badRow_isDeniedWithoutAWordOfTheLayout() throws Exception {
    try (GuardedTable guarded = create();
        TableUser stranger = new TableUser(hbase, guarded, "stranger")) {
      for (String row : List.of(BAD, GOOD)) {
        for (TableUser.Action write : everyWriteOf(row)) {
          IOException denial = assertThrows(IOException.class, () -> stranger.run(write));
          assertDenied(denial);
        }
        for (Object result : stranger.batch(put(row), put("a|0001"))) {
          assertDenied(result);
        }
      }

      assertEquals(List.of(), guarded.cells());
      assertEquals(Map.of(), Counters.of(guarded.name()));
    }
  }

  /** Small priorities come first, and HBase's own coprocessors have large ones. */
  @Test
  void userWithoutPermission_whereTheDescriptorHasAPriority_isRefusedAConditionalWriteFirst()
      throws Exception {
    cluster.setRegionCoprocessors(DurableCluster.CONTROLLERS);
    try (GuardedTable guarded = GuardedTable.create(hbase);
        TableUser stranger = new TableUser(hbase, guarded, "stranger")) {
      TableUser.Action conditional =
          table ->
              table.checkAndMutate(
                  CheckAndMutate.newBuilder(bytes(BAD)).ifNotExists(F, Q).build(put(BAD)));

      assertRefused(guarded, () -> stranger.run(conditional));
      assertDenied(
          assertThrows(IOException.class, () -> stranger.run(table -> table.put(put(BAD)))));
      assertEquals(List.of(), guarded.cells());
    } finally {
      cluster.setRegionCoprocessors(DurableCluster.CONTROLLERS_AND_OBSERVER);
    }
  }

  /** Where cells may grant more than the table does, HBase decides in the same hook, before. */
  @Test
  void userWithPermissionOnACell_mayWriteThatRowAndIsHeldToTheLayout() throws Exception {
    try (GuardedTable guarded = createWithCellPermissions();
        TableUser guest = new TableUser(hbase, guarded, "guest")) {
      guarded.table().put(mayWrite(put(GOOD), guest));
      guarded.table().put(put("carol|0003"));
      guarded.table().put(Writes.replicated(mayWrite(put(BAD), guest)));

      guest.run(table -> table.put(put(GOOD, "new")));
      assertRefused(guarded, () -> guest.run(table -> table.put(put(BAD, "new"))));
      assertDenied(
          assertThrows(
              IOException.class, () -> guest.run(table -> table.put(put("carol|0003", "new")))));

      assertEquals(List.of(GOOD + "/q=new", BAD + "/q=v", "carol|0003/q=v"), guarded.latestCells());
    }
  }

  @Test
  void readerWithPermissionOnACell_seesTheConformingRowsOfABatch() throws Exception {
    try (GuardedTable guarded = createWithCellPermissions();
        TableUser reader = new TableUser(hbase, guarded, "reader")) {
      Object[] results =
          guarded.batch(
              List.of(
                  mayRead(put("a|0001"), reader),
                  mayRead(put(BAD), reader),
                  put("c|0003"),
                  mayRead(put("d|0004"), reader)));

      assertEquals(Set.of(1), Refusals.placesOf(results));
      assertEquals(List.of("a|0001", "d|0004"), rowsFor(reader));
    }
  }

  @Test
  void labelledRows_conforming_areHiddenFromThoseWithoutTheLabel() throws Exception {
    try (GuardedTable guarded = create();
        TableUser insider = new TableUser(hbase, guarded, DurableCluster.INSIDER);
        TableUser outsider = new TableUser(hbase, guarded, "outsider")) {
      grant(guarded, insider, Action.READ);
      grant(guarded, outsider, Action.READ, Action.WRITE);

      Object[] results =
          outsider.batch(
              labelled(put("a|0001"), DurableCluster.LABEL),
              labelled(put(BAD), DurableCluster.LABEL),
              put("c|0003"),
              labelled(put("d|0004"), DurableCluster.LABEL));

      assertEquals(Set.of(1), Refusals.placesOf(results));
      assertEquals(List.of("a|0001", "c|0003", "d|0004"), rowsFor(insider));
      assertEquals(List.of("c|0003"), rowsFor(outsider));
    }
  }

  /** Both set the status of single rows; each row gets the one that is meant for it. */
  @Test
  void batch_unknownLabelsAndBadRows_failEachWithItsOwnReason() throws Exception {
    try (GuardedTable guarded = create()) {
      List<Row> puts =
          List.of(
              put("a|0001"),
              labelled(put("b|0002"), "nosuch"),
              put(BAD),
              labelled(put("bob|001x"), "nosuch"),
              put("c|0003"));

      Object[] results = guarded.batch(puts);

      assertEquals(Set.of(1, 2, 3), Refusals.placesOf(results));
      assertTrue(messageOf(results[1]).contains("nosuch"), messageOf(results[1]));
      assertEquals(Refusals.of(guarded, BAD), messageOf(results[2]));
      assertTrue(messageOf(results[3]).contains("nosuch"), messageOf(results[3]));
      assertEquals(List.of("a|0001", "c|0003"), guarded.rows());
    }
  }

  /** None of their rows fits the layout that the site declares for all tables. */
  @Test
  void systemTables_withTheObserverAndALayoutForAll_areUntouched() throws Exception {
    for (TableName table : cluster.tablesOfHBase()) {
      List<HRegion> regions = cluster.servers().regionsOf(table);
      assertFalse(regions.isEmpty(), table.toString());
      for (HRegion region : regions) {
        assertNotNull(Servers.observerOf(region), table.toString());
        assertEquals(GuardedTable.LAYOUT, region.getReadOnlyConfiguration().get("rowguard.layout"));
      }
      assertTrue(hbase.countRows(table) > 0, table.toString());
      assertEquals(Set.of(), Counters.namesOf(table));
    }
  }

  /** The server reads with its own rights: it must not before HBase has agreed. */
  @Test
  void saltMode_bareKey_isReadAndWrittenOnlyByWhoMay() throws Exception {
    cluster.setRegionCoprocessors(AccessController.class.getName());
    try (GuardedTable guarded = SaltedGuard.create(hbase);
        TableUser reader = new TableUser(hbase, guarded, "reader");
        TableUser stranger = new TableUser(hbase, guarded, "stranger")) {
      guarded.table().put(put(GOOD));
      grant(guarded, reader, Action.READ);

      assertEquals("v", Bytes.toString(reader.table().get(new Get(bytes(GOOD))).value()));
      for (TableUser.Action read :
          List.<TableUser.Action>of(
              table -> table.get(new Get(bytes(GOOD))),
              table -> table.exists(new Get(bytes(GOOD))),
              table -> table.get(List.of(new Get(bytes(GOOD)))))) {
        assertDenied(assertThrows(IOException.class, () -> stranger.run(read)));
      }
      for (TableUser user : List.of(reader, stranger)) {
        assertDenied(
            assertThrows(IOException.class, () -> user.run(table -> table.put(put("bob|0001")))));
      }
      assertEquals(List.of(SaltedGuard.salted(GOOD)), guarded.rows());
    } finally {
      cluster.setRegionCoprocessors(DurableCluster.CONTROLLERS_AND_OBSERVER);
    }
  }

  /** The labels' coprocessor comes first, and gives the Delete a time that would delete nothing. */
  @Test
  void saltMode_deleteOfTheLatestVersionBehindLabels_deletesIt() throws Exception {
    try (GuardedTable guarded = SaltedGuard.table(hbase).withoutObserver().create()) {
      guarded.table().put(put(GOOD));
      assertEquals(List.of(SaltedGuard.salted(GOOD) + "/q=v"), guarded.cells());

      guarded.table().delete(new Delete(bytes(GOOD)).addColumn(F, Q));

      assertFalse(guarded.table().exists(new Get(bytes(SaltedGuard.salted(GOOD)))));
    }
  }

  @Test
  void saltMode_getOfABareKeyWhereLabelsHideCells_isRefused() throws Exception {
    cluster.setRegionCoprocessors(DurableCluster.CONTROLLERS);
    try (GuardedTable guarded = SaltedGuard.create(hbase);
        TableUser reader = new TableUser(hbase, guarded, "reader")) {
      guarded.table().put(labelled(put(SaltedGuard.salted(GOOD)), DurableCluster.LABEL));
      hbase
          .getAdmin()
          .grant(
              new UserPermission(
                  reader.name(),
                  Permission.newBuilder(guarded.name()).withActions(Action.READ).build()),
              false);

      Eventually.isTrue("the grant has arrived", () -> isNotAnswered(reader));
    } finally {
      cluster.setRegionCoprocessors(DurableCluster.CONTROLLERS_AND_OBSERVER);
    }
  }

  /** Whether a Get of a bare key is refused for what hides cells from the user; never answered. */
  private static boolean isNotAnswered(TableUser reader) {
    IOException result =
        assertThrows(IOException.class, () -> reader.table().get(new Get(bytes(GOOD))));
    return !(result instanceof AccessDeniedException)
        && messageOf(result).contains("is not answered");
  }

  private GuardedTable create() throws IOException {
    return GuardedTable.of(hbase).withoutObserver().create();
  }

  private GuardedTable createWithCellPermissions() throws IOException {
    return GuardedTable.of(hbase, "hbase.security.access.early_out", "false")
        .withoutObserver()
        .create();
  }

  private static List<TableUser.Action> everyWriteOf(String row) {
    return List.of(
        table -> table.put(put(row)),
        table -> table.append(append(row)),
        table -> table.increment(increment(row)),
        table -> table.mutateRow(together(delete(row), put(row))),
        table ->
            table.checkAndMutate(
                CheckAndMutate.newBuilder(bytes(row)).ifNotExists(F, Q).build(put(row))));
  }

  /** Lets a user do something with a table; he can when this returns. */
  private void grant(GuardedTable guarded, TableUser user, Action... actions) throws Exception {
    hbase
        .getAdmin()
        .grant(
            new UserPermission(
                user.name(), Permission.newBuilder(guarded.name()).withActions(actions).build()),
            false);
    user.awaitAccess();
  }

  private static Put mayWrite(Put put, TableUser user) {
    return put.setACL(user.name(), new Permission(Action.READ, Action.WRITE));
  }

  private static Put mayRead(Put put, TableUser user) {
    return put.setACL(user.name(), new Permission(Action.READ));
  }

  private static Put labelled(Put put, String label) {
    return put.setCellVisibility(new CellVisibility(label));
  }

  private static List<String> rowsFor(TableUser user) throws IOException {
    try (ResultScanner scanner = user.table().getScanner(new Scan())) {
      return Arrays.stream(scanner.next(100))
          .map(Result::getRow)
          .map(Bytes::toStringBinary)
          .toList();
    }
  }

  private static void assertRefused(GuardedTable guarded, Executable write) {
    Refusals.assertRefused(guarded, write);
  }

  private static void assertDenied(Object result) {
    AccessDeniedException denial =
        assertInstanceOf(AccessDeniedException.class, Refusals.reasonOf(result));
    assertFalse(denial.getMessage().contains("layout"), denial.getMessage());
  }
}
