package io.rowguard.observer.relayout;

import static io.rowguard.observer.fixture.Asked.outcomes;
import static io.rowguard.observer.fixture.GuardedTable.F;
import static io.rowguard.observer.fixture.GuardedTable.Q;
import static io.rowguard.observer.fixture.RelayoutTables.OTHERWISE_SALTED;
import static io.rowguard.observer.fixture.RelayoutTables.SALTED;
import static io.rowguard.observer.fixture.RelayoutTables.UNSALTED;
import static io.rowguard.observer.fixture.Writes.bytes;
import static io.rowguard.observer.fixture.Writes.put;
import static io.rowguard.observer.fixture.Writes.replicated;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.observer.fixture.Counters;
import io.rowguard.observer.fixture.GuardedTable;
import io.rowguard.observer.fixture.Refusals;
import io.rowguard.observer.fixture.RelayoutTables;
import io.rowguard.relayout.RelayoutRequest;
import io.rowguard.relayout.RelayoutResponse;
import io.rowguard.relayout.RelayoutResponse.Outcome;
import io.rowguard.testing.MiniCluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Edits from clusters whose tables have other layouts: each is written where its bare key lives
 * here. {@code ReplicaWrites} of {@code testing/relayout-model} is the specification.
 */
@ExtendWith(MiniCluster.class)
class ArrivingEditsIT {
  private static final List<String> KEYS = List.of("alice|0001", "bob|0001", "zoe|0009");

  /** In all of the clusters. */
  private static final List<String> LAYOUTS = List.of(SALTED, OTHERWISE_SALTED, UNSALTED);

  private final HBaseTestingUtility hbase;

  ArrivingEditsIT(HBaseTestingUtility hbase) {
    this.hbase = hbase;
  }

  private GuardedTable create(String mode) throws IOException {
    return GuardedTable.of(hbase, "rowguard.layout", SALTED)
        .with("rowguard.mode", mode)
        .with("rowguard.replication.layouts", String.join(" ; ", LAYOUTS))
        .withSplits("08-", "32-")
        .create();
  }

  /** An edit of a key as a cluster with some layout makes it. */
  private static Put arriving(String layout, String key, long timestamp) {
    byte[] value = bytes(LAYOUTS.indexOf(layout) + "@" + timestamp);
    return replicated(
        new Put(bytes(RelayoutTables.row(layout, key))).addColumn(F, Q, timestamp, value));
  }

  private static Delete deleting(String layout, String key, long timestamp) {
    return replicated(
        new Delete(bytes(RelayoutTables.row(layout, key))).addColumns(F, Q, timestamp));
  }

  private static void send(GuardedTable guarded, List<? extends Mutation> edits) throws Exception {
    for (Object answer : guarded.batch(edits)) {
      assertEquals("", answer instanceof Throwable ? answer.toString() : "");
    }
  }

  private static List<String> rows(String layout) {
    return KEYS.stream().map(key -> RelayoutTables.row(layout, key)).sorted().toList();
  }

  @ParameterizedTest
  @ValueSource(strings = {"reject", "salt"})
  void edits_underAnyLayout_areWrittenToTheRowOfTheirKey(String mode) throws Exception {
    try (GuardedTable guarded = create(mode)) {
      List<Mutation> edits = new ArrayList<>();
      for (String key : KEYS) {
        for (int i = 0; i < LAYOUTS.size(); i++) {
          edits.add(arriving(LAYOUTS.get(i), key, 10 + i));
        }
      }
      send(guarded, edits);

      assertEquals(rows(SALTED), guarded.rows());
      for (String key : KEYS) {
        String row = RelayoutTables.row(SALTED, key);
        assertEquals(List.of(row + "/q=2@12"), guarded.latestCellsOf(row));
      }

      send(guarded, List.of(deleting(UNSALTED, KEYS.get(0), 12)));
      send(guarded, List.of(deleting(OTHERWISE_SALTED, KEYS.get(1), 12)));
      send(guarded, List.of(deleting(SALTED, KEYS.get(2), 12)));
      assertEquals(List.of(), guarded.rows());
    }
  }

