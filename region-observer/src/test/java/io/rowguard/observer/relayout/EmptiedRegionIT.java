package io.rowguard.observer.relayout;

import static io.rowguard.observer.fixture.Asked.answer;
import static io.rowguard.observer.fixture.Asked.rows;
import static io.rowguard.observer.fixture.RelayoutTables.OTHERWISE_SALTED;
import static io.rowguard.observer.fixture.RelayoutTables.SALTED;
import static io.rowguard.observer.fixture.Writes.bytes;
import static io.rowguard.observer.fixture.Writes.put;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.observer.fixture.Asked;
import io.rowguard.observer.fixture.Gate;
import io.rowguard.observer.fixture.GuardedTable;
import io.rowguard.observer.fixture.RelayoutTables;
import io.rowguard.relayout.EmptiedRange;
import io.rowguard.relayout.RegionProgress;
import io.rowguard.relayout.RelayoutRequest;
import io.rowguard.relayout.RelayoutResponse;
import io.rowguard.relayout.RelayoutResponse.Item;
import io.rowguard.relayout.RelayoutResponse.Outcome;
import io.rowguard.testing.MiniCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.client.Get;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** An old region that has no row left says so, and is asked no more. */
@ExtendWith(MiniCluster.class)
class EmptiedRegionIT {
  private static final String ALICE = "alice|0001";
  private static final String BOB = "bob|0001";
  private static final String ZOE = "zoe|0001";

  /** In the year 2100. */
  private static final long FUTURE = 4_102_444_800_000L;

  private final HBaseTestingUtility hbase;

  EmptiedRegionIT(HBaseTestingUtility hbase) {
    this.hbase = hbase;
  }

  /** Saves questions about each of its rows. */
  @Test
  void ask_whereNoOldRowIsLeft_saysSoOfAllOfThem() throws Exception {
    try (GuardedTable guarded = Asked.unsalted(hbase)) {
      guarded.table().put(put(ALICE));
      long generation = RelayoutTables.start(guarded, SALTED);
      RelayoutRequest progress = RelayoutRequest.progress(generation);
      assertNull(EmptiedRange.of(ask(guarded, generation, BOB).items().get(0)));
      answer(guarded, ALICE, progress);
      assertNull(EmptiedRange.of(ask(guarded, generation, BOB).items().get(0)));

      answer(guarded, ALICE, RelayoutRequest.drop(generation, rows(ALICE), List.of(FUTURE)));
      answer(guarded, ALICE, progress);
      answer(guarded, ZOE, progress);

      assertRange("", "m", ask(guarded, generation, BOB).items().get(0));
      assertRange("m", "", askAt(guarded, ZOE, generation, ZOE).items().get(0));
    }
  }

  /** A tally is too low where a delete is told of twice; it only says when to look. */
  @Test
  void ask_whereTheTallyIsTooLow_saysSoOfNone() throws Exception {
    try (GuardedTable guarded = Asked.unsalted(hbase)) {
      guarded.table().put(put(ALICE));
      long generation = RelayoutTables.start(guarded, SALTED);
      RelayoutRequest progress = RelayoutRequest.progress(generation);
      answer(guarded, ALICE, progress);
      answer(guarded, ALICE, RelayoutRequest.drop(generation, rows(BOB), List.of(FUTURE)));

      RegionProgress low = RegionProgress.of(answer(guarded, ALICE, progress));

      assertTrue(low.isCounted() && low.left() == 0, low.toString());
      assertNull(EmptiedRange.of(ask(guarded, generation, BOB).items().get(0)));
      assertRange("", ALICE, ask(guarded, generation, "aa|0001").items().get(0));
    }
  }

  private static void assertRange(String from, String to, Item item) {
    assertEquals(Outcome.NOTHING, item.outcome());
    EmptiedRange range = EmptiedRange.of(item);
    assertArrayEquals(bytes(from), range.from());
    assertArrayEquals(bytes(to), range.to());
  }

  private static RelayoutResponse ask(GuardedTable guarded, long generation, String... rows)
      throws IOException {
    return askAt(guarded, ALICE, generation, rows);
  }

  private static RelayoutResponse askAt(
      GuardedTable guarded, String at, long generation, String... rows) throws IOException {
    return answer(guarded, at, RelayoutRequest.ask(generation, rows(rows)));
  }

  /** Writes do not depend on an old region that has said that none of its rows is left. */
  @Test
  void write_asksTheOldRegion_untilThatIsDone() throws Exception {
    try (GuardedTable guarded =
        GuardedTable.of(hbase, "rowguard.layout", SALTED)
            .withSplits("08-", "32-")
            .withCoprocessor(Gate.class, 1000)
            .create()) {
      long generation = RelayoutTables.start(guarded, OTHERWISE_SALTED);
      List<String> keys = keysBetweenRegions("08-", "32-", 3);
      try (Gate.Shut shut = Gate.shut()) {
        CompletableFuture<Void> first =
            CompletableFuture.runAsync(() -> putNow(guarded, newRow(keys.get(0))));
        Gate.awaitWrite();
        shut.open();
        first.get();
      }

      byte[] old = bytes(oldRow(keys.get(0)));
      Get count = RelayoutRequest.count(generation).toGet(old);
      RelayoutResponse counted = RelayoutResponse.of(guarded.table().get(count));
      assertEquals(0, counted.misplacedRows() + counted.items().size());
      putNow(guarded, newRow(keys.get(1))); // which hears of it
      try (Gate.Shut shut = Gate.shut()) {
        putNow(guarded, newRow(keys.get(2)));
        shut.open();
      }

      assertEquals(
          keys.stream().map(key -> newRow(key)).sorted().toList(),
          guarded.rows().stream().sorted().toList());
    }
  }

  /** Keys whose old rows are in one region, and whose new ones in one behind it. */
  private static List<String> keysBetweenRegions(String from, String to, int count) {
    return IntStream.range(0, 1_000)
        .mapToObj(i -> "user" + i + "|0001")
        .filter(key -> oldRow(key).compareTo(from) >= 0 && oldRow(key).compareTo(to) < 0)
        .filter(key -> newRow(key).compareTo(to) >= 0)
        .limit(count)
        .toList();
  }

  private static void putNow(GuardedTable guarded, String row) {
    try {
      guarded.table().put(put(row));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String oldRow(String key) {
    return RelayoutTables.row(SALTED, key);
  }

  private static String newRow(String key) {
    return RelayoutTables.row(OTHERWISE_SALTED, key);
  }
}
