package io.rowguard.observer;

import static io.rowguard.observer.fixture.GuardedTable.F;
import static io.rowguard.observer.fixture.GuardedTable.LAYOUT;
import static io.rowguard.observer.fixture.GuardedTable.Q;
import static io.rowguard.observer.fixture.Refusals.messageOf;
import static io.rowguard.observer.fixture.RowAdder.adding;
import static io.rowguard.observer.fixture.RowAdder.deleting;
import static io.rowguard.observer.fixture.RowAdder.failingBefore;
import static io.rowguard.observer.fixture.RowAdder.writingBefore;
import static io.rowguard.observer.fixture.RowAdder.writingWithLocksBefore;
import static io.rowguard.observer.fixture.Writes.BAD;
import static io.rowguard.observer.fixture.Writes.GOOD;
import static io.rowguard.observer.fixture.Writes.append;
import static io.rowguard.observer.fixture.Writes.bytes;
import static io.rowguard.observer.fixture.Writes.increment;
import static io.rowguard.observer.fixture.Writes.put;
import static io.rowguard.observer.fixture.Writes.replicated;
import static io.rowguard.observer.fixture.Writes.together;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.observer.fixture.Counters;
import io.rowguard.observer.fixture.GuardedTable;
import io.rowguard.observer.fixture.Refusals;
import io.rowguard.observer.fixture.RelayoutTables;
import io.rowguard.observer.fixture.RowAdder;
import io.rowguard.observer.fixture.RowsWithLocks;
import io.rowguard.observer.fixture.SaltedGuard;
import io.rowguard.observer.fixture.Servers;
import io.rowguard.testing.MiniCluster;
import io.rowguard.testing.TestLog;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.coprocessor.MultiRowMutationEndpoint;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.throttle.StoreHotnessProtector;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Rows that another coprocessor adds to a batch are held to the layout like all others. */
@ExtendWith(MiniCluster.class)
class AddedRowsIT {
  private static final int WIDTH = 20;

  private final HBaseTestingUtility hbase;

  AddedRowsIT(HBaseTestingUtility hbase) {
    this.hbase = hbase;
  }

  /** When the other coprocessor is asked. */
  private enum Order {
    BEFORE_THE_OBSERVER(500),
    AFTER_THE_OBSERVER(2000);

    private final int priority;

    Order(int priority) {
      this.priority = priority;
    }
  }

  @ParameterizedTest
  @EnumSource(Order.class)
  void badRow_addedToAnyWrite_refusesIt(Order order) throws Exception {
    try (GuardedTable guarded = create(order)) {
      for (Executable write :
          List.<Executable>of(
              () -> guarded.table().put(adding(BAD, put(GOOD))),
              () -> guarded.table().append(adding(BAD, append(GOOD))),
              () -> guarded.table().increment(adding(BAD, increment(GOOD))),
              () -> guarded.table().mutateRow(together(adding(BAD, put(GOOD)), increment(GOOD))),
              () ->
                  guarded
                      .table()
                      .checkAndMutate(
                          CheckAndMutate.newBuilder(bytes(GOOD))
                              .ifNotExists(F, Q)
                              .build(adding(BAD, put(GOOD)))),
              () ->
                  RowsWithLocks.mutateRows(
                      guarded, RowsWithLocks.request(put("a|0001"), adding(BAD, put(GOOD)))))) {
        Map<String, Long> before = Counters.of(guarded.name());

        assertEquals(refusalOf(guarded), messageOf(write));

        assertEquals(
            before.getOrDefault("rejected_not_digits", 0L) + 1,
            Counters.of(guarded.name()).get("rejected_not_digits"));
        assertEquals(List.of(), guarded.cells());
      }
      guarded.table().put(put(GOOD)); // its lock is free
      assertNothingRemembered(guarded);
    }
  }

  @ParameterizedTest
  @EnumSource(Order.class)
  void badRow_addedToOneMutationOfABatch_refusesAllOfIt(Order order) throws Exception {
    try (GuardedTable guarded = create(order)) {
      Object[] results =
          guarded.batch(List.of(put("a|0001"), adding(BAD, put(GOOD)), put("c|0003"), put("b|x")));

      for (Object result : results) {
        assertEquals(refusalOf(guarded), messageOf(result));
        assertFalse(String.valueOf(Refusals.reasonOf(result)).contains("\tat "), "a stack trace");
      }
      assertEquals(List.of(), guarded.cells());
      assertNothingRemembered(guarded);
    }
  }

