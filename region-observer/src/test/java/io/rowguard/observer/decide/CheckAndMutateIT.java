package io.rowguard.observer.decide;

import static io.rowguard.observer.fixture.GuardedTable.F;
import static io.rowguard.observer.fixture.GuardedTable.LAYOUT;
import static io.rowguard.observer.fixture.GuardedTable.Q;
import static io.rowguard.observer.fixture.Refusals.messageOf;
import static io.rowguard.observer.fixture.Writes.BAD;
import static io.rowguard.observer.fixture.Writes.append;
import static io.rowguard.observer.fixture.Writes.bytes;
import static io.rowguard.observer.fixture.Writes.delete;
import static io.rowguard.observer.fixture.Writes.increment;
import static io.rowguard.observer.fixture.Writes.put;
import static io.rowguard.observer.fixture.Writes.together;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.observer.fixture.Condition;
import io.rowguard.observer.fixture.GuardedTable;
import io.rowguard.observer.fixture.Refusals;
import io.rowguard.testing.MiniCluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Conditional writes, in every form and with conditions that hold and do not. Each row holds {@code
 * v} before: a refusal must come whatever the condition would give.
 */
@ExtendWith(MiniCluster.class)
class CheckAndMutateIT {
  private static final int ACTIONS = 6;

  private static final AtomicInteger rows = new AtomicInteger();
  private static GuardedTable guarded;

  @BeforeAll
  static void createTable(HBaseTestingUtility hbase) throws IOException {
    guarded = GuardedTable.create(hbase);
  }

  @AfterAll
  static void dropTable() throws IOException {
    guarded.close();
  }

  @ParameterizedTest
  @EnumSource
  void single_conformingRow_obeysItsCondition(Condition condition) throws IOException {
    for (int action = 0; action < ACTIONS; action++) {
      String row = newRow("alice|%04d");
      CheckAndMutate write = everyAction(condition, row).get(action);

      assertEquals(condition.met(), guarded.table().checkAndMutate(write).isSuccess());
      assertEquals(condition.met(), !guarded.latest(row).equals(List.of(row + "/q=v")));
    }
  }

  @ParameterizedTest
  @EnumSource
  void single_badRow_isRefusedWhateverTheConditionGives(Condition condition) throws IOException {
    String row = newRow("bob|%03dx");
    for (CheckAndMutate write : everyAction(condition, row).subList(0, ACTIONS - 1)) {
      assertRefused(row, () -> guarded.table().checkAndMutate(write));
    }
    assertEquals(List.of(row + "/q=v"), guarded.latest(row));
  }

  @ParameterizedTest
  @EnumSource
  void single_deleteOfABadRow_obeysItsCondition(Condition condition) throws IOException {
    String row = newRow("bob|%03dx");

    CheckAndMutate write = condition.on(row).build(delete(row));

    assertEquals(condition.met(), guarded.table().checkAndMutate(write).isSuccess());
    assertEquals(condition.met(), guarded.latest(row).isEmpty());
  }

  @ParameterizedTest
  @EnumSource
  void list_goodAndBadRows_onlyTheBadOnesFail(Condition condition) throws Exception {
    String bad = newRow("bob|%03dx");
    String good = newRow("alice|%04d");
    List<CheckAndMutate> writes = new ArrayList<>();
    writes.addAll(everyAction(condition, bad).subList(0, ACTIONS - 1));
    writes.add(condition.on(good).build(put(good, "new")));

    Object[] results = guarded.batch(writes);

    for (int i = 0; i < ACTIONS - 1; i++) {
      assertEquals(Refusals.of(guarded, bad), messageOf(results[i]));
    }
    assertEquals(condition.met(), ((CheckAndMutateResult) results[ACTIONS - 1]).isSuccess());
    assertEquals(List.of(bad + "/q=v"), guarded.latest(bad));
    assertEquals(List.of(good + (condition.met() ? "/q=new" : "/q=v")), guarded.latest(good));
  }

  @Test
  void list_asOneCallOfTheTable_failsAndTheGoodOnesLand() throws IOException {
    String bad = newRow("bob|%03dx");
    String good = newRow("alice|%04d");
    List<CheckAndMutate> writes =
        List.of(
            Condition.EQUALS.on(bad).build(put(bad, "new")),
            Condition.EQUALS.on(good).build(put(good, "new")));

    assertRefused(bad, () -> guarded.table().checkAndMutate(writes));

    assertEquals(List.of(bad + "/q=v"), guarded.latest(bad));
    assertEquals(List.of(good + "/q=new"), guarded.latest(good));
  }

