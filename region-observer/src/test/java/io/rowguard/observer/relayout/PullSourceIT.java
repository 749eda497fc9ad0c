package io.rowguard.observer.relayout;

import static io.rowguard.observer.fixture.Asked.answer;
import static io.rowguard.observer.fixture.Asked.outcomes;
import static io.rowguard.observer.fixture.Asked.pullSourceOf;
import static io.rowguard.observer.fixture.Asked.rows;
import static io.rowguard.observer.fixture.GuardedTable.F;
import static io.rowguard.observer.fixture.GuardedTable.Q;
import static io.rowguard.observer.fixture.RelayoutTables.SALTED;
import static io.rowguard.observer.fixture.RelayoutTables.UNSALTED;
import static io.rowguard.observer.fixture.Writes.bytes;
import static io.rowguard.observer.fixture.Writes.put;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.observer.fixture.Asked;
import io.rowguard.observer.fixture.GuardedTable;
import io.rowguard.observer.fixture.RelayoutTables;
import io.rowguard.observer.fixture.Servers;
import io.rowguard.relayout.RelayoutRequest;
import io.rowguard.relayout.RelayoutResponse;
import io.rowguard.relayout.RelayoutResponse.Item;
import io.rowguard.relayout.RelayoutResponse.Outcome;
import io.rowguard.testing.MiniCluster;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The responses of regions about old rows, over the network, in each state of their table. */
@ExtendWith(MiniCluster.class)
class PullSourceIT {
  private static final String ALICE = "alice|0001";
  private static final String BOB = "bob|0001";
  private static final String ZOE = "zoe|0001";
  private static final String NEW_ALICE = RelayoutTables.row(SALTED, ALICE);

  /** In the year 2100. */
  private static final long FUTURE = 4_102_444_800_000L;

  private final HBaseTestingUtility hbase;

  PullSourceIT(HBaseTestingUtility hbase) {
    this.hbase = hbase;
  }

  @Test
  void ask_whilePrepared_isNotYet() throws Exception {
    try (GuardedTable guarded = Asked.unsalted(hbase)) {
      guarded.table().put(put(ALICE));
      long generation = RelayoutTables.prepare(guarded, SALTED);

      RelayoutResponse response = ask(guarded, generation, ALICE, BOB, ZOE, NEW_ALICE);

      assertEquals(
          List.of(Outcome.NOT_YET, Outcome.NOT_YET, Outcome.NOT_HERE, Outcome.REFUSED),
          outcomes(response));
      assertFalse(response.isMoving());
      assertEquals(generation, response.generation());
    }
  }

  @Test
  void ask_whileMoving_tellsWhatIsThere() throws Exception {
    try (GuardedTable guarded = Asked.unsalted(hbase)) {
      guarded.table().put(put(ALICE));
      guarded.table().put(put("deleted|0001"));
      guarded.table().delete(new Delete(bytes("deleted|0001")));
      guarded.table().put(put(ZOE));
      long generation = RelayoutTables.start(guarded, SALTED);

      RelayoutResponse response =
          ask(guarded, generation, ALICE, BOB, "deleted|0001", ZOE, NEW_ALICE, "a row");

      assertEquals(
          List.of(
              Outcome.CELLS,
              Outcome.NOTHING,
              Outcome.NOTHING,
              Outcome.NOT_HERE,
              Outcome.REFUSED,
              Outcome.REFUSED),
          outcomes(response));
      assertTrue(response.items().get(0).bytes().length > 0);
      assertTrue(response.isMoving());
      assertEquals(generation, response.generation());
      assertEquals(generation + 1, response.version());
      assertEquals(List.of(Outcome.CELLS), outcomes(askAt(guarded, ZOE, generation, ZOE)));
    }
  }

  @Test
  void ask_ofAnotherGeneration_isRefusedWithTheReason() throws Exception {
    try (GuardedTable guarded = Asked.unsalted(hbase)) {
      guarded.table().put(put(ALICE));
      long generation = RelayoutTables.start(guarded, SALTED);

      for (long other : new long[] {generation - 1, generation + 1, Long.MAX_VALUE}) {
        Item item = ask(guarded, other, ALICE).items().get(0);
        assertEquals(Outcome.REFUSED, item.outcome());
        assertTrue(item.words().contains("generation=" + other), item.words());
        assertTrue(item.words().contains("phase=moving"), item.words());
      }
    }
  }