  @ParameterizedTest
  @EnumSource(Order.class)
  void conformingRow_added_isStoredAndCounted(Order order) throws Exception {
    try (GuardedTable guarded = create(order)) {
      guarded.table().put(adding("b|0002", put(GOOD)));
      guarded.batch(List.of(put("c|0003"), adding("d|0004", put("e|0005"))));

      assertEquals(List.of(GOOD, "b|0002", "c|0003", "d|0004", "e|0005"), guarded.rows());
      assertEquals(Map.of("conforming", 5L), Counters.of(guarded.name()));
      assertNothingRemembered(guarded);
    }
  }

  @ParameterizedTest
  @EnumSource(Order.class)
  void badRow_addedToARefusedMutation_isLeftOutWithIt(Order order) throws Exception {
    try (GuardedTable guarded = create(order)) {
      Object[] results = guarded.batch(List.of(put("a|0001"), adding(BAD, put("bob|001x"))));

      assertEquals(Set.of(1), Refusals.placesOf(results));
      assertEquals(List.of("a|0001"), guarded.rows());
      assertEquals(
          Map.of("conforming", 1L, "rejected_not_digits", 1L), Counters.of(guarded.name()));
    }
  }

  @ParameterizedTest
  @EnumSource(Order.class)
  void badRow_addedWhereNothingIsRefused_isStoredAndCounted(Order order) throws Exception {
    try (GuardedTable guarded = create(order, "rowguard.mode", "warn")) {
      guarded.table().put(adding(BAD, put(GOOD)));

      assertEquals(List.of(GOOD, BAD), guarded.rows());
      assertEquals(
          Map.of("conforming", 1L, "accepted_not_digits", 1L), Counters.of(guarded.name()));
      guarded.alter("rowguard.mode", "off");
      guarded.table().put(adding("x", put(GOOD)));
      assertEquals(List.of(GOOD, BAD, "x"), guarded.rows());
      assertEquals(
          Map.of("conforming", 1L, "accepted_not_digits", 1L), Counters.of(guarded.name()));
    }
  }

  @ParameterizedTest
  @EnumSource(Order.class)
  void deleteOfABadRow_added_goesByTheTablesWordOnDeletes(Order order) throws Exception {
    try (GuardedTable guarded = create(order)) {
      guarded.plant(BAD);

      guarded.table().put(deleting(BAD, put(GOOD)));

      assertEquals(List.of(GOOD), guarded.rows());
      guarded.alter("rowguard.delete", "enforce");
      guarded.plant(BAD);
      assertEquals(
          refusalOf(guarded), messageOf(() -> guarded.table().put(deleting(BAD, put("c|0003")))));
      assertEquals(List.of(GOOD, BAD), guarded.rows());
    }
  }

  /** Where it came from the rows are known by the mutation that they go with. */
  @ParameterizedTest
  @EnumSource(Order.class)
  void badRow_addedToAReplicatedMutation_goesByTheTablesWordOnReplication(Order order)
      throws Exception {
    try (GuardedTable guarded = create(order)) {
      guarded.table().put(adding(BAD, replicated(put(GOOD))));

      assertEquals(List.of(GOOD, BAD), guarded.rows());
      assertEquals(
          Map.of("conforming", 1L, "accepted_not_digits", 1L), Counters.of(guarded.name()));
      guarded.alter("rowguard.replication", "enforce");
      assertEquals(
          refusalOf(guarded),
          messageOf(() -> guarded.table().put(adding(BAD, replicated(put("c|0003"))))));
    }
  }

