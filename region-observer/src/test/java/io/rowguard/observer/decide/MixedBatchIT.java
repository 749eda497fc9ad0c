package io.rowguard.observer.decide;

import static io.rowguard.observer.fixture.GuardedTable.F;
import static io.rowguard.observer.fixture.GuardedTable.Q;
import static io.rowguard.observer.fixture.Refusals.endOf;
import static io.rowguard.observer.fixture.Refusals.messageOf;
import static io.rowguard.observer.fixture.Writes.BAD;
import static io.rowguard.observer.fixture.Writes.append;
import static io.rowguard.observer.fixture.Writes.bytes;
import static io.rowguard.observer.fixture.Writes.delete;
import static io.rowguard.observer.fixture.Writes.increment;
import static io.rowguard.observer.fixture.Writes.put;
import static io.rowguard.observer.fixture.Writes.together;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.observer.fixture.GuardedTable;
import io.rowguard.observer.fixture.Refusals;
import io.rowguard.testing.MiniCluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.BufferedMutatorParams;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.RetriesExhaustedException;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.exceptions.FailedSanityCheckException;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Writes of all kinds that travel together, by every way the client has for that. */
@ExtendWith(MiniCluster.class)
class MixedBatchIT {
  private final HBaseTestingUtility hbase;

  MixedBatchIT(HBaseTestingUtility hbase) {
    this.hbase = hbase;
  }

  @Test
  void batch_ofEveryKind_failsExactlyTheBadOnes() throws Exception {
    try (GuardedTable guarded = GuardedTable.create(hbase)) {
      guarded.plant(BAD);
      List<Row> actions = ofEveryKind();
      Object[] results = new Object[actions.size()];

      assertThrows(RetriesExhaustedException.class, () -> guarded.table().batch(actions, results));

      assertEquals(5, Arrays.stream(results).filter(Throwable.class::isInstance).count());
      assertAnsweredAndStored(guarded, results);
    }
  }

  @Test
  void batch_putsOnly_failWithFailedSanityCheck() throws Exception {
    try (GuardedTable guarded = GuardedTable.create(hbase)) {
      Object[] results = new Object[2];

      assertThrows(
          RetriesExhaustedException.class,
          () -> guarded.table().batch(List.of(put("a|0001"), put(BAD)), results));

      assertInstanceOf(Result.class, results[0]);
      assertInstanceOf(FailedSanityCheckException.class, Refusals.reasonOf(results[1]));
      assertEquals(List.of("a|0001"), guarded.rows());
    }
  }

  @Test
  void putList_oneBadRow_failsItAndTheOthersLand() throws IOException {
    try (GuardedTable guarded = GuardedTable.create(hbase)) {
      Refusals.assertRefused(
          guarded, () -> guarded.table().put(List.of(put("a|0001"), put(BAD), put("c|0003"))));

      assertEquals(List.of("a|0001", "c|0003"), guarded.rows());
    }
  }

  @Test
  void deleteList_badRowWhereEnforced_failsItAndKeepsItInTheList() throws IOException {
    try (GuardedTable guarded =
        GuardedTable.of(hbase, "rowguard.layout", GuardedTable.LAYOUT, "rowguard.delete", "enforce")
            .create()) {
      guarded.plant(BAD);
      guarded.table().put(put("a|0001"));
      Delete bad = delete(BAD);
      List<Delete> deletes = new ArrayList<>(List.of(delete("a|0001"), bad));

      IOException refused = assertThrows(IOException.class, () -> guarded.table().delete(deletes));

      assertEquals(Refusals.of(guarded, BAD), messageOf(refused));
      // HBase 3.0's client neither names the rows that failed nor takes the others out of the list.
      boolean changesList = refused instanceof RetriesExhaustedWithDetailsException;
      assertEquals(changesList ? 1 : 2, deletes.size());
      assertSame(bad, deletes.get(deletes.size() - 1));
      assertEquals(List.of(BAD), guarded.rows());
    }
  }

  @Test
  void bufferedMutator_someBadRows_reportsExactlyThose() throws IOException {
    try (GuardedTable guarded = GuardedTable.create(hbase)) {
      List<String> failed = Collections.synchronizedList(new ArrayList<>());
      BufferedMutatorParams params =
          new BufferedMutatorParams(guarded.name())
              .writeBufferSize(2_000)
              .listener(
                  (errors, mutator) -> {
                    for (int i = 0; i < errors.getNumExceptions(); i++) {
                      assertInstanceOf(
                          FailedSanityCheckException.class, Refusals.reasonOf(errors.getCause(i)));
                      failed.add(Bytes.toString(errors.getRow(i).getRow()));
                    }
                  });
      try (BufferedMutator mutator = hbase.getConnection().getBufferedMutator(params)) {
        for (int i = 0; i < 200; i++) {
          mutator.mutate(put(String.format(i % 50 == 7 ? "u|%03dx" : "u|%04d", i)));
        }
      }

      Collections.sort(failed);
      assertEquals(List.of("u|007x", "u|057x", "u|107x", "u|157x"), failed);
      assertEquals(196, guarded.rows().size());
    }
  }

