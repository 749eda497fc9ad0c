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
import static io.rowguard.observer.fixture.Writes.replicated;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.observer.fixture.Asked;
import io.rowguard.observer.fixture.GuardedTable;
import io.rowguard.observer.fixture.Refusals;
import io.rowguard.observer.fixture.RelayoutTables;
import io.rowguard.observer.fixture.Servers;
import io.rowguard.relayout.RelayoutRequest;
import io.rowguard.relayout.RelayoutResponse;
import io.rowguard.relayout.RelayoutResponse.Item;
import io.rowguard.relayout.RelayoutResponse.Outcome;
import io.rowguard.testing.MiniCluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The regions' counts of what is in the way of a relayout's next step. */
@ExtendWith(MiniCluster.class)
class CountIT {
  private static final String ALICE = "alice|0001";
  private static final String BOB = "bob|0001";
  private static final String ZOE = "zoe|0001";
  private static final String NEW_ALICE = RelayoutTables.row(SALTED, ALICE);

  /** In the year 2100. */
  private static final long FUTURE = 4_102_444_800_000L;

  private final HBaseTestingUtility hbase;

  CountIT(HBaseTestingUtility hbase) {
    this.hbase = hbase;
  }

  @Test
  void count_oldRows_areCountedWhereTheyAre() throws Exception {
    try (GuardedTable guarded = Asked.unsalted(hbase)) {
      guarded.table().put(put(ALICE));
      guarded.table().put(put(BOB));
      guarded.table().put(put("deleted|0001"));
      guarded.table().delete(new Delete(bytes("deleted|0001")));
      guarded.table().put(put(ZOE));
      guarded.plant(NEW_ALICE);
      long generation = RelayoutTables.start(guarded, SALTED);

      assertCounted(2, answer(guarded, ALICE, RelayoutRequest.count(generation)));
      assertCounted(1, answer(guarded, ZOE, RelayoutRequest.count(generation)));
      assertCounted(1, answer(guarded, ALICE, RelayoutRequest.count(generation, bytes(BOB))));
      assertEquals(
          List.of(Outcome.NOT_HERE),
          outcomes(answer(guarded, ALICE, RelayoutRequest.count(generation, bytes(ZOE)))));

      answer(
          guarded,
          ALICE,
          RelayoutRequest.drop(generation, rows(ALICE, BOB), List.of(FUTURE, FUTURE)));
      assertCounted(0, answer(guarded, ALICE, RelayoutRequest.count(generation)));
    }
  }

  @Test
  void count_manyRows_goesOnWhereItStopped() throws Exception {
    try (GuardedTable guarded = Asked.unsalted(hbase)) {
      List<Put> puts = new ArrayList<>();
      for (int i = 0; i < 2_300; i++) {
        puts.add(put(String.format("a|%04d", i)));
      }
      guarded.table().put(puts);
      long generation = RelayoutTables.start(guarded, SALTED);

      RelayoutResponse first = answer(guarded, ALICE, RelayoutRequest.count(generation));
      RelayoutResponse second =
          answer(guarded, ALICE, RelayoutRequest.count(generation, first.next()));
      RelayoutResponse third =
          answer(guarded, ALICE, RelayoutRequest.count(generation, second.next()));

      assertEquals(1_000, first.misplacedRows());
      assertArrayEquals(bytes("a|1000"), first.next());
      assertEquals(1_000, second.misplacedRows());
      assertCounted(300, third);
    }
  }

  /** Leftovers of pulls hide cells that no user has deleted; users' markers are of their rows. */
  @Test
  void count_markersThatPullsHaveLeft_areInTheWay() throws Exception {
    try (GuardedTable guarded = Asked.unsalted(hbase)) {
      guarded.table().put(new Put(bytes(ALICE)).addColumn(F, Q, FUTURE, bytes("v")));
      guarded.table().put(put(BOB));
      RelayoutTables.start(guarded, SALTED);
      for (String key : List.of(ALICE, BOB)) {
        guarded.table().put(put(RelayoutTables.row(SALTED, key)));
      }
      long generation = RelayoutTables.back(guarded);
      guarded.table().delete(new Delete(bytes("carol|0001")).addFamily(F, FUTURE));

      RelayoutResponse response = answer(guarded, ALICE, RelayoutRequest.count(generation));

      assertEquals(List.of(Outcome.FAILED, Outcome.FAILED), outcomes(response));
      List<String> words = response.items().stream().map(Item::words).toList();
      assertTrue(words.get(0).contains("row=\"" + ALICE + "\" timestamp=" + FUTURE), words.get(0));
      assertTrue(words.get(1).contains("row=\"" + BOB + "\" timestamp="), words.get(1));
      assertTrue(words.get(1).endsWith("A major compaction removes it."), words.get(1));

      hbase.compact(guarded.name(), true);
      assertEquals(List.of(), outcomes(answer(guarded, ALICE, RelayoutRequest.count(generation))));
    }
  }