  @Test
  void ask_afterTheWayBack_isOfTheOtherRows() throws Exception {
    try (GuardedTable guarded = Asked.unsalted(hbase)) {
      guarded.table().put(put(ALICE));
      long there = RelayoutTables.start(guarded, SALTED);
      long back = RelayoutTables.back(guarded);

      assertTrue(back > there);
      assertEquals(List.of(Outcome.REFUSED), outcomes(ask(guarded, there, ALICE)));
      assertEquals(
          List.of(Outcome.REFUSED, Outcome.NOTHING),
          outcomes(ask(guarded, back, ALICE, RelayoutTables.row(SALTED, BOB))));
    }
  }

  /** A region that is late with its own alter goes on pulling from those that are through. */
  @Test
  void ask_whenItIsOver_isNothing() throws Exception {
    try (GuardedTable guarded = Asked.unsalted(hbase)) {
      long generation = RelayoutTables.start(guarded, SALTED);
      RelayoutTables.finish(guarded);

      RelayoutResponse response = ask(guarded, generation, ALICE, ZOE, NEW_ALICE);

      assertEquals(List.of(Outcome.NOTHING, Outcome.NOT_HERE, Outcome.REFUSED), outcomes(response));
      assertEquals(0, response.generation());
      assertEquals(generation + 2, response.version());
      assertEquals(List.of(Outcome.REFUSED), outcomes(ask(guarded, generation + 2, ALICE)));
    }
  }

  /** Its rows are home: they may be written any moment. */
  @Test
  void ask_whenItWasGivenUp_isRefused() throws Exception {
    try (GuardedTable guarded = Asked.unsalted(hbase)) {
      long generation = RelayoutTables.prepare(guarded, SALTED);
      RelayoutTables.giveUp(guarded);

      assertEquals(List.of(Outcome.REFUSED), outcomes(ask(guarded, generation, ALICE)));
    }
  }

  @Test
  void ask_whereTheLayoutNeverChanged_isRefused() throws Exception {
    try (GuardedTable guarded = Asked.unsalted(hbase)) {
      assertEquals(
          List.of(Outcome.REFUSED, Outcome.REFUSED), outcomes(ask(guarded, 1, ALICE, NEW_ALICE)));
    }
  }

  /** A row that does not fit any more is asked for again; what costs nothing is said at once. */
  @Test
  void ask_moreThanAnAnswerHolds_isLaterForTheRest() throws Exception {
    try (GuardedTable guarded = Asked.unsalted(hbase)) {
      fill(guarded, "a|0001", 3);
      fill(guarded, "b|0001", 3);
      guarded.table().put(put("c|0001"));
      fill(guarded, "d|0001", 6);
      long generation = RelayoutTables.start(guarded, SALTED);

      RelayoutResponse rest =
          ask(guarded, generation, "a|0001", "b|0001", "c|0001", "d|0001", "e|0001");
      assertEquals(
          List.of(Outcome.CELLS, Outcome.LATER, Outcome.CELLS, Outcome.LATER, Outcome.NOTHING),
          outcomes(rest));
      assertTrue(rest.items().get(0).bytes().length > 3 << 20);

      RelayoutResponse large = ask(guarded, generation, "e|0001", "d|0001", "c|0001", "f|0001");
      assertEquals(
          List.of(Outcome.NOTHING, Outcome.CELLS, Outcome.LATER, Outcome.NOTHING), outcomes(large));
      assertTrue(large.items().get(1).bytes().length > 6 << 20);
    }
  }

  @Test
  void ask_aRowThatNoEditCanHold_failsWithTheReason() throws Exception {
    try (GuardedTable guarded = Asked.unsalted(hbase)) {
      fill(guarded, ALICE, 65);
      guarded.table().put(put(BOB));
      long generation = RelayoutTables.start(guarded, SALTED);

      RelayoutResponse response = ask(guarded, generation, ALICE, BOB);

      assertEquals(List.of(Outcome.FAILED, Outcome.CELLS), outcomes(response));
      String words = response.items().get(0).words();
      assertTrue(words.contains("too large") && words.contains("\"" + ALICE + "\""), words);
    }
  }

