package io.rowguard.observer.decide;

import static io.rowguard.observer.fixture.GuardedTable.LAYOUT;
import static io.rowguard.observer.fixture.Refusals.assertRefused;
import static io.rowguard.observer.fixture.Writes.BAD;
import static io.rowguard.observer.fixture.Writes.GOOD;
import static io.rowguard.observer.fixture.Writes.append;
import static io.rowguard.observer.fixture.Writes.delete;
import static io.rowguard.observer.fixture.Writes.increment;
import static io.rowguard.observer.fixture.Writes.put;
import static io.rowguard.observer.fixture.Writes.together;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.observer.fixture.GuardedTable;
import io.rowguard.observer.fixture.Writes;
import io.rowguard.testing.MiniCluster;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.client.Get;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Writes that are sent one by one. */
@ExtendWith(MiniCluster.class)
class SingleWriteIT {
  private final HBaseTestingUtility hbase;

  SingleWriteIT(HBaseTestingUtility hbase) {
    this.hbase = hbase;
  }

  @Test
  void everyKind_conformingRow_lands() throws IOException {
    try (GuardedTable guarded = GuardedTable.create(hbase)) {
      guarded.table().put(put("a|0001"));
      guarded.table().append(append("b|0002"));
      guarded.table().increment(increment("c|0003"));
      guarded.table().mutateRow(together(put("d|0004"), increment("d|0004")));
      guarded.table().delete(delete("e|0005"));

      assertEquals(
          List.of(
              "a|0001/q=v",
              "b|0002/q=+",
              "c|0003/n=\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x01",
              "d|0004/n=\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x01",
              "d|0004/q=v",
              "e|0005/ DeleteFamily"),
          guarded.cells());
    }
  }

  @Test
  void put_badRow_isRefused() throws IOException {
    try (GuardedTable guarded = GuardedTable.create(hbase)) {
      assertRefused(guarded, () -> guarded.table().put(put(BAD)));
      assertEquals(List.of(), guarded.cells());
    }
  }

  @Test
  void put_badRow_failsWithDoNotRetry() throws IOException {
    try (GuardedTable guarded = GuardedTable.create(hbase)) {
      Exception result = assertThrows(Exception.class, () -> guarded.table().put(put(BAD)));

      assertEquals(DoNotRetryIOException.class, result.getClass());
    }
  }

  @Test
  void append_badRowThatExists_isRefused() throws IOException {
    try (GuardedTable guarded = GuardedTable.create(hbase)) {
      guarded.plant(BAD);

      assertRefused(guarded, () -> guarded.table().append(append(BAD)));
      assertEquals(List.of("bob|000x/q=v"), guarded.cells());
    }
  }

  @Test
  void increment_badRow_isRefused() throws IOException {
    try (GuardedTable guarded = GuardedTable.create(hbase)) {
      assertRefused(guarded, () -> guarded.table().increment(increment(BAD)));
      assertEquals(List.of(), guarded.cells());
    }
  }

  @Test
  void increment_onlyTheValueWanted_isRefusedToo() throws IOException {
    try (GuardedTable guarded = GuardedTable.create(hbase)) {
      assertRefused(
          guarded,
          () ->
              guarded
                  .table()
                  .incrementColumnValue(Writes.bytes(BAD), GuardedTable.F, GuardedTable.Q, 7));
      assertRefused(guarded, () -> guarded.table().append(append(BAD).setReturnResults(false)));
      assertEquals(List.of(), guarded.cells());
    }
  }

  @Test
  void delete_badRow_isAcceptedByDefault() throws IOException {
    try (GuardedTable guarded = GuardedTable.create(hbase)) {
      guarded.plant(BAD);
      guarded.table().put(put(GOOD));

      guarded.table().delete(delete(BAD));

      assertEquals(List.of(GOOD), guarded.rows());
    }
  }

  @Test
  void delete_badRowWhereEnforced_isRefused() throws IOException {
    try (GuardedTable guarded = enforcingDeletes()) {
      guarded.plant(BAD);

      assertRefused(guarded, () -> guarded.table().delete(delete(BAD)));
      assertEquals(List.of("bob|000x/q=v"), guarded.cells());
    }
  }

  @Test
  void delete_conformingRowWhereEnforced_lands() throws IOException {
    try (GuardedTable guarded = enforcingDeletes()) {
      guarded.table().put(put(GOOD));

      guarded.table().delete(delete(GOOD));

      assertEquals(List.of(), guarded.rows());
    }
  }

  @Test
  void mutateRow_badRow_changesNothingAtAll() throws IOException {
    try (GuardedTable guarded = GuardedTable.create(hbase)) {
      guarded.plant(BAD);

      assertRefused(
          guarded, () -> guarded.table().mutateRow(together(delete(BAD), put(BAD, "new"))));
      assertRefused(
          guarded, () -> guarded.table().mutateRow(together(put(BAD, "new"), delete(BAD))));
      assertRefused(
          guarded,
          () -> guarded.table().mutateRow(together(delete(BAD), append(BAD), increment(BAD))));
      assertEquals(List.of("bob|000x/q=v"), guarded.cells());
    }
  }

  @Test
  void mutateRow_onlyDeletesOfABadRow_isAccepted() throws IOException {
    try (GuardedTable guarded = GuardedTable.create(hbase)) {
      guarded.plant(BAD);

      guarded.table().mutateRow(together(delete(BAD)));

      assertEquals(List.of(), guarded.rows());
    }
  }

  @Test
  void get_badRow_isAnswered() throws IOException {
    try (GuardedTable guarded = GuardedTable.create(hbase)) {
      guarded.plant(BAD);

      assertTrue(guarded.table().exists(new Get(Writes.bytes(BAD))));
      assertEquals(List.of(BAD), guarded.rows());
    }
  }

  private GuardedTable enforcingDeletes() throws IOException {
    return GuardedTable.of(hbase, "rowguard.layout", LAYOUT, "rowguard.delete", "enforce").create();
  }
}
