package io.rowguard.observer.relayout;

import static io.rowguard.observer.fixture.RelayoutTables.SALTED;
import static io.rowguard.observer.fixture.RelayoutTables.UNSALTED;
import static io.rowguard.observer.fixture.Writes.bytes;
import static io.rowguard.observer.fixture.Writes.put;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.rowguard.observer.LayoutRegionObserver;
import io.rowguard.observer.fixture.DurableCluster;
import io.rowguard.observer.fixture.GuardedTable;
import io.rowguard.observer.fixture.Refusals;
import io.rowguard.observer.fixture.RelayoutTables;
import io.rowguard.observer.fixture.TableUser;
import io.rowguard.relayout.RelayoutRequest;
import io.rowguard.relayout.RelayoutResponse;
import io.rowguard.relayout.RelayoutResponse.Outcome;
import io.rowguard.testing.Eventually;
import java.io.IOException;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.security.access.AccessController;
import org.apache.hadoop.hbase.security.access.Permission;
import org.apache.hadoop.hbase.security.access.Permission.Action;
import org.apache.hadoop.hbase.security.access.UserPermission;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The requests that each user may send where access control is on; none gets more by asking. */
@ExtendWith({DurableCluster.Started.class, DurableCluster.WithoutLabels.class})
class RelayoutAccessIT {
  private static final String ALICE = "alice|0001";

  private final DurableCluster cluster;
  private final HBaseTestingUtility hbase;
  private GuardedTable guarded;
  private Map<RelayoutRequest.Kind, RelayoutRequest> requests;

  RelayoutAccessIT(DurableCluster cluster) {
    this.cluster = cluster;
    this.hbase = cluster.hbase();
  }

  @BeforeEach
  void create() throws IOException {
    guarded =
        GuardedTable.of(
                hbase,
                "rowguard.layout",
                UNSALTED,
                // which counts for the table only, so it must not open it
                User.HBASE_SECURITY_AUTHORIZATION_CONF_KEY,
                "false")
            .create();
    guarded.table().put(put(ALICE));
    long generation = RelayoutTables.start(guarded, SALTED);
    List<byte[]> rows = List.of(bytes(ALICE));
    List<byte[]> newRows = List.of(bytes(RelayoutTables.row(SALTED, "zoe|0001")));
    requests = new EnumMap<>(RelayoutRequest.Kind.class);
    for (RelayoutRequest request :
        List.of(
            RelayoutRequest.ask(generation, rows),
            RelayoutRequest.drop(generation, rows, List.of(1L)),
            RelayoutRequest.touch(generation, newRows),
            RelayoutRequest.pause(generation),
            RelayoutRequest.resume(generation),
            RelayoutRequest.count(generation),
            RelayoutRequest.state(),
            RelayoutRequest.progress(generation),
            RelayoutRequest.leftovers(generation))) {
      requests.put(request.kind(), request);
    }
    assertEquals(EnumSet.allOf(RelayoutRequest.Kind.class), requests.keySet());
  }

  @AfterEach
  void drop() throws IOException {
    guarded.close();
  }

  @Test
  void superuser_mayAskEverything() throws Exception {
    assertAnswered(guarded.table(), EnumSet.allOf(RelayoutRequest.Kind.class));

    RelayoutRequest ask = requests.get(RelayoutRequest.Kind.ASK);
    RelayoutResponse response = RelayoutResponse.of(guarded.table().get(ask.toGet(bytes(ALICE))));
    assertEquals(Outcome.CELLS, response.items().get(0).outcome());
  }

  /** By all servers' configuration and the table's descriptor: only one of the two guards it. */
  @Test
  void superuser_whereTheObserverIsLoadedTwice_isAnswered() throws Exception {
    cluster.setRegionCoprocessors(
        AccessController.class.getName() + "," + LayoutRegionObserver.class.getName());
    try (GuardedTable twice = GuardedTable.of(hbase, "rowguard.layout", UNSALTED).create()) {
      RelayoutResponse response =
          RelayoutResponse.of(twice.table().get(RelayoutRequest.state().toGet(bytes(ALICE))));

      assertEquals(0, response.version());
    } finally {
      cluster.setRegionCoprocessors(AccessController.class.getName());
    }
  }

  @Test
  void stranger_mayAskNothing() throws Exception {
    try (TableUser stranger = new TableUser(hbase, guarded, "stranger")) {
      assertAnswered(stranger.table(), Set.of());
    }
    assertEquals(List.of(ALICE), guarded.rows());
  }

  /** He could copy what he may not read, and delete what he may not delete. */
  @Test
  void writer_mayAskNothing() throws Exception {
    try (TableUser writer = new TableUser(hbase, guarded, "writer")) {
      grant(writer, Action.WRITE, Action.CREATE);
      Eventually.isTrue("he may write", () -> mayWrite(writer));

      assertAnswered(writer.table(), Set.of());
    }
  }

  @Test
  void reader_mayAskHowFarItIs() throws Exception {
    try (TableUser reader = new TableUser(hbase, guarded, "reader")) {
      grant(reader, Action.READ);
      reader.awaitAccess();

      assertAnswered(
          reader.table(),
          EnumSet.of(
              RelayoutRequest.Kind.COUNT,
              RelayoutRequest.Kind.STATE,
              RelayoutRequest.Kind.PROGRESS,
              RelayoutRequest.Kind.LEFTOVERS));
    }
  }

  @Test
  void administrator_mayHaveRowsPulled() throws Exception {
    try (TableUser administrator = new TableUser(hbase, guarded, "administrator")) {
      grant(administrator, Action.READ, Action.ADMIN);
      administrator.awaitAccess();

      assertAnswered(
          administrator.table(),
          EnumSet.of(
              RelayoutRequest.Kind.TOUCH,
              RelayoutRequest.Kind.PAUSE,
              RelayoutRequest.Kind.RESUME,
              RelayoutRequest.Kind.COUNT,
              RelayoutRequest.Kind.STATE,
              RelayoutRequest.Kind.PROGRESS,
              RelayoutRequest.Kind.LEFTOVERS));
    }
  }

  private static boolean mayWrite(TableUser user) throws IOException {
    try {
      user.table().put(put(RelayoutTables.row(SALTED, "carol|0001")));
      return true;
    } catch (AccessDeniedException e) {
      return false;
    }
  }

  private void grant(TableUser user, Action... actions) throws IOException {
    hbase
        .getAdmin()
        .grant(
            new UserPermission(
                user.name(), Permission.newBuilder(guarded.name()).withActions(actions).build()),
            false);
  }

  /** Asks everything; what is denied is denied by its kind, without a word of what is there. */
  private void assertAnswered(Table table, Set<RelayoutRequest.Kind> kinds) throws IOException {
    for (RelayoutRequest request : requests.values()) {
      if (kinds.contains(request.kind())) {
        Result result = table.get(request.toGet(bytes(ALICE)));
        RelayoutResponse response = RelayoutResponse.of(result);
        assertEquals(
            List.of(),
            response.items().stream()
                .filter(item -> item.outcome() == Outcome.REFUSED)
                .map(RelayoutResponse.Item::words)
                .toList());
        continue;
      }
      IOException denial =
          assertThrows(
              IOException.class,
              () -> table.get(request.toGet(bytes(ALICE))),
              () -> request.toString());
      assertInstanceOf(AccessDeniedException.class, Refusals.reasonOf(denial));
      assertFalse(denial.getMessage().contains(SALTED), denial.getMessage());
    }
  }
}