  @Test
  void drop_whileMoving_deletesUpToTheTimestamp() throws Exception {
    try (GuardedTable guarded = Asked.unsalted(hbase)) {
      guarded.table().put(new Put(bytes(ALICE)).addColumn(F, Q, 10, bytes("past")));
      guarded.table().put(new Put(bytes(ALICE)).addColumn(F, bytes("p"), FUTURE, bytes("future")));
      guarded.table().put(put(BOB));
      guarded.table().put(put(ZOE));
      long generation = RelayoutTables.start(guarded, SALTED);

      RelayoutResponse response =
          answer(
              guarded,
              ALICE,
              RelayoutRequest.drop(
                  generation,
                  rows(ALICE, BOB, "carol|0001", ZOE),
                  List.of(FUTURE, FUTURE, 5L, FUTURE)));

      assertEquals(
          List.of(Outcome.DONE, Outcome.DONE, Outcome.DONE, Outcome.NOT_HERE), outcomes(response));
      assertEquals(List.of(ZOE), guarded.rows());
      assertEquals(List.of(Outcome.NOTHING), outcomes(ask(guarded, generation, ALICE)));
    }
  }

  /** Where the region remembers what it has sent, and where it does not. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void drop_upToLessThanIsThere_fails(boolean isAsked) throws Exception {
    try (GuardedTable guarded = Asked.unsalted(hbase)) {
      guarded.table().put(new Put(bytes(ALICE)).addColumn(F, Q, 10, bytes("old")));
      guarded.table().put(new Put(bytes(ALICE)).addColumn(F, bytes("p"), 20, bytes("new")));
      long generation = RelayoutTables.start(guarded, SALTED);
      for (Map.Entry<Long, Outcome> drop :
          List.of(Map.entry(19L, Outcome.FAILED), Map.entry(20L, Outcome.DONE))) {
        if (isAsked) {
          assertEquals(List.of(Outcome.CELLS), outcomes(ask(guarded, generation, ALICE)));
        }
        List<Long> timestamps = List.of(drop.getKey());
        RelayoutResponse response =
            answer(guarded, ALICE, RelayoutRequest.drop(generation, rows(ALICE), timestamps));
        assertEquals(List.of(drop.getValue()), outcomes(response));
        boolean isGone = drop.getValue() == Outcome.DONE;
        assertEquals(isGone ? List.of() : List.of(ALICE + "/p=new"), guarded.latestCells());
      }
    }
  }

  /** Late and repeated deletes arrive at regions that have gone on. */
  @Test
  void drop_whereItMustNot_isRefusedAndDeletesNothing() throws Exception {
    try (GuardedTable guarded = Asked.unsalted(hbase)) {
      guarded.table().put(put(ALICE));
      guarded.plant(NEW_ALICE);
      List<String> cells = guarded.cells();
      assertDropRefused(guarded, 1, ALICE, FUTURE); // no relayout

      long generation = RelayoutTables.prepare(guarded, SALTED);
      assertDropRefused(guarded, generation, ALICE, FUTURE); // home

      RelayoutTables.move(guarded);
      assertDropRefused(guarded, generation - 1, ALICE, FUTURE);
      assertDropRefused(guarded, generation + 1, ALICE, FUTURE);
      assertDropRefused(guarded, generation, NEW_ALICE, FUTURE); // home by now
      assertDropRefused(guarded, generation, ALICE, -1);
      assertDropRefused(guarded, generation, ALICE, Long.MAX_VALUE); // would be the clock's

      RelayoutTables.back(guarded);
      assertDropRefused(guarded, generation, ALICE, FUTURE);
      assertEquals(cells, guarded.cells());
    }
  }

  /** The region may be open elsewhere by then, with other rows and in another phase. */
  @Test
  void answer_ofARegionThatHasClosed_isNone() throws Exception {
    try (GuardedTable guarded = Asked.unsalted(hbase)) {
      guarded.table().put(put(ALICE));
      long generation = RelayoutTables.start(guarded, SALTED);
      PullSource closed = pullSourceOf(new Servers(hbase).regionsOf(guarded.name()).get(0));
      RelayoutRequest ask = RelayoutRequest.ask(generation, rows(ALICE));
      assertEquals(List.of(Outcome.CELLS), outcomes(closed.answer(ask)));
      RelayoutTables.back(guarded);

      for (RelayoutRequest request :
          List.of(
              ask,
              RelayoutRequest.ask(generation, rows(BOB)),
              RelayoutRequest.drop(generation, rows(ALICE), List.of(FUTURE)),
              RelayoutRequest.count(generation))) {
        assertThrows(NotServingRegionException.class, () -> closed.answer(request));
      }
      assertEquals(List.of(ALICE), guarded.rows());
    }
  }

