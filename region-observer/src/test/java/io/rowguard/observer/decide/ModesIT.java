package io.rowguard.observer.decide;

import static io.rowguard.observer.fixture.GuardedTable.LAYOUT;
import static io.rowguard.observer.fixture.Refusals.assertRefused;
import static io.rowguard.observer.fixture.Refusals.messageOf;
import static io.rowguard.observer.fixture.Refusals.placesOf;
import static io.rowguard.observer.fixture.Writes.BAD;
import static io.rowguard.observer.fixture.Writes.GOOD;
import static io.rowguard.observer.fixture.Writes.append;
import static io.rowguard.observer.fixture.Writes.bytes;
import static io.rowguard.observer.fixture.Writes.delete;
import static io.rowguard.observer.fixture.Writes.increment;
import static io.rowguard.observer.fixture.Writes.put;
import static io.rowguard.observer.fixture.Writes.replicated;
import static io.rowguard.observer.fixture.Writes.together;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.observer.fixture.Counters;
import io.rowguard.observer.fixture.GuardedTable;
import io.rowguard.testing.MiniCluster;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The modes, and a change of them on a live table. */
@ExtendWith(MiniCluster.class)
class ModesIT {
  private final HBaseTestingUtility hbase;

  ModesIT(HBaseTestingUtility hbase) {
    this.hbase = hbase;
  }

  @Test
  void warn_badRows_landAndAreCounted() throws Exception {
    try (GuardedTable guarded = create("rowguard.mode", "warn")) {
      writeEveryKind(guarded, BAD);
      guarded.batch(List.of(put(GOOD), put("bob"), put("bob|00012")));

      assertEquals(List.of(GOOD, "bob", "bob|00012", BAD), guarded.rows());
      assertEquals(
          Map.of(
              "accepted_not_digits", 6L,
              "accepted_literal_missing", 1L,
              "accepted_trailing_bytes", 1L,
              "conforming", 1L),
          Counters.of(guarded.name()));
    }
  }

  @Test
  void off_badRows_landAndNobodyLooks() throws Exception {
    try (GuardedTable guarded = create("rowguard.mode", "off")) {
      writeEveryKind(guarded, BAD);
      guarded.table().put(put(GOOD));

      assertEquals(List.of(GOOD, BAD), guarded.rows());
      assertEquals(Map.of(), Counters.of(guarded.name()));
    }
  }

  @Test
  void reject_everyKindOfWrite_isCountedByCode() throws Exception {
    try (GuardedTable guarded = create("rowguard.mode", "reject")) {
      writeEveryKind(guarded, GOOD);
      assertRefused(guarded, () -> guarded.table().put(put(BAD)));
      assertRefused(guarded, () -> guarded.table().append(append(BAD)));
      assertRefused(guarded, () -> guarded.table().mutateRow(together(put(BAD), put(BAD))));
      assertRefused(guarded, () -> guarded.table().checkAndMutate(ifAbsent(BAD)));
      assertEquals(Set.of(0, 1), placesOf(guarded.batch(List.of(put("bob"), put("bob")))));
      guarded.table().delete(delete(BAD));

      assertEquals(
          Map.of(
              "conforming", 6L,
              "rejected_not_digits", 4L,
              "rejected_literal_missing", 2L,
              "accepted_not_digits", 1L),
          Counters.of(guarded.name()));
    }
  }

  @Test
  void alter_fromWarnToReject_takesEffect() throws IOException {
    try (GuardedTable guarded = create("rowguard.mode", "warn")) {
      guarded.table().put(put(BAD));

      guarded.alter("rowguard.mode", "reject");

      assertRefused(guarded, () -> guarded.table().put(put(BAD, "new")));
      assertEquals(List.of(BAD + "/q=v"), guarded.cells());
    }
  }

  @Test
  void alter_fromRejectToOff_takesEffect() throws IOException {
    try (GuardedTable guarded = GuardedTable.create(hbase)) {
      assertRefused(guarded, () -> guarded.table().put(put(BAD)));

      guarded.alter("rowguard.mode", "off");
      guarded.table().put(put(BAD));

      assertEquals(List.of(BAD), guarded.rows());
    }
  }

  @Test
  void alter_toAnotherLayout_takesEffect() throws IOException {
    try (GuardedTable guarded = GuardedTable.create(hbase)) {
      guarded.table().put(put(GOOD));

      guarded.alter("rowguard.layout", "{id:hex(4)}");

      guarded.table().put(put("00ff"));
      assertTrue(messageOf(() -> guarded.table().put(put(GOOD))).contains("Layout: {id:hex(4)}"));
      assertEquals(List.of("00ff", GOOD), guarded.rows());
    }
  }