  /** Only a region that says so needs a compaction, before and after the way back. */
  @Test
  void leftovers_ofPulls_areThereUntilACompaction() throws Exception {
    try (GuardedTable guarded = Asked.unsalted(hbase)) {
      guarded.table().put(List.of(put(ALICE), put(BOB)));
      long there = RelayoutTables.start(guarded, SALTED);
      assertFalse(mayHaveLeftovers(guarded, there));

      guarded.table().put(put(NEW_ALICE));
      guarded.table().put(put(RelayoutTables.row(SALTED, "carol|0001")));
      assertTrue(mayHaveLeftovers(guarded, there), "in memory");
      assertFalse(mayHaveLeftovers(guarded, there - 1), "of no other generation");

      long back = RelayoutTables.back(guarded);
      assertTrue(mayHaveLeftovers(guarded, there), "in a file");
      guarded.table().put(put("carol|0001"));
      hbase.compact(guarded.name(), true);
      assertFalse(mayHaveLeftovers(guarded, there));
      assertTrue(mayHaveLeftovers(guarded, back), "the region has dropped a row since it opened");
    }
  }

  @Test
  void leftovers_ofARegionThatHasClosed_areNotAnswered() throws Exception {
    try (GuardedTable guarded = Asked.unsalted(hbase)) {
      HRegion region = new Servers(hbase).regionsOf(guarded.name()).get(0);
      PullSource source = pullSourceOf(region);
      hbase.getAdmin().disableTable(guarded.name());

      assertThrows(
          NotServingRegionException.class, () -> source.answer(RelayoutRequest.leftovers(0)));
    }
  }

  private static boolean mayHaveLeftovers(GuardedTable guarded, long generation)
      throws IOException {
    return answer(guarded, ALICE, RelayoutRequest.leftovers(generation)).mayHaveLeftovers();
  }

  @Test
  void count_markersOfUsers_areNotInTheWay() throws Exception {
    try (GuardedTable guarded = Asked.unsalted(hbase)) {
      guarded.plant(NEW_ALICE);
      for (Delete delete :
          List.of(
              new Delete(bytes(NEW_ALICE)).addFamily(F, FUTURE),
              new Delete(bytes(NEW_ALICE)).addColumns(F, Q, 5),
              new Delete(bytes(RelayoutTables.row(SALTED, BOB))).addColumn(F, Q, FUTURE),
              new Delete(bytes(RelayoutTables.row(SALTED, ZOE))).addColumns(F, Q, 5))) {
        guarded.table().delete(replicated(delete));
      }
      guarded.table().put(new Put(bytes(ALICE)).addColumn(F, Q, FUTURE, bytes("v")));
      guarded.table().delete(new Delete(bytes(BOB)).addFamily(F, FUTURE));
      long generation = RelayoutTables.start(guarded, SALTED);

      RelayoutResponse response = answer(guarded, ALICE, RelayoutRequest.count(generation));

      assertCounted(1, response);
    }
  }

  /** Strays of a time when anything could be written: they would hide the rows that move. */
  @Test
  void count_whilePrepared_countsNewRows() throws Exception {
    try (GuardedTable guarded = Asked.unsalted(hbase)) {
      guarded.table().put(put(ALICE));
      guarded.plant(NEW_ALICE);
      guarded.plant("neither");
      long generation = RelayoutTables.prepare(guarded, SALTED);

      assertCounted(1, answer(guarded, ALICE, RelayoutRequest.count(generation)));
      assertCounted(0, answer(guarded, ZOE, RelayoutRequest.count(generation)));
    }
  }