  @Test
  void asyncTable_everyKind_failsExactlyTheBadOnes() throws Exception {
    try (GuardedTable guarded = GuardedTable.create(hbase);
        AsyncConnection connection =
            ConnectionFactory.createAsyncConnection(hbase.getConfiguration()).get()) {
      guarded.plant(BAD);
      AsyncTable<?> table = connection.getTable(guarded.name());
      List<CompletableFuture<Object>> futures = table.batch(ofEveryKind());
      Object[] results = new Object[futures.size()];
      for (int i = 0; i < results.length; i++) {
        results[i] = endOf(futures.get(i));
      }

      assertAnsweredAndStored(guarded, results);
    }
  }

  @Test
  void asyncTable_oneByOne_areRefused() throws Exception {
    try (GuardedTable guarded = GuardedTable.create(hbase);
        AsyncConnection connection =
            ConnectionFactory.createAsyncConnection(hbase.getConfiguration()).get()) {
      AsyncTable<?> table = connection.getTable(guarded.name());
      CheckAndMutate unmet =
          CheckAndMutate.newBuilder(bytes(BAD)).ifEquals(F, Q, bytes("v")).build(put(BAD));
      String expected = Refusals.of(guarded, BAD);

      assertEquals(expected, messageOf(endOf(table.put(put(BAD)))));
      assertEquals(expected, messageOf(endOf(table.append(append(BAD)))));
      assertEquals(expected, messageOf(endOf(table.increment(increment(BAD)))));
      assertEquals(expected, messageOf(endOf(table.mutateRow(together(put(BAD))))));
      assertEquals(expected, messageOf(endOf(table.checkAndMutate(unmet))));
      for (CompletableFuture<?> put : table.put(List.of(put(BAD), put(BAD)))) {
        assertEquals(expected, messageOf(endOf(put)));
      }
      for (CompletableFuture<?> check : table.checkAndMutate(List.of(unmet, unmet))) {
        assertEquals(expected, messageOf(endOf(check)));
      }
      assertEquals(List.of(), guarded.cells());
      table.put(put("a|0001")).get(5, TimeUnit.MINUTES);
      assertEquals(List.of("a|0001"), guarded.rows());
    }
  }

  /** Indexes 0 to 6 conform, 7 and 8 may touch a bad row, 9 to 13 may not. */
  static List<Row> ofEveryKind() throws IOException {
    return List.of(
        put("a|0001"),
        append("b|0002"),
        increment("c|0003"),
        together(put("d|0004"), increment("d|0004")),
        CheckAndMutate.newBuilder(bytes("e|0005")).ifNotExists(F, Q).build(put("e|0005")),
        CheckAndMutate.newBuilder(bytes("f|0006"))
            .ifNotExists(F, Q)
            .build(together(put("f|0006"), increment("f|0006"))),
        delete("g|0007"),
        new Get(bytes(BAD)),
        new Delete(bytes(BAD)).addColumns(F, bytes("other")),
        put(BAD, "new"),
        append(BAD),
        increment(BAD),
        together(delete(BAD), put(BAD, "new")),
        CheckAndMutate.newBuilder(bytes(BAD)).ifNotExists(F, Q).build(put(BAD, "new")));
  }

  private static void assertAnsweredAndStored(GuardedTable guarded, Object[] results)
      throws IOException {
    for (int i = 0; i < results.length; i++) {
      if (i >= 9) {
        assertEquals(Refusals.of(guarded, BAD), messageOf(results[i]), "action " + i);
      } else if (i == 4 || i == 5) {
        assertTrue(assertInstanceOf(CheckAndMutateResult.class, results[i]).isSuccess());
      } else {
        assertInstanceOf(Result.class, results[i], "action " + i);
      }
    }
    assertEquals(
        List.of("a|0001", BAD, "b|0002", "c|0003", "d|0004", "e|0005", "f|0006"), guarded.rows());
    assertEquals(List.of(BAD + "/q=v"), guarded.latest(BAD));
  }
}