  @Test
  void list_allConform_givesEveryResult() throws IOException {
    String good = newRow("alice|%04d");
    List<CheckAndMutateResult> results =
        guarded
            .table()
            .checkAndMutate(
                List.of(
                    Condition.ABSENT.on(good).build(put(good)),
                    Condition.ABSENT.on("carol|0002").build(put("carol|0002"))));

    assertFalse(results.get(0).isSuccess());
    assertTrue(results.get(1).isSuccess());
  }

  /** HBase cannot evaluate this operator at all; a bad row is refused before it comes to that. */
  @Test
  void single_badRowAndAnOperatorThatComparesNothing_isRefused() throws IOException {
    String bad = newRow("bob|%03dx");
    CheckAndMutate write =
        CheckAndMutate.newBuilder(bytes(bad))
            .ifMatches(F, Q, CompareOperator.NO_OP, bytes("v"))
            .build(put(bad, "new"));

    assertRefused(bad, () -> guarded.table().checkAndMutate(write));
    assertEquals(List.of(bad + "/q=v"), guarded.latest(bad));
  }

  /** The form of older clients. */
  @Test
  @SuppressWarnings("deprecation")
  void builder_badRow_isRefusedWhateverTheConditionGives() throws IOException {
    String bad = newRow("bob|%03dx");
    Table table = guarded.table();
    byte[] row = bytes(bad);
    for (String value : new String[] {"v", "other"}) {
      byte[] wanted = Bytes.toBytes(value);
      assertRefused(
          bad,
          () -> table.checkAndMutate(row, F).qualifier(Q).ifEquals(wanted).thenPut(put(bad, "x")));
      assertRefused(
          bad,
          () ->
              table
                  .checkAndMutate(row, F)
                  .qualifier(Q)
                  .ifEquals(wanted)
                  .thenMutate(together(delete(bad), put(bad, "x"))));
    }
    assertRefused(
        bad, () -> table.checkAndMutate(row, F).qualifier(Q).ifNotExists().thenPut(put(bad, "x")));
    assertEquals(List.of(bad + "/q=v"), guarded.latest(bad));

    assertTrue(
        table.checkAndMutate(row, F).qualifier(Q).ifEquals(bytes("v")).thenDelete(delete(bad)));
    assertEquals(List.of(), guarded.latest(bad));
  }

  @Test
  void delete_badRowWhereEnforced_isRefusedWhateverTheConditionGives(HBaseTestingUtility hbase)
      throws IOException {
    try (GuardedTable strict =
        GuardedTable.of(hbase, "rowguard.layout", LAYOUT, "rowguard.delete", "enforce").create()) {
      strict.plant(BAD);
      for (Condition condition : Condition.values()) {
        CheckAndMutate write = condition.on(BAD).build(delete(BAD));
        Refusals.assertRefused(strict, () -> strict.table().checkAndMutate(write));
      }
      assertEquals(List.of(BAD + "/q=v"), strict.cells());
    }
  }

  /** All kinds of action on a row; the last is the delete. */
  private static List<CheckAndMutate> everyAction(Condition condition, String row)
      throws IOException {
    Delete other = new Delete(bytes(row)).addColumns(F, Bytes.toBytes("other"));
    List<CheckAndMutate> writes =
        List.of(
            condition.on(row).build(put(row, "new")),
            condition.on(row).build(append(row)),
            condition.on(row).build(increment(row)),
            condition.on(row).build(together(put(row, "new"), increment(row))),
            condition.on(row).build(together(other, put(row, "new"))),
            condition.on(row).build(delete(row)));
    assertEquals(ACTIONS, writes.size());
    return writes;
  }

  /** A row that no other test has, holding {@code v}. */
  private static String newRow(String format) throws IOException {
    String row = String.format(format, rows.incrementAndGet());
    guarded.plant(row);
    return row;
  }

  private static void assertRefused(String row, Executable write) {
    assertEquals(Refusals.of(guarded, row), messageOf(write));
  }
}