  @Test
  void state_inEachPhase_isWhatTheDescriptorSays() throws Exception {
    try (GuardedTable guarded = Asked.unsalted(hbase)) {
      assertState(guarded, 0, 0, false);
      RelayoutTables.prepare(guarded, SALTED);
      assertState(guarded, 1, 1, false);
      RelayoutTables.move(guarded);
      assertState(guarded, 2, 1, true);
      RelayoutTables.back(guarded);
      assertState(guarded, 4, 4, true);
      RelayoutTables.finish(guarded);
      assertState(guarded, 5, 0, false);
      RelayoutTables.prepare(guarded, SALTED);
      RelayoutTables.giveUp(guarded);
      assertState(guarded, 7, 0, false);
    }
  }

  @Test
  void request_whereNothingIsGuarded_isRefused() throws Exception {
    for (String[] settings :
        new String[][] {
          {}, {"rowguard.layout", UNSALTED, "rowguard.mode", "off"}, {"rowguard.layout", "{"}
        }) {
      try (GuardedTable guarded = GuardedTable.of(hbase, settings).create()) {
        for (RelayoutRequest request :
            List.of(RelayoutRequest.state(), RelayoutRequest.ask(1, rows(ALICE)))) {
          DoNotRetryIOException refusal =
              assertThrows(DoNotRetryIOException.class, () -> answer(guarded, ALICE, request));
          assertTrue(refusal.getMessage().contains("nothing is answered"), refusal.getMessage());
        }
        assertEquals(true, guarded.table().get(new Get(bytes(ALICE))).isEmpty());
      }
    }
  }

  @Test
  void request_thatIsNone_isRefused() throws Exception {
    try (GuardedTable guarded = Asked.unsalted(hbase)) {
      Get get = new Get(bytes(ALICE));
      get.setAttribute(RelayoutRequest.ATTRIBUTE, bytes("nonsense"));

      DoNotRetryIOException refusal =
          assertThrows(DoNotRetryIOException.class, () -> guarded.table().get(get));
      assertTrue(refusal.getMessage().contains("does not understand"), refusal.getMessage());
    }
  }

  /** Servers without this code, or with an older one, read the row of the Get. */
  @Test
  void request_toATableWithoutTheObserver_hasNoAnswer() throws Exception {
    try (GuardedTable guarded = GuardedTable.of(hbase).withoutObserver().create()) {
      guarded.table().put(put(ALICE));

      Result result = guarded.table().get(RelayoutRequest.state().toGet(bytes(ALICE)));

      assertFalse(result.isEmpty());
      assertThrows(IOException.class, () -> RelayoutResponse.of(result));
    }
  }

  /** Writes a row of so many megabytes. */
  private static void fill(GuardedTable guarded, String row, int megabytes) throws IOException {
    for (int i = 0; i < megabytes; i++) {
      guarded
          .table()
          .put(
              new Put(bytes(row))
                  .setDurability(Durability.SKIP_WAL)
                  .addColumn(F, bytes("q" + i), new byte[1 << 20]));
    }
  }

  private static RelayoutResponse ask(GuardedTable guarded, long generation, String... rows)
      throws IOException {
    return askAt(guarded, ALICE, generation, rows);
  }

  private static RelayoutResponse askAt(
      GuardedTable guarded, String at, long generation, String... rows) throws IOException {
    return answer(guarded, at, RelayoutRequest.ask(generation, rows(rows)));
  }

  private static void assertDropRefused(
      GuardedTable guarded, long generation, String row, long timestamp) throws IOException {
    RelayoutResponse response =
        answer(guarded, ALICE, RelayoutRequest.drop(generation, rows(row), List.of(timestamp)));
    assertEquals(List.of(Outcome.REFUSED), outcomes(response));
  }

  private static void assertState(
      GuardedTable guarded, long version, long generation, boolean moving) throws IOException {
    for (String at : List.of(ALICE, ZOE)) {
      RelayoutResponse response = answer(guarded, at, RelayoutRequest.state());
      assertEquals(version, response.version());
      assertEquals(generation, response.generation());
      assertEquals(moving, response.isMoving());
      assertEquals(List.of(), response.items());
    }
  }
}
