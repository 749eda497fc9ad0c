package io.rowguard.observer.relayout;

import static io.rowguard.observer.fixture.Asked.outcomes;
import static io.rowguard.observer.fixture.RelayoutTables.OTHERWISE_SALTED;
import static io.rowguard.observer.fixture.RelayoutTables.SALTED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.observer.fixture.Counters;
import io.rowguard.observer.fixture.GuardedTable;
import io.rowguard.observer.fixture.RelayoutTables;
import io.rowguard.observer.fixture.Writes;
import io.rowguard.relayout.RelayoutRequest;
import io.rowguard.relayout.RelayoutResponse;
import io.rowguard.relayout.RelayoutResponse.Outcome;
import io.rowguard.testing.MiniCluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Rows that are pulled without a write, as by the mover. */
@ExtendWith(MiniCluster.class)
class TouchIT {
  /** New rows of these begin with digits that no row of {@link RelayoutTables#SALTED} has. */
  private static final List<String> KEYS =
      IntStream.range(0, 200)
          .mapToObj(i -> "user" + i + "|0001")
          .filter(key -> newRow(key).compareTo("32-") > 0)
          .toList();

  private final HBaseTestingUtility hbase;

  TouchIT(HBaseTestingUtility hbase) {
    this.hbase = hbase;
  }

  private GuardedTable create() throws IOException {
    GuardedTable guarded =
        GuardedTable.of(hbase, "rowguard.layout", SALTED).withSplits("08-", "32-").create();
    List<Put> puts = new ArrayList<>();
    KEYS.forEach(key -> puts.add(Writes.put(oldRow(key))));
    guarded.table().put(puts);
    return guarded;
  }

  private static String oldRow(String key) {
    return RelayoutTables.row(SALTED, key);
  }

  private static String newRow(String key) {
    return RelayoutTables.row(OTHERWISE_SALTED, key);
  }

  private static RelayoutResponse touch(GuardedTable guarded, long generation, List<String> rows)
      throws IOException {
    List<byte[]> all = rows.stream().map(Writes::bytes).toList();
    return RelayoutResponse.of(
        guarded.table().get(RelayoutRequest.touch(generation, all).toGet(all.get(0))));
  }

  @Test
  void rows_whileMoving_areMovedOnce() throws Exception {
    try (GuardedTable guarded = create()) {
      long generation = RelayoutTables.start(guarded, OTHERWISE_SALTED);
      List<String> rows = KEYS.stream().map(TouchIT::newRow).toList();

      RelayoutResponse response = touch(guarded, generation, rows);

      assertTrue(response.isMoving());
      assertEquals(generation, response.generation());
      assertEquals(KEYS.stream().map(key -> Outcome.DONE).toList(), outcomes(response));
      assertEquals(rows.stream().sorted().toList(), guarded.rows());
      assertEquals(
          KEYS.stream().map(key -> Outcome.UNMOVED).toList(),
          outcomes(touch(guarded, generation, rows)));
      assertEquals((long) KEYS.size(), Counters.of(guarded.name()).get("relayout_pulled_by_touch"));
    }
  }

  @Test
  void rows_thatAreNotToBeMovedHere_areSaidToBe() throws Exception {
    try (GuardedTable guarded = create()) {
      long generation = RelayoutTables.start(guarded, OTHERWISE_SALTED);
      String row = newRow(KEYS.get(0));
      List<String> before = guarded.rows();

      assertEquals(
          List.of(Outcome.REFUSED, Outcome.NOT_HERE, Outcome.REFUSED),
          outcomes(touch(guarded, generation + 1, List.of(row, oldRow(KEYS.get(0)), "99-x|0001"))));
      assertEquals(
          List.of(Outcome.REFUSED), outcomes(touch(guarded, generation, List.of("99-x|0001"))));
      assertEquals(
          List.of(Outcome.UNMOVED),
          outcomes(touch(guarded, generation, List.of(newRow("nobody|0001")))));
      assertEquals(before, guarded.rows());
    }
  }

  @Test
  void rows_whilePaused_moveByWritesOnly() throws Exception {
    try (GuardedTable guarded = create()) {
      long generation = RelayoutTables.start(guarded, OTHERWISE_SALTED);
      String row = newRow(KEYS.get(0));
      List<String> before = guarded.rows();
      assertEquals(
          List.of(Outcome.REFUSED),
          outcomes(asked(guarded, RelayoutRequest.pause(generation + 1), row)));
      assertEquals(
          List.of(Outcome.DONE), outcomes(asked(guarded, RelayoutRequest.pause(generation), row)));

      RelayoutResponse response = touch(guarded, generation, List.of(row, "99-x|0001"));

      assertEquals(List.of(Outcome.PAUSED, Outcome.REFUSED), outcomes(response));
      assertTrue(response.isPaused());
      assertTrue(asked(guarded, RelayoutRequest.state(), row).isPaused());
      assertTrue(asked(guarded, RelayoutRequest.progress(generation), row).isPaused());
      assertEquals(before, guarded.rows());
      guarded.table().put(Writes.put(row));
      assertFalse(guarded.rows().contains(oldRow(KEYS.get(0))));

      asked(guarded, RelayoutRequest.resume(generation), row);
      assertFalse(asked(guarded, RelayoutRequest.state(), row).isPaused());
      assertEquals(
          List.of(Outcome.DONE),
          outcomes(touch(guarded, generation, List.of(newRow(KEYS.get(1))))));
    }
  }

  private static RelayoutResponse asked(GuardedTable guarded, RelayoutRequest request, String row)
      throws IOException {
    return RelayoutResponse.of(guarded.table().get(request.toGet(Writes.bytes(row))));
  }

  @Test
  void rows_whileThePlaceIsNotGivenUp_stay() throws Exception {
    try (GuardedTable guarded = create()) {
      long generation = RelayoutTables.prepare(guarded, OTHERWISE_SALTED);
      List<String> before = guarded.rows();

      RelayoutResponse response = touch(guarded, generation, List.of(newRow(KEYS.get(0))));

      assertEquals(List.of(Outcome.FAILED), outcomes(response));
      assertEquals("The old row takes the writes for now.", response.items().get(0).words());
      assertEquals(before, guarded.rows());
    }
  }

  @Test
  void rows_ofATableThatIsThrough_areRefused() throws Exception {
    try (GuardedTable guarded = create()) {
      long generation = RelayoutTables.start(guarded, OTHERWISE_SALTED);
      List<String> rows = KEYS.stream().map(TouchIT::newRow).toList();
      touch(guarded, generation, rows);
      RelayoutTables.finish(guarded);

      RelayoutResponse response = touch(guarded, generation, rows.subList(0, 1));

      assertEquals(List.of(Outcome.REFUSED), outcomes(response));
      assertEquals(0, response.generation());
    }
  }

  /** Those handlers answer other servers, and must not wait for any. */
  @Test
  void rows_withAPriority_areNotPulled() throws Exception {
    try (GuardedTable guarded = create()) {
      long generation = RelayoutTables.start(guarded, OTHERWISE_SALTED);
      byte[] row = Writes.bytes(newRow(KEYS.get(0)));
      Get get =
          RelayoutRequest.touch(generation, List.of(row))
              .toGet(row)
              .setPriority(HConstants.HIGH_QOS);

      RelayoutResponse response = RelayoutResponse.of(guarded.table().get(get));

      assertEquals(List.of(Outcome.FAILED), outcomes(response));
      assertTrue(guarded.rows().contains(oldRow(KEYS.get(0))));
    }
  }
}
