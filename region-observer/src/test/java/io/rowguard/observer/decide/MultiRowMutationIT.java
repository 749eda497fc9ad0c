package io.rowguard.observer.decide;

import static io.rowguard.observer.fixture.GuardedTable.F;
import static io.rowguard.observer.fixture.GuardedTable.LAYOUT;
import static io.rowguard.observer.fixture.GuardedTable.Q;
import static io.rowguard.observer.fixture.RelayoutTables.OTHERWISE_SALTED;
import static io.rowguard.observer.fixture.RelayoutTables.SALTED;
import static io.rowguard.observer.fixture.RowsWithLocks.batchMutateRows;
import static io.rowguard.observer.fixture.RowsWithLocks.mutateRows;
import static io.rowguard.observer.fixture.RowsWithLocks.onlyIf;
import static io.rowguard.observer.fixture.RowsWithLocks.request;
import static io.rowguard.observer.fixture.Writes.BAD;
import static io.rowguard.observer.fixture.Writes.append;
import static io.rowguard.observer.fixture.Writes.bytes;
import static io.rowguard.observer.fixture.Writes.delete;
import static io.rowguard.observer.fixture.Writes.increment;
import static io.rowguard.observer.fixture.Writes.put;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.config.LayoutStamp;
import io.rowguard.config.StaleLayoutException;
import io.rowguard.observer.fixture.GuardedTable;
import io.rowguard.observer.fixture.Refusals;
import io.rowguard.observer.fixture.RelayoutTables;
import io.rowguard.observer.fixture.SaltedGuard;
import io.rowguard.testing.MiniCluster;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.coprocessor.MultiRowMutationEndpoint;
import org.apache.hadoop.hbase.io.TimeRange;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.com.google.protobuf.UnknownFieldSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** {@code mutateRowsWithLocks}: several rows of one region, all or none. */
@ExtendWith(MiniCluster.class)
class MultiRowMutationIT {
  private final HBaseTestingUtility hbase;

  MultiRowMutationIT(HBaseTestingUtility hbase) {
    this.hbase = hbase;
  }

  @Test
  void mutateRows_allConform_land() throws Exception {
    try (GuardedTable guarded = create("accept")) {
      mutateRows(guarded, request(put("a|0001"), append("b|0002"), increment("c|0003")));

      assertEquals(List.of("a|0001", "b|0002", "c|0003"), guarded.rows());
    }
  }

  @Test
  void mutateRows_oneBadRow_changesNothingAtAll() throws Exception {
    try (GuardedTable guarded = create("accept")) {
      guarded.table().put(put("a|0001"));
      for (Mutation bad : List.<Mutation>of(put(BAD), append(BAD), increment(BAD))) {
        assertRefused(guarded, request(put("a|0001", "new"), bad, put("c|0003")));
        assertRefused(guarded, request(bad, put("c|0003")));
        assertRefused(guarded, request(delete("a|0001"), bad));
        assertRefused(guarded, request(bad));
      }

      assertEquals(List.of("a|0001/q=v"), guarded.cells());
    }
  }

  @Test
  void mutateRows_deleteOfABadRow_isAcceptedByDefault() throws Exception {
    try (GuardedTable guarded = create("accept")) {
      guarded.plant(BAD);

      mutateRows(guarded, request(put("a|0001"), delete(BAD)));

      assertEquals(List.of("a|0001"), guarded.rows());
    }
  }

  @Test
  void mutateRows_deleteOfABadRowWhereEnforced_changesNothingAtAll() throws Exception {
    try (GuardedTable guarded = create("enforce")) {
      guarded.plant(BAD);

      assertRefused(guarded, request(put("a|0001"), delete(BAD)));

      assertEquals(List.of(BAD + "/q=v"), guarded.cells());
    }
  }

  @Test
  void mutateRows_withACondition_isRefusedWhenItHolds() throws Exception {
    try (GuardedTable guarded = create("accept")) {
      guarded.table().put(put("a|0001"));

      assertRefused(guarded, onlyIf(isV("a|0001"), request(put("a|0001", "new"), put(BAD))));

      assertEquals(List.of("a|0001/q=v"), guarded.cells());
    }
  }