  @ParameterizedTest
  @EnumSource(Order.class)
  void bareKey_addedInSaltMode_isRefused(Order order) throws Exception {
    try (GuardedTable guarded =
        GuardedTable.of(
                hbase,
                "rowguard.layout",
                SaltedGuard.LAYOUT.toString(),
                "rowguard.mode",
                "salt",
                "rowguard.salt.timeout.ms",
                "50000")
            .withCoprocessor(RowAdder.class, order.priority)
            .create()) {
      String row = SaltedGuard.salted("alice|0001");

      assertEquals(
          "Another coprocessor adds the row of a bare key to a batch of writes, so the batch is"
              + " refused: such a row is not salted. table="
              + guarded.name()
              + " row=\"alice|0002\" saltedRow=\""
              + SaltedGuard.salted("alice|0002")
              + "\". Write to the salted row, or through io.rowguard.client.SaltedTable. Layout: "
              + SaltedGuard.LAYOUT,
          messageOf(() -> guarded.table().put(adding("alice|0002", put(row)))));
      messageOf(() -> guarded.table().put(deleting("alice|0002", put(row))));
      assertEquals(List.of(), guarded.cells());

      // A bare row is left out here, and what it brings along with it: it comes by over there.
      guarded.table().put(adding(SaltedGuard.salted("bob|0003"), put("alice|0001")));
      assertEquals(
          Stream.of(row, SaltedGuard.salted("bob|0003")).sorted().toList(), guarded.rows());
    }
  }

  /** No hook is called between the last coprocessor that may add rows and the memstore. */
  @ParameterizedTest
  @CsvSource({"true", "false"})
  void badRow_addedWithoutAWriteAheadLog_isSeenBeforeOrCountedAfter(boolean before)
      throws Exception {
    try (GuardedTable guarded =
        create(before ? Order.BEFORE_THE_OBSERVER : Order.AFTER_THE_OBSERVER)) {
      Put put = adding(BAD, put(GOOD)).setDurability(Durability.SKIP_WAL);

      if (before) {
        assertEquals(refusalOf(guarded), messageOf(() -> guarded.table().put(put)));
        assertEquals(List.of(), guarded.cells());
      } else {
        guarded.table().put(put);

        assertEquals(List.of(GOOD, BAD), guarded.rows());
        assertEquals(
            Map.of("conforming", 1L, "accepted_not_digits", 1L), Counters.of(guarded.name()));
        try (Stream<String> log = Files.lines(TestLog.path())) {
          assertTrue(
              log.anyMatch(
                  line ->
                      line.contains("without a write-ahead log")
                          && line.contains("table=" + guarded.name())
                          && line.contains(BAD)));
        }
      }
      assertNothingRemembered(guarded);
    }
  }

  /** While the layout changes a row that is not judged could be lost, so there is a log then. */
  @ParameterizedTest
  @CsvSource({"SKIP_WAL, USE_DEFAULT", "USE_DEFAULT, SKIP_WAL"})
  void oldRow_addedWithoutAWriteAheadLogWhileRowsMove_refusesTheBatch(
      Durability durability, Durability ofTable) throws Exception {
    String key = "user1|0001";
    String old = RelayoutTables.row(RelayoutTables.SALTED, key);
    String row = RelayoutTables.row(RelayoutTables.OTHERWISE_SALTED, key);
    try (GuardedTable guarded =
        GuardedTable.of(hbase, "rowguard.layout", RelayoutTables.SALTED)
            .with("DURABILITY", ofTable.name())
            .withCoprocessor(RowAdder.class, Order.AFTER_THE_OBSERVER.priority)
            .create()) {
      RelayoutTables.start(guarded, RelayoutTables.OTHERWISE_SALTED);

      Put put = adding(old, put(row).setDurability(durability));
      assertTrue(messageOf(() -> guarded.table().put(put)).contains(row));

      assertEquals(List.of(), guarded.cells());
      guarded.table().put(put(row).setDurability(durability));
      assertEquals(List.of(row), guarded.rows());
    }
  }

  /** Its thread goes on with the outer batch where the inner one has been judged and stored. */
  @ParameterizedTest
  @EnumSource(Order.class)
  void badRow_addedByOneWhoAlsoWritesMeanwhile_refusesTheOuterBatch(Order order) throws Exception {
    try (GuardedTable guarded = create(order)) {
      assertEquals(
          refusalOf(guarded),
          messageOf(() -> guarded.table().put(writingBefore("c|0003", adding(BAD, put(GOOD))))));

      // An inner batch that is refused is over, too, and fails the outer one.
      messageOf(() -> guarded.table().put(writingBefore(BAD, adding(BAD, put(GOOD)))));
      assertEquals(List.of("c|0003"), guarded.rows());
      assertNothingRemembered(guarded);
    }
  }