  /** Its sender keeps it, and sends it again. */
  @Test
  void edit_thatNoLayoutReads_isRefused() throws Exception {
    try (GuardedTable guarded = create("reject")) {
      Object[] answers =
          guarded.batch(List.of(replicated(put("07-no row")), arriving(UNSALTED, "bob|0001", 5)));

      assertEquals(List.of(0), List.copyOf(Refusals.placesOf(answers)));
      assertEquals(List.of(RelayoutTables.row(SALTED, "bob|0001")), guarded.rows());
      assertTrue(
          Counters.of(guarded.name()).keySet().stream().anyMatch(ArrivingEditsIT::isRefusal));
    }
  }

  private static boolean isRefusal(String counter) {
    return counter.startsWith("rejected_");
  }

  /** A client of this cluster has to name rows as they are here. */
  @Test
  void write_ofAClientUnderAnotherLayout_isRefused() throws Exception {
    try (GuardedTable guarded = create("reject")) {
      String foreign = RelayoutTables.row(OTHERWISE_SALTED, "alice|0001");

      String message = Refusals.messageOf(() -> guarded.table().put(put(foreign)));

      assertTrue(message.startsWith("Rowkey does not fit the layout: segment salt"), message);
      assertEquals(List.of(), guarded.rows());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"prepared", "moving"})
  void edits_whileTheLayoutChanges_goToTheRowThatTakesTheWrites(String phase) throws Exception {
    try (GuardedTable guarded = create("reject")) {
      for (String key : KEYS) {
        send(guarded, List.of(arriving(SALTED, key, 1)));
      }
      boolean moves = phase.equals("moving");
      long generation =
          moves
              ? RelayoutTables.start(guarded, OTHERWISE_SALTED)
              : RelayoutTables.prepare(guarded, OTHERWISE_SALTED);
      for (int i = 0; i < LAYOUTS.size(); i++) {
        send(guarded, List.of(arriving(LAYOUTS.get(i), KEYS.get(i), 10)));
      }

      assertEquals(rows(moves ? OTHERWISE_SALTED : SALTED), guarded.rows());
      for (int i = 0; i < LAYOUTS.size(); i++) {
        String row = RelayoutTables.row(moves ? OTHERWISE_SALTED : SALTED, KEYS.get(i));
        assertEquals(List.of(row + "/q=" + i + "@10"), guarded.latestCellsOf(row));
      }
      assertEquals(0, moves ? misplaced(guarded, generation) : 0);
    }
  }

  private static long misplaced(GuardedTable guarded, long generation) throws IOException {
    long rows = 0;
    for (String at : List.of("00-", "08-", "32-")) {
      rows +=
          RelayoutResponse.of(
                  guarded.table().get(RelayoutRequest.count(generation).toGet(bytes(at))))
              .misplacedRows();
    }
    return rows;
  }

  /**
   * A delete overtakes the put that it hides: it arrives as a marker of an empty row, moves as
   * such, and hides the put that comes after the end of the relayout.
   */
  @Test
  void delete_beforeItsPut_movesAndHidesIt() throws Exception {
    try (GuardedTable guarded = create("reject")) {
      String key = KEYS.get(0);
      send(guarded, List.of(deleting(SALTED, key, 20)));
      long generation = RelayoutTables.start(guarded, OTHERWISE_SALTED);
      assertEquals(1, misplaced(guarded, generation));

      byte[] newRow = bytes(RelayoutTables.row(OTHERWISE_SALTED, key));
      RelayoutResponse touched =
          RelayoutResponse.of(
              guarded
                  .table()
                  .get(RelayoutRequest.touch(generation, List.of(newRow)).toGet(newRow)));
      assertEquals(List.of(Outcome.DONE), outcomes(touched));
      assertEquals(0, misplaced(guarded, generation));
      send(guarded, List.of(arriving(SALTED, key, 10)));
      assertEquals(List.of(), guarded.rows());

      RelayoutTables.finish(guarded);
      send(guarded, List.of(arriving(SALTED, key, 15), arriving(UNSALTED, key, 19)));
      assertEquals(List.of(), guarded.rows());
      send(guarded, List.of(arriving(SALTED, key, 21)));
      assertEquals(List.of(RelayoutTables.row(OTHERWISE_SALTED, key)), guarded.rows());
    }
  }
}
