package io.rowguard.observer;

import static io.rowguard.observer.fixture.GuardedTable.F;
import static io.rowguard.observer.fixture.GuardedTable.Q;
import static io.rowguard.observer.fixture.Refusals.messageOf;
import static io.rowguard.observer.fixture.Refusals.placesOf;
import static io.rowguard.observer.fixture.SaltedGuard.salted;
import static io.rowguard.observer.fixture.Writes.bytes;
import static io.rowguard.observer.fixture.Writes.put;
import static io.rowguard.observer.fixture.Writes.together;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.layout.FailureText;
import io.rowguard.observer.FailingHooks.Where;
import io.rowguard.observer.fixture.Counters;
import io.rowguard.observer.fixture.GuardedTable;
import io.rowguard.observer.fixture.HFiles;
import io.rowguard.observer.fixture.SaltedGuard;
import io.rowguard.observer.fixture.Servers;
import io.rowguard.observer.fixture.Writes;
import io.rowguard.testing.MiniCluster;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Each hook of the observer fails with what is no IOException: a write is refused and not stored, a
 * read goes on, and no server aborts.
 */
@ExtendWith(MiniCluster.class)
class HookFailureIT {
  private static final String ALICE = "alice|0001";
  private static final String BOB = "bob|0001";

  /** The failures of a hook. */
  private enum Failure implements Supplier<Throwable> {
    RUNTIME,
    LINKAGE,
    MEMORY,
    DEEP,
    /** Has no message that could be had. */
    MUTE;

    @Override
    public Throwable get() {
      return switch (this) {
        case RUNTIME -> new IllegalStateException("for the test");
        case LINKAGE -> new NoSuchMethodError("'void org.example.Missing.method()'");
        case MEMORY -> new OutOfMemoryError("for the test");
        case DEEP -> deep();
        case MUTE -> new Mute();
      };
    }

    private static Throwable deep() {
      StackTraceElement[] trace = new StackTraceElement[1_024];
      Arrays.fill(trace, new StackTraceElement("org.example.Deep", "call", "Deep.java", 1));
      Error deep = new StackOverflowError();
      deep.setStackTrace(trace);
      return deep;
    }
  }

  private static final class Mute extends RuntimeException {
    private static final long serialVersionUID = 1;

    @Override
    public String getMessage() {
      throw new NoClassDefFoundError("org/example/Words");
    }
  }

  private final HBaseTestingUtility hbase;
  private final Servers servers;
  private int serversBefore;

  HookFailureIT(HBaseTestingUtility hbase) {
    this.hbase = hbase;
    this.servers = new Servers(hbase);
  }

  @BeforeEach
  void countServers() {
    serversBefore = servers.count();
  }

  @AfterEach
  void noServerAborted() {
    assertEquals(serversBefore, servers.count());
  }

  @ParameterizedTest
  @EnumSource(Failure.class)
  void preBatchMutate_failing_refusesEveryWriteUntilOff(Failure failure) throws Exception {
    try (GuardedTable guarded = SaltedGuard.create(hbase)) {
      guarded.table().put(put(BOB));
      FailingHooks.in(servers, guarded.name(), Where.BEFORE_BATCH, failure);

      List<Executable> writes =
          List.of(
              () -> guarded.table().put(put(ALICE)),
              () -> guarded.table().put(put(salted(ALICE))),
              () -> guarded.table().delete(Writes.delete(salted(BOB))),
              () -> guarded.table().append(Writes.append(salted(BOB))),
              () -> guarded.table().increment(Writes.increment(salted(BOB))),
              () -> guarded.table().mutateRow(together(put(salted(ALICE)))),
              () -> guarded.table().put(List.of(put(salted(ALICE)))),
              () -> guarded.table().checkAndMutate(ifAbsent(salted(ALICE))));
      for (Executable write : writes) {
        assertFailed(guarded, "preBatchMutate", failure, messageOf(write));
      }
      assertEquals(Set.of(0, 1), placesOf(guarded.batch(List.of(put(ALICE), put(salted(ALICE))))));

      assertEquals(List.of(salted(BOB) + "/q=v"), guarded.cells());
      assertEquals(List.of(BOB + "/q=v"), guarded.latest(BOB));
      Map<String, Long> counters = Counters.of(guarded.name());
      assertTrue(counters.get("hook_failed") >= writes.size() + 1, counters.toString());
      guarded.alter("rowguard.mode", "off");
      guarded.table().put(put("anything"));
      assertEquals(List.of(salted(BOB), "anything"), guarded.rows());
      assertEquals(counters, Counters.of(guarded.name()));
    }
  }