  /** HBase would leave out the bad row, store the other, and tell that coprocessor nothing. */
  @ParameterizedTest
  @EnumSource(Order.class)
  void badRow_writtenTogetherWithAnotherMeanwhile_refusesBothAndTheOuterBatch(Order order)
      throws Exception {
    try (GuardedTable guarded = create(order)) {
      Object[] results =
          guarded.batch(List.of(put("c|0003"), writingWithLocksBefore(BAD, put(GOOD))));

      for (Object result : results) {
        assertTrue(messageOf(result).startsWith("Rowkey does not fit the layout"));
      }
      assertEquals(List.of(), guarded.cells());
      guarded.batch(List.of(writingWithLocksBefore("b|0002", put(GOOD)), put("c|0003")));
      assertEquals(List.of(GOOD, "b|0002", "c|0003", "w|0001"), guarded.rows());
      assertNothingRemembered(guarded);
    }
  }

  /** HBase does not say that such a batch is over. */
  @ParameterizedTest
  @EnumSource(Order.class)
  void badRow_addedAfterAnInnerBatchWhoseHookFailed_refusesTheOuterBatch(Order order)
      throws Exception {
    try (GuardedTable guarded = create(order)) {
      assertEquals(
          refusalOf(guarded),
          messageOf(() -> guarded.table().put(failingBefore("c|0003", adding(BAD, put(GOOD))))));

      assertEquals(List.of("c|0003"), guarded.rows());
      assertNothingRemembered(guarded);
    }
  }

  /** One mutation with a log is enough to have the whole mini-batch judged. */
  @Test
  void badRow_addedToTheOneWithoutAWriteAheadLogAmongOthers_refusesAllOfThem() throws Exception {
    try (GuardedTable guarded = create(Order.AFTER_THE_OBSERVER)) {
      Object[] results =
          guarded.batch(
              List.of(put("a|0001"), adding(BAD, put(GOOD)).setDurability(Durability.SKIP_WAL)));

      assertEquals(refusalOf(guarded), messageOf(results[0]));
      assertEquals(refusalOf(guarded), messageOf(results[1]));
      assertEquals(List.of(), guarded.cells());
    }
  }

  @ParameterizedTest
  @EnumSource(Order.class)
  void refusedBatches_whereParallelPutsAreLimited_doNotUseUpTheLimit(Order order) throws Exception {
    try (GuardedTable guarded =
        create(
            order,
            StoreHotnessProtector.PARALLEL_PUT_STORE_THREADS_LIMIT,
            "2",
            StoreHotnessProtector.PARALLEL_PUT_STORE_THREADS_LIMIT_MIN_COLUMN_COUNT,
            "10")) {
      for (int i = 0; i < 10; i++) {
        assertEquals(
            refusalOf(guarded), messageOf(() -> guarded.table().put(adding(BAD, wide(GOOD)))));
      }

      guarded.table().put(wide(GOOD));
      assertEquals(WIDTH, guarded.cells().size());
    }
  }

  private static Put wide(String row) {
    Put put = put(row);
    for (int i = 1; i < WIDTH; i++) {
      put.addColumn(F, Bytes.toBytes("q" + i), Bytes.toBytes("v"));
    }
    return put;
  }

  private GuardedTable create(Order order, String... keysAndValues) throws IOException {
    return GuardedTable.of(hbase, "rowguard.layout", LAYOUT)
        .with(keysAndValues)
        .withCoprocessor(RowAdder.class, order.priority)
        .withCoprocessor(MultiRowMutationEndpoint.class)
        .create();
  }

  private static String refusalOf(GuardedTable guarded) {
    return "Another coprocessor adds a row that does not fit to a batch of writes, so the batch is"
        + " refused. Rows of another kind need a table of their own: with Phoenix, a global index"
        + " and no local one. "
        + Refusals.of(guarded, BAD);
  }

  /** A batch that is over must not be judged again with a later one of its thread, nor be kept. */
  private void assertNothingRemembered(GuardedTable guarded) {
    for (HRegion region : new Servers(hbase).regionsOf(guarded.name())) {
      LayoutRegionObserver observer = (LayoutRegionObserver) Servers.observerOf(region);
      assertEquals(0, observer.hooks().openBatches().size());
    }
  }
}