  /** None can come any more; so the second count, before an alter, takes no time. */
  @Test
  void count_none_isRemembered() throws Exception {
    try (GuardedTable guarded =
        GuardedTable.of(hbase, "rowguard.layout", UNSALTED).withoutObserver().create()) {
      long generation = RelayoutTables.start(guarded, SALTED);
      HRegion region = new Servers(hbase).regionsOf(guarded.name()).get(0);
      PullSource counted = pullSourceOf(region);
      guarded.table().put(put(NEW_ALICE));
      guarded.table().put(put(BOB));
      assertEquals(1, counted.answer(RelayoutRequest.count(generation)).misplacedRows());
      guarded.table().delete(new Delete(bytes(BOB)));
      assertEquals(
          0, counted.answer(RelayoutRequest.count(generation, bytes(BOB))).misplacedRows());
      guarded.table().put(put(ALICE)); // before what was counted
      assertEquals(1, counted.answer(RelayoutRequest.count(generation)).misplacedRows());
      guarded.table().delete(new Delete(bytes(ALICE)));
      assertCounted(0, counted.answer(RelayoutRequest.count(generation)));
      guarded.table().put(put("carol|0001")); // which the observer would not let in

      assertCounted(0, counted.answer(RelayoutRequest.count(generation)));
      assertEquals(
          1, pullSourceOf(region).answer(RelayoutRequest.count(generation)).misplacedRows());
    }
  }

  @Test
  void count_ofAnotherRelayout_isRefused() throws Exception {
    try (GuardedTable guarded = Asked.unsalted(hbase)) {
      guarded.table().put(put(ALICE));
      assertCountRefused(guarded, 1);

      long generation = RelayoutTables.prepare(guarded, SALTED);
      assertCountRefused(guarded, generation + 1);

      RelayoutTables.move(guarded);
      assertCountRefused(guarded, generation - 1);

      RelayoutTables.back(guarded);
      assertCountRefused(guarded, generation);
    }
  }

  /** Three bytes more, and they are longer than the table allows. */
  @Test
  void count_rowsThatWouldBeTooLong_areInTheWay() throws Exception {
    try (GuardedTable guarded = Asked.unsalted(hbase, "rowguard.row.max.length", "12")) {
      String longest = "abcd|0001"; // of 9 bytes
      List<String> tooLong = List.of("abcdefg|0001", "abcde|0001"); // in their order
      guarded.table().put(List.of(put(longest), put(tooLong.get(0)), put(tooLong.get(1))));
      guarded.plant("neither");
      guarded.plant("abcdefgh|0001"); // of 13 bytes: of no layout
      long generation = RelayoutTables.prepare(guarded, SALTED);
      assertTooLong(0, tooLong, answer(guarded, ALICE, RelayoutRequest.count(generation)));
      RelayoutTables.move(guarded);

      assertTooLong(1, tooLong, answer(guarded, ALICE, RelayoutRequest.count(generation)));
      String row = RelayoutTables.row(SALTED, tooLong.get(0));
      RelayoutResponse touched =
          answer(guarded, ALICE, RelayoutRequest.touch(generation, rows(row)));
      assertEquals(List.of(Outcome.REFUSED), outcomes(touched));
      String words = touched.items().get(0).words();
      assertTrue(words.contains("row=\"" + row + "\" length=15 most=12"), words);
      String message = Refusals.messageOf(() -> guarded.table().put(put(row)));
      assertTrue(message.startsWith("Rowkey does not fit the layout: the row has "), message);
      Refusals.messageOf(() -> guarded.table().put(put(tooLong.get(0))));

      answer(guarded, ALICE, RelayoutRequest.drop(generation, rows(longest), List.of(FUTURE)));
      assertTooLong(0, tooLong, answer(guarded, ALICE, RelayoutRequest.count(generation)));
      for (int again = 0; again < 2; again++) { // it is not remembered that there was none
        RelayoutResponse rest =
            answer(guarded, ALICE, RelayoutRequest.count(generation, bytes(tooLong.get(1))));
        assertTooLong(0, tooLong.subList(1, 2), rest);
      }
    }
  }

  private static void assertTooLong(
      long misplacedRows, List<String> rows, RelayoutResponse response) {
    assertEquals(misplacedRows, response.misplacedRows());
    assertEquals(Collections.nCopies(rows.size(), Outcome.FAILED), outcomes(response));
    for (int i = 0; i < rows.size(); i++) {
      String words = response.items().get(i).words();
      String row = " row=\"" + rows.get(i) + "\" length=" + rows.get(i).length() + " most=9.";
      assertTrue(words.startsWith("A row cannot move") && words.contains(row), words);
    }
  }

  private static void assertCounted(long misplacedRows, RelayoutResponse response) {
    assertEquals(misplacedRows, response.misplacedRows());
    assertEquals(Collections.emptyList(), outcomes(response));
    assertNull(response.next());
  }

  private static void assertCountRefused(GuardedTable guarded, long generation) throws IOException {
    RelayoutResponse response = answer(guarded, ALICE, RelayoutRequest.count(generation));
    assertEquals(List.of(Outcome.REFUSED), outcomes(response));
    assertEquals(0, response.misplacedRows());
  }
}