  /** A condition on a row of a former layout would be evaluated on a row that is no more. */
  @Test
  void mutateRows_plannedWithOtherLayouts_isRefusedThoughItsConditionDoesNotHold()
      throws Exception {
    try (GuardedTable guarded = create("accept")) {
      Mutation planned = put("a|0001");
      LayoutStamp.ofVersion(5).mark(planned);

      assertThrows(
          StaleLayoutException.class,
          () -> mutateRows(guarded, onlyIf(isV("a|0002"), request(put("a|0003"), planned))));

      assertEquals(List.of(), guarded.cells());
    }
  }

  /**
   * An endpoint called in a batch comes in the same kind of request as plain batches do, of which
   * single rows may fail.
   */
  @Test
  void batchMutateRows_oneBadRow_changesNothingAtAll() throws Exception {
    try (GuardedTable guarded = create("accept")) {
      Refusals.assertRefused(
          guarded, () -> batchMutateRows(guarded, request(put("a|0001"), put(BAD), put("c|0003"))));
      assertEquals(List.of(), guarded.cells());

      batchMutateRows(guarded, request(put("a|0001"), put("c|0003")));
      assertEquals(List.of("a|0001", "c|0003"), guarded.rows());
    }
  }

  /** Only what such a call writes itself is written under locks that it has taken before. */
  @Test
  void batchMutateRows_withAPutWhileRowsMove_writesBoth() throws Exception {
    String called = "user1|0001";
    String put = "user5|0001";
    try (GuardedTable guarded =
        GuardedTable.of(hbase, "rowguard.layout", SALTED)
            .withCoprocessor(MultiRowMutationEndpoint.class)
            .create()) {
      guarded.table().put(put(RelayoutTables.row(SALTED, called)));
      guarded.table().put(put(RelayoutTables.row(SALTED, put)));
      RelayoutTables.start(guarded, OTHERWISE_SALTED);
      String first = RelayoutTables.row(OTHERWISE_SALTED, called);
      String second = RelayoutTables.row(OTHERWISE_SALTED, put);

      batchMutateRows(guarded, onlyIf(isV(first), request(increment(first))), put(second, "new"));

      assertEquals(
          Stream.of(
                  first + "/n=\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x01",
                  first + "/q=v",
                  second + "/q=new")
              .sorted()
              .toList(),
          guarded.latestCells());
    }
  }

  @Test
  void mutateRows_withABareKeyInSaltMode_changesNothingAtAll() throws Exception {
    String bare = "alice|0001";
    try (GuardedTable guarded =
        GuardedTable.of(
                hbase, "rowguard.layout", SaltedGuard.LAYOUT.toString(), "rowguard.mode", "salt")
            .withCoprocessor(MultiRowMutationEndpoint.class)
            .create()) {
      String salted = SaltedGuard.salted("bob|0001");
      for (UnknownFieldSet request :
          List.of(
              request(put(salted), put(bare)),
              request(put(bare)),
              onlyIf(isV(bare), request(put(salted))),
              request(put(bare), put(salted)))) {
        String message = Refusals.messageOf(() -> mutateRows(guarded, request));
        assertTrue(message.contains("saltedRow=\"" + SaltedGuard.salted(bare)), message);
      }
      assertEquals(List.of(), guarded.cells());
    }
  }

  private GuardedTable create(String deletes) throws IOException {
    return GuardedTable.of(hbase, "rowguard.layout", LAYOUT, "rowguard.delete", deletes)
        .withCoprocessor(MultiRowMutationEndpoint.class)
        .create();
  }

  /** A condition that a row has the value which a put writes. */
  private static ClientProtos.Condition isV(String row) throws IOException {
    return ProtobufUtil.toCondition(
        bytes(row), F, Q, CompareOperator.EQUAL, Bytes.toBytes("v"), TimeRange.allTime());
  }

  private static void assertRefused(GuardedTable guarded, UnknownFieldSet request) {
    Refusals.assertRefused(guarded, () -> mutateRows(guarded, request));
  }
}
