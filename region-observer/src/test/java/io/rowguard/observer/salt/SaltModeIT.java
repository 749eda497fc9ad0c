package io.rowguard.observer.salt;

import static io.rowguard.observer.fixture.GuardedTable.F;
import static io.rowguard.observer.fixture.GuardedTable.Q;
import static io.rowguard.observer.fixture.Refusals.messageOf;
import static io.rowguard.observer.fixture.SaltedGuard.LAYOUT;
import static io.rowguard.observer.fixture.SaltedGuard.salted;
import static io.rowguard.observer.fixture.Writes.append;
import static io.rowguard.observer.fixture.Writes.bytes;
import static io.rowguard.observer.fixture.Writes.delete;
import static io.rowguard.observer.fixture.Writes.increment;
import static io.rowguard.observer.fixture.Writes.put;
import static io.rowguard.observer.fixture.Writes.together;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.layout.RowkeyLayout;
import io.rowguard.observer.fixture.Counters;
import io.rowguard.observer.fixture.GuardedTable;
import io.rowguard.observer.fixture.Refusals;
import io.rowguard.observer.fixture.SaltedGuard;
import io.rowguard.observer.fixture.Writes;
import io.rowguard.testing.MiniCluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.security.access.Permission;
import org.apache.hadoop.hbase.security.visibility.CellVisibility;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bare keys in, salted rows stored: {@code rowguard.mode = salt}. */
@ExtendWith(MiniCluster.class)
class SaltModeIT {
  private static final String ALICE = "alice|0001";
  private static final String BOB = "bob|0001";
  private static final String CAROL = "carol|0001";

  private final HBaseTestingUtility hbase;

  SaltModeIT(HBaseTestingUtility hbase) {
    this.hbase = hbase;
  }

  @Test
  void put_ofABareKey_isStoredUnderTheSaltedRow() throws Exception {
    try (GuardedTable guarded = SaltedGuard.create(hbase)) {
      guarded.table().put(put(ALICE));

      assertEquals(List.of(salted(ALICE) + "/q=v"), guarded.cells());
      assertEquals(
          Map.of("forwarded", 1L, "forwarded_arrived", 1L, "forward_calls", 1L),
          Counters.of(guarded.name()));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{salt:digits(2)=murmur3(user)%16+murmur3(item)%4}-{user:word}|{item:digits(4)}",
        "{salt:digits(2)=murmur3(user)%4, 8 from item=1000, 16 from item=2000}-"
            + "{user:word}|{item:digits(4)}"
      })
  void batch_underASaltOfASumOrWithSteps_isStoredAndReadUnderTheSaltedRows(String text)
      throws Exception {
    RowkeyLayout layout = RowkeyLayout.parse(text);
    try (GuardedTable guarded =
        SaltedGuard.table(hbase).with("rowguard.layout", layout.toString()).create()) {
      List<Row> actions = new ArrayList<>();
      Set<String> expected = new TreeSet<>();
      for (int i = 0; i < 60; i++) {
        String key = String.format("user%d|%04d", i % 3, 50 * i);
        actions.add(put(key));
        expected.add(new String(layout.complete(bytes(key)), UTF_8));
      }

      assertEquals(Set.of(), Refusals.placesOf(guarded.batch(actions)));
      assertEquals(List.copyOf(expected), guarded.rows());
      for (Row action : actions) {
        Result result = guarded.table().get(new Get(action.getRow()));
        assertArrayEquals(action.getRow(), result.getRow());
      }
    }
  }

  @Test
  void put_ofASaltedRow_isStoredAsItComes() throws Exception {
    try (GuardedTable guarded = SaltedGuard.create(hbase)) {
      guarded.table().put(put(salted(ALICE)));

      assertEquals(List.of(salted(ALICE) + "/q=v"), guarded.cells());
      assertEquals(Map.of("conforming", 1L), Counters.of(guarded.name()));
    }
  }

  @Test
  void put_ofNeither_isRefused() throws Exception {
    try (GuardedTable guarded = SaltedGuard.create(hbase)) {
      for (String bad : List.of("alice", "alice|x001", "03-" + ALICE, "xx-" + ALICE)) {
        String message =
            messageOf(assertThrows(IOException.class, () -> guarded.table().put(put(bad))));
        assertTrue(message.startsWith("Rowkey does not fit the layout: "), message);
      }
      assertEquals(List.of(), guarded.cells());
    }
  }