  @Test
  void alter_layoutTakenAway_leavesTheTableAlone() throws IOException {
    try (GuardedTable guarded = GuardedTable.create(hbase)) {
      guarded.alter("rowguard.layout", null);

      guarded.table().put(put(BAD));

      assertEquals(List.of(BAD), guarded.rows());
    }
  }

  @Test
  void layoutMissing_anyRow_landsAndNothingIsCounted() throws Exception {
    try (GuardedTable neighbour = GuardedTable.create(hbase);
        GuardedTable guarded = GuardedTable.of(hbase).create()) {
      writeEveryKind(guarded, BAD);
      writeEveryKind(guarded, "\\x00\\xFF");

      assertEquals(List.of("\\x00\\xFF", BAD), guarded.rows());
      assertEquals(Map.of(), Counters.of(guarded.name()));
      assertRefused(neighbour, () -> neighbour.table().put(put(BAD)));
    }
  }

  @Test
  void observerMissing_layoutDeclared_anyRowLands() throws Exception {
    try (GuardedTable guarded =
        GuardedTable.of(hbase, "rowguard.layout", LAYOUT).withoutObserver().create()) {
      writeEveryKind(guarded, BAD);

      assertEquals(List.of(BAD), guarded.rows());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"reject", "warn"})
  void maxLength_longerRow_doesNotConform(String mode) throws IOException {
    try (GuardedTable guarded = create("rowguard.mode", mode, "rowguard.row.max.length", "10")) {
      guarded.table().put(put("alice|0001"));
      if (mode.equals("reject")) {
        String message = messageOf(() -> guarded.table().put(put("alicia|0001")));
        assertTrue(message.contains("the row has 11 bytes, more than the 10 allowed"), message);
      } else {
        guarded.table().put(put("alicia|0001"));
      }

      assertEquals(mode.equals("reject") ? 1 : 2, guarded.rows().size());
      String counter = mode.equals("reject") ? "rejected_too_long" : "accepted_too_long";
      assertEquals(1, Counters.of(guarded.name()).get(counter));
    }
  }

  @Test
  void replication_badRowByDefault_landsAndIsCounted() throws Exception {
    try (GuardedTable guarded = GuardedTable.create(hbase)) {
      guarded.table().put(replicated(put(BAD)));
      Object[] results =
          guarded.batch(List.of(replicated(put(GOOD)), replicated(put("bob|y")), put("bob|z")));

      assertEquals(Set.of(2), placesOf(results));
      assertEquals(List.of(GOOD, BAD, "bob|y"), guarded.rows());
      assertEquals(
          Map.of(
              "accepted_not_digits", 1L,
              "accepted_too_short", 1L,
              "rejected_too_short", 1L,
              "conforming", 1L),
          Counters.of(guarded.name()));
    }
  }

  @Test
  void replication_badRowWhereEnforced_isRefused() throws Exception {
    try (GuardedTable guarded = create("rowguard.replication", "enforce")) {
      assertRefused(guarded, () -> guarded.table().put(replicated(put(BAD))));
      assertRefused(guarded, () -> guarded.table().delete(replicated(delete(BAD))));
      assertEquals(
          Set.of(0), placesOf(guarded.batch(List.of(replicated(put(BAD)), replicated(put(GOOD))))));

      assertEquals(List.of(GOOD), guarded.rows());
      assertEquals(
          Map.of("rejected_not_digits", 3L, "conforming", 1L), Counters.of(guarded.name()));
    }
  }

  private GuardedTable create(String... keysAndValues) throws IOException {
    return GuardedTable.of(hbase, "rowguard.layout", LAYOUT).with(keysAndValues).create();
  }

  /** Six mutations of one row, of all kinds; the row is there at the end. */
  private static void writeEveryKind(GuardedTable guarded, String row) throws IOException {
    guarded.table().delete(delete(row));
    guarded.table().append(append(row));
    guarded.table().increment(increment(row));
    guarded.table().mutateRow(together(put(row), increment(row)));
    assertTrue(guarded.table().checkAndMutate(ifAbsent(row)).isSuccess());
  }

  private static CheckAndMutate ifAbsent(String row) {
    return CheckAndMutate.newBuilder(bytes(row))
        .ifNotExists(GuardedTable.F, bytes("absent"))
        .build(put(row));
  }
}