  @ParameterizedTest
  @EnumSource(Failure.class)
  void preWALAppend_failing_refusesTheWrite(Failure failure) throws Exception {
    try (GuardedTable guarded = GuardedTable.create(hbase)) {
      FailingHooks.in(servers, guarded.name(), Where.WAL_APPEND, failure);

      assertFailed(
          guarded, "preWALAppend", failure, messageOf(() -> guarded.table().put(put(ALICE))));
      assertEquals(Set.of(0, 1), placesOf(guarded.batch(List.of(put(ALICE), put("bob|x")))));

      assertEquals(List.of(), guarded.cells());
      assertEquals(2, Counters.of(guarded.name()).get("hook_failed"));
    }
  }

  /** By then there is nothing to be refused any more. */
  @ParameterizedTest
  @EnumSource(Failure.class)
  void postBatchMutate_failing_isPassedOver(Failure failure) throws Exception {
    try (GuardedTable guarded = GuardedTable.create(hbase)) {
      FailingHooks.in(servers, guarded.name(), Where.STORED, failure);

      guarded.table().put(put(ALICE));

      assertEquals(List.of(ALICE + "/q=v"), guarded.cells());
      assertEquals(1, Counters.of(guarded.name()).get("hook_failed"));
    }
  }

  @ParameterizedTest
  @EnumSource(Failure.class)
  void postBatchMutateIndispensably_failing_reportsNoRowAsStoredThatIsNot(Failure failure)
      throws Exception {
    try (GuardedTable guarded = SaltedGuard.create(hbase)) {
      FailingHooks.in(servers, guarded.name(), Where.AFTER_BATCH, failure);

      List<Executable> bare =
          List.of(
              () -> guarded.table().put(put(ALICE)),
              () -> guarded.table().put(List.of(put(ALICE))),
              () -> guarded.table().delete(Writes.delete(ALICE)),
              () -> guarded.table().mutateRow(together(put(ALICE))),
              () -> guarded.table().mutateRow(together(put(ALICE), put(ALICE))));
      for (Executable write : bare) {
        assertFailed(guarded, "postBatchMutateIndispensably", failure, messageOf(write));
      }

      // "12-..." is where bare keys come to; so it is one batch of one region.
      String here = SaltedGuard.nearRows("user").findFirst().orElseThrow();
      Object[] results = guarded.batch(List.of(put(here), put(ALICE), put("alice|x"), put(BOB)));
      assertEquals(Set.of(1, 2, 3), placesOf(results));
      assertFailed(guarded, "postBatchMutateIndispensably", failure, messageOf(results[1]));
      assertTrue(messageOf(results[2]).startsWith("Rowkey does not fit the layout: "));
      assertFailed(guarded, "postBatchMutateIndispensably", failure, messageOf(results[3]));
      assertEquals(List.of(here), guarded.rows());
      assertEquals(bare.size() + 1, Counters.of(guarded.name()).get("hook_failed"));
    }
  }