  @Test
  void batch_ofAllKinds_refusesExactlyTheBadRows() throws Exception {
    try (GuardedTable guarded = SaltedGuard.create(hbase)) {
      List<Row> actions = new ArrayList<>();
      Set<String> expected = new TreeSet<>();
      Set<Integer> bad = new TreeSet<>();
      for (int i = 0; i < 300; i++) {
        String key = "user" + i + "|0001";
        switch (i % 5) {
          case 0 -> actions.add(put(salted(key)));
          case 1 -> {
            actions.add(put("user" + i));
            bad.add(i);
          }
          default -> actions.add(put(key));
        }
        if (i % 5 != 1) {
          expected.add(salted(key));
        }
      }

      assertEquals(bad, Refusals.placesOf(guarded.batch(actions)));
      assertEquals(List.copyOf(expected), guarded.rows());
      assertEquals(180, Counters.of(guarded.name()).get("forwarded"));
    }
  }

  @Test
  void put_ofABareKey_keepsTimestampTtlDurabilityAndAttributes() throws Exception {
    try (GuardedTable guarded = SaltedGuard.table(hbase).withCoprocessor(Seen.class).create()) {
      long then = System.currentTimeMillis() - 60_000;
      Put put = new Put(bytes(ALICE)).addColumn(F, Q, then, Bytes.toBytes("v"));
      put.setTTL(3_600_000).setDurability(Durability.SKIP_WAL).setAttribute("mine", bytes("x"));
      Seen.forget();

      guarded.table().put(put);

      Result stored = guarded.table().get(new Get(bytes(salted(ALICE))));
      assertEquals(then, stored.rawCells()[0].getTimestamp());
      // TTL is counted from the cell's timestamp: with one of an hour ago it is already over.
      guarded.table().put(expired(BOB));
      assertEquals(List.of(), guarded.latest(salted(BOB)));
      Seen.Write seen = Seen.of(salted(ALICE));
      assertEquals(Durability.SKIP_WAL, seen.durability());
      assertEquals("x", seen.attribute());
      assertEquals(3_600_000, seen.ttl());
      assertFalse(Seen.saw(ALICE), "other coprocessors see the row that is stored");
      assertTrue(guarded.table().exists(new Get(bytes(ALICE))));
      assertEquals(
          List.of(), Seen.withoutRequest(), "which is done for a request, as HBase always has one");
    }
  }

  private static Put expired(String row) {
    Put put = new Put(bytes(row)).addColumn(F, Q, 1, Bytes.toBytes("v"));
    put.setTTL(1000);
    return put;
  }

  @Test
  void delete_ofABareKey_deletesFromTheSaltedRow() throws Exception {
    try (GuardedTable guarded = SaltedGuard.create(hbase)) {
      for (String key : List.of(ALICE, BOB, CAROL)) {
        guarded.table().put(put(key, "1"));
        guarded.table().put(put(key, "2"));
      }

      guarded.table().delete(delete(ALICE));
      guarded.table().delete(new Delete(bytes(BOB)).addColumns(F, Q));
      guarded.table().delete(new Delete(bytes(CAROL)).addFamily(F));

      assertEquals(List.of(), guarded.rows());
      assertTrue(guarded.cells().stream().allMatch(cell -> cell.matches("\\d\\d-.*")));
    }
  }

  @Test
  void delete_ofTheLatestVersionOfABareKey_deletesJustThat() throws Exception {
    try (GuardedTable guarded = SaltedGuard.create(hbase)) {
      guarded.alterVersions(3);
      for (int version = 1; version <= 3; version++) {
        guarded
            .table()
            .put(new Put(bytes(ALICE)).addColumn(F, Q, version, Bytes.toBytes("v" + version)));
      }

      guarded.table().delete(new Delete(bytes(ALICE)).addColumn(F, Q));

      assertEquals(List.of(salted(ALICE) + "/q=v2"), guarded.latest(salted(ALICE)));
    }
  }

  @Test
  void rowMutations_ofABareKey_areDoneTogether() throws Exception {
    try (GuardedTable guarded = SaltedGuard.create(hbase)) {
      guarded.table().put(put(ALICE));
      Put more = new Put(bytes(ALICE)).addColumn(F, bytes("more"), bytes("m"));
      Delete less = new Delete(bytes(ALICE)).addColumns(F, Q);

      guarded.table().mutateRow(together(more, less));
      Object[] results =
          guarded.batch(
              List.of(together(new Put(bytes(BOB)).addColumn(F, Q, bytes("b"))), put(CAROL)));

      assertEquals(Set.of(), Refusals.placesOf(results));
      assertEquals(List.of(salted(ALICE) + "/more=m"), guarded.latest(salted(ALICE)));
      assertEquals(List.of(salted(BOB) + "/q=b"), guarded.latest(salted(BOB)));
      assertEquals(List.of(salted(CAROL) + "/q=v"), guarded.latest(salted(CAROL)));
    }
  }