  /**
   * As when HBase loads its coprocessors anew between the two hooks, and the mode is off by now.
   */
  @ParameterizedTest
  @ValueSource(strings = {ALICE, "alice|x"})
  void postBatchMutateIndispensably_hooksGoneSinceTheBatchWasJudged_reportsNoRowAsStored(String row)
      throws Exception {
    try (GuardedTable guarded = SaltedGuard.create(hbase)) {
      FailingHooks.in(servers, guarded.name(), Where.GONE, Failure.LINKAGE);

      messageOf(() -> guarded.table().put(put(row)));

      assertEquals(List.of(), guarded.rows());
    }
  }

  /** It has set the statuses, which HBase does not read for several mutations of one row. */
  @Test
  void postBatchMutateIndispensably_failingAtTheEnd_keepsWhatItFound() throws Exception {
    try (GuardedTable guarded = SaltedGuard.create(hbase)) {
      List<String> far = SaltedGuard.farKeys("user").limit(2).toList();
      // Not where the rows are forwarded to.
      FailingHooks.inLastRegion(servers, guarded.name(), Where.AT_THE_END, Failure.LINKAGE);

      Object[] results = guarded.batch(List.of(put(far.get(0)), put("user|x"), put(far.get(1))));

      assertEquals(Set.of(1), placesOf(results));
      assertTrue(messageOf(results[1]).startsWith("Rowkey does not fit the layout: "));
      assertFailed(
          guarded,
          "postBatchMutateIndispensably",
          Failure.LINKAGE,
          messageOf(
              () -> guarded.table().mutateRow(together(put(far.get(0)), put(far.get(0), "new")))));
      assertEquals(Set.of(salted(far.get(0)), salted(far.get(1))), Set.copyOf(guarded.rows()));
    }
  }

  @Test
  void preCheckAndMutate_failing_refusesTheWrite() throws Exception {
    try (GuardedTable guarded = SaltedGuard.create(hbase)) {
      FailingHooks.in(servers, guarded.name(), Where.CHECK_AND_MUTATE, Failure.LINKAGE);

      assertFailed(
          guarded,
          "preCheckAndMutate",
          Failure.LINKAGE,
          messageOf(() -> guarded.table().checkAndMutate(ifAbsent(salted(ALICE)))));

      assertEquals(List.of(), guarded.cells());
      assertEquals(Map.of("hook_failed", 1L), Counters.of(guarded.name()));
    }
  }

  @Test
  void prePrepareTimeStampForDeleteVersion_failing_refusesTheDelete() throws Exception {
    try (GuardedTable guarded = SaltedGuard.create(hbase)) {
      guarded.table().put(put(ALICE));
      FailingHooks.in(servers, guarded.name(), Where.SALTED_ROW, Failure.LINKAGE);

      for (String row : List.of(ALICE, salted(ALICE))) {
        assertFailed(
            guarded,
            "prePrepareTimeStampForDeleteVersion",
            Failure.LINKAGE,
            messageOf(() -> guarded.table().delete(new Delete(bytes(row)).addColumn(F, Q))));
      }

      assertEquals(List.of(salted(ALICE) + "/q=v"), guarded.cells());
      assertEquals(2, Counters.of(guarded.name()).get("hook_failed"));
    }
  }

  @Test
  void postGetOp_failingToTellABareKey_leavesTheResultOfTheGet() throws Exception {
    try (GuardedTable guarded = SaltedGuard.create(hbase)) {
      guarded.table().put(put(ALICE));
      FailingHooks.in(servers, guarded.name(), Where.SALTED_ROW, Failure.LINKAGE);

      assertEquals(List.of(salted(ALICE) + "/q=v"), guarded.latest(salted(ALICE)));
      assertEquals(List.of(), guarded.latest(ALICE));
      assertEquals(2, Counters.of(guarded.name()).get("hook_failed"));
    }
  }

  @Test
  void postGetOp_failingToReadTheSaltedRow_answersNothingRatherThanEmpty() throws Exception {
    try (GuardedTable guarded = SaltedGuard.create(hbase)) {
      guarded.table().put(put(ALICE));
      FailingHooks.in(servers, guarded.name(), Where.GET, Failure.LINKAGE);

      String message = messageOf(() -> guarded.latest(ALICE));

      assertTrue(
          message.startsWith(
              "The region observer failed while it read the salted row of a bare key, so the Get is"
                  + " not answered. table="
                  + guarded.name()
                  + " hook=postGetOp error=\"NoSuchMethodError: "),
          message);
      assertEquals(List.of(salted(ALICE) + "/q=v"), guarded.latest(salted(ALICE)));
      assertEquals(1, Counters.of(guarded.name()).get("hook_failed"));
    }
  }

  @Test
  void preScannerOpen_failing_letsTheScanRun() throws Exception {
    try (GuardedTable guarded = SaltedGuard.create(hbase)) {
      guarded.table().put(put(ALICE));
      FailingHooks.in(servers, guarded.name(), Where.SCAN, Failure.LINKAGE);

      assertEquals(List.of(salted(ALICE)), guarded.rows());
      Scan empty = new Scan().withStartRow(bytes("alice|")).withStopRow(bytes("alice}"));
      try (ResultScanner scanner = guarded.table().getScanner(empty)) {
        assertNull(scanner.next());
      }
      assertTrue(Counters.of(guarded.name()).get("hook_failed") > 0);
    }
  }

  @Test
  void postScannerNextAndPostGetOp_failingToCount_leaveTheAnswer() throws Exception {
    try (GuardedTable guarded = SaltedGuard.create(hbase)) {
      guarded.table().put(put(ALICE));
      FailingHooks.in(servers, guarded.name(), Where.COUNTED, Failure.LINKAGE);

      assertEquals(List.of(salted(ALICE)), guarded.rows());
      assertTrue(Counters.of(guarded.name()).get("hook_failed") > 0, "of the scan");
      assertEquals(List.of(salted(ALICE) + "/q=v"), guarded.latest(salted(ALICE)));
    }
  }

  @Test
  void preBulkLoadHFile_failing_refusesTheLoad() throws Exception {
    try (GuardedTable guarded = GuardedTable.create(hbase)) {
      FailingHooks.in(servers, guarded.name(), Where.BULK_LOAD, Failure.LINKAGE);
      HFiles files = new HFiles(hbase);
      files.add(List.of(ALICE));

      IOException refused = assertThrows(IOException.class, () -> files.load(guarded.name()));

      assertFailed(guarded, "preBulkLoadHFile", Failure.LINKAGE, messageOf(refused.getCause()));
      assertEquals(List.of(), guarded.cells());
      assertEquals(Map.of("hook_failed", 1L), Counters.of(guarded.name()));
    }
  }

  /** HBase sends an exception with all of its causes once per row. */
  @Test
  void preBatchMutate_failingDeepDown_sendsNoStackTraceOfIt() throws Exception {
    try (GuardedTable guarded = GuardedTable.create(hbase)) {
      FailingHooks.in(servers, guarded.name(), Where.BEFORE_BATCH, Failure.DEEP);

      Throwable refused = (Throwable) guarded.batch(List.of(put(ALICE)))[0];

      assertTrue(!refused.getMessage().contains("org.example.Deep"), refused.getMessage());
    }
  }

  private static void assertFailed(
      GuardedTable guarded, String hook, Failure failure, String message) {
    String first = "The region observer failed while it judged a write, so the write is refused.";
    String wayOut =
        " rowguard.mode=off lets writes through unchecked (never while the layout changes),"
            + " rowguard.bulkload=off bulk loads. Please report this, with the stack trace from the server's log.";
    if (failure == Failure.MUTE) {
      assertEquals(first + wayOut, message);
      return;
    }
    assertEquals(
        first
            + " table="
            + guarded.name()
            + " hook="
            + hook
            + " error=\""
            + FailureText.of(failure.get())
            + "\"."
            + wayOut,
        message);
  }

  private static CheckAndMutate ifAbsent(String row) {
    return CheckAndMutate.newBuilder(bytes(row)).ifNotExists(F, Q).build(put(row));
  }
}