  @Test
  void batch_ofSeveralMutationsOfOneBareKey_keepsTheirOrder() throws Exception {
    try (GuardedTable guarded = SaltedGuard.create(hbase)) {
      List<Row> actions = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        actions.add(new Put(bytes(ALICE)).addColumn(F, Q, 5, bytes("v" + i)));
      }

      assertEquals(Set.of(), Refusals.placesOf(guarded.batch(actions)));

      // One timestamp: the last that was written wins.
      assertEquals(List.of(salted(ALICE) + "/q=v19"), guarded.latest(salted(ALICE)));
    }
  }

  @Test
  void incrementAppendAndConditions_ofABareKey_areRefusedWithTheSaltedRow() throws Exception {
    try (GuardedTable guarded = SaltedGuard.create(hbase)) {
      CheckAndMutate condition =
          CheckAndMutate.newBuilder(bytes(ALICE)).ifNotExists(F, Q).build(put(ALICE));
      assertRefusedBare(guarded, () -> guarded.table().increment(increment(ALICE)));
      assertRefusedBare(guarded, () -> guarded.table().append(append(ALICE)));
      assertRefusedBare(guarded, () -> guarded.table().checkAndMutate(condition));
      assertRefusedBare(
          guarded,
          () ->
              guarded
                  .table()
                  .mutateRow(
                      together(
                          put(ALICE), new Increment(bytes(ALICE)).addColumn(F, bytes("n"), 1))));
      Object[] results = guarded.batch(List.of(increment(ALICE), put(BOB), append(CAROL)));

      assertEquals(Set.of(0, 2), Refusals.placesOf(results));
      assertEquals(List.of(salted(BOB) + "/q=v"), guarded.cells());
      assertEquals(6, Counters.of(guarded.name()).get("rejected_bare_key"));
    }
  }

  @Test
  void aclAndLabel_onABareKey_areRefusedWithTheSaltedRow() throws Exception {
    try (GuardedTable guarded = SaltedGuard.create(hbase)) {
      Put acl = put(ALICE);
      acl.setACL("somebody", new Permission(Permission.Action.READ));
      Put label = put(ALICE);
      label.setCellVisibility(new CellVisibility("secret"));

      assertRefusedBare(guarded, () -> guarded.table().put(acl));
      assertRefusedBare(guarded, () -> guarded.table().put(label));
      assertEquals(List.of(), guarded.cells());
    }
  }

  @Test
  void bufferedMutatorAndAsyncTable_ofBareKeys_areStoredUnderTheirSaltedRows() throws Exception {
    try (GuardedTable guarded = SaltedGuard.create(hbase)) {
      try (BufferedMutator mutator = hbase.getConnection().getBufferedMutator(guarded.name())) {
        mutator.mutate(List.of(put(ALICE), put(BOB)));
      }
      try (var async = ConnectionFactory.createAsyncConnection(hbase.getConfiguration()).get()) {
        async.getTable(guarded.name()).put(put(CAROL)).get();
        async.getTable(guarded.name()).putAll(List.of(put("dave|0001"), put("erin|0001"))).get();
      }

      Set<String> expected = new TreeSet<>();
      for (String key : List.of(ALICE, BOB, CAROL, "dave|0001", "erin|0001")) {
        expected.add(salted(key));
      }
      assertEquals(List.copyOf(expected), guarded.rows());
    }
  }

  @Test
  void put_thatIsReplicated_isTakenAsItComesUnlessEnforced() throws Exception {
    try (GuardedTable guarded = SaltedGuard.create(hbase)) {
      guarded.table().put(Writes.replicated(put(ALICE)));
      guarded.alter("rowguard.replication", "enforce");
      guarded.table().put(Writes.replicated(put(BOB)));

      assertEquals(Set.of(ALICE, salted(BOB)), Set.copyOf(guarded.rows()));
    }
  }

  @Test
  void row_thatBecomesTooLongBySalt_isRefused() throws Exception {
    try (GuardedTable guarded =
        SaltedGuard.create(hbase, "rowguard.row.max.length", "" + (ALICE.length() + 2))) {
      String message =
          messageOf(assertThrows(IOException.class, () -> guarded.table().put(put(ALICE))));
      assertTrue(message.startsWith("Rowkey does not fit the layout: "), message);
    }
  }

  private static void assertRefusedBare(GuardedTable guarded, Executable write) {
    String message = messageOf(write);
    assertTrue(message.contains(" is not salted: "), message);
    assertTrue(
        message.endsWith(
            " table="
                + guarded.name()
                + " row=\""
                + ALICE
                + "\" saltedRow=\""
                + salted(ALICE)
                + "\". Write to the salted row, or through io.rowguard.client.SaltedTable. Layout: "
                + LAYOUT),
        message);
  }
}
