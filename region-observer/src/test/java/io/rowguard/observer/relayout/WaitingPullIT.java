package io.rowguard.observer.relayout;

import static io.rowguard.observer.fixture.Asked.answer;
import static io.rowguard.observer.fixture.Asked.rows;
import static io.rowguard.observer.fixture.GuardedTable.F;
import static io.rowguard.observer.fixture.GuardedTable.Q;
import static io.rowguard.observer.fixture.RelayoutTables.OTHERWISE_SALTED;
import static io.rowguard.observer.fixture.RelayoutTables.SALTED;
import static io.rowguard.observer.fixture.Writes.bytes;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.observer.fixture.Counters;
import io.rowguard.observer.fixture.Gate;
import io.rowguard.observer.fixture.GuardedTable;
import io.rowguard.observer.fixture.RelayoutTables;
import io.rowguard.relayout.RelayoutRequest;
import io.rowguard.testing.Eventually;
import io.rowguard.testing.MiniCluster;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.client.Put;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Pulls that wait until another one is over. */
@ExtendWith(MiniCluster.class)
class WaitingPullIT {
  private final HBaseTestingUtility hbase;
  private final ExecutorService writers = Executors.newFixedThreadPool(2);

  WaitingPullIT(HBaseTestingUtility hbase) {
    this.hbase = hbase;
  }

  @AfterEach
  void end() {
    writers.shutdownNow();
  }

  /** What it has waited for is one row of its two. */
  @Test
  void batch_thatWaitsForOneOfItsRows_pullsTheOther() throws Exception {
    List<String> keys = keys().limit(2).toList();
    try (GuardedTable guarded =
        GuardedTable.of(hbase, "rowguard.layout", SALTED)
            .with("rowguard.salt.timeout.ms", "50000")
            .withSplits("08-", "32-")
            .withCoprocessor(Gate.class)
            .create()) {
      for (String key : keys) {
        byte[] row = bytes(RelayoutTables.row(SALTED, key));
        guarded.table().put(new Put(row).addColumn(F, bytes("before"), F));
      }
      RelayoutTables.start(guarded, OTHERWISE_SALTED);

      try (Gate.Shut gate = Gate.shut()) {
        Future<?> first = write(guarded, keys.subList(0, 1));
        Gate.awaitWrite();
        Future<?> second = write(guarded, keys);
        Eventually.isTrue("the second pull waits for the first", WaitingPullIT::isOneWaiting);
        gate.open();
        first.get(5, TimeUnit.MINUTES);
        second.get(5, TimeUnit.MINUTES);
      }

      List<String> expected =
          keys.stream()
              .map(WaitingPullIT::newRow)
              .flatMap(row -> Stream.of(row + "/before=f", row + "/q=v"))
              .sorted()
              .toList();
      assertEquals(expected, guarded.latestCells());
      assertTrue(Counters.of(guarded.name()).get("relayout_pulls_waited") > 0);
    }
  }

  /** Another pull has read the old row before it went, and is about to write its copy. */
  @Test
  void write_whereTheOldRegionIsDone_waitsForAPullOfItsRow() throws Exception {
    try (GuardedTable guarded =
        GuardedTable.of(hbase, "rowguard.layout", OTHERWISE_SALTED)
            .with("rowguard.salt.timeout.ms", "50000")
            .withSplits("16-")
            .withCoprocessor(Gate.class)
            .create()) {
      List<String> keys =
          IntStream.range(0, 1_000)
              .mapToObj(i -> "user" + i + "|0001")
              .filter(key -> RelayoutTables.row(OTHERWISE_SALTED, key).compareTo("16-") >= 0)
              .limit(2)
              .toList();
      String old = RelayoutTables.row(OTHERWISE_SALTED, keys.get(0));
      String row = RelayoutTables.row(SALTED, keys.get(0));
      guarded.table().put(new Put(bytes(old)).addColumn(F, bytes("before"), 1, F));
      long generation = RelayoutTables.start(guarded, SALTED);

      try (Gate.Shut gate = Gate.shut()) {
        Future<?> first = write(guarded, row, "first");
        Gate.awaitWrite();
        answer(guarded, old, RelayoutRequest.drop(generation, rows(old), List.of(1L)));
        answer(guarded, old, RelayoutRequest.count(generation));
        String another = RelayoutTables.row(SALTED, keys.get(1));
        answer(guarded, another, RelayoutRequest.touch(generation, rows(another)));
        Future<?> second = write(guarded, row, "second");
        Eventually.isTrue("the second write waits for the pull", WaitingPullIT::isOneWaiting);
        gate.open();
        first.get(5, TimeUnit.MINUTES);
        second.get(5, TimeUnit.MINUTES);
      }

      assertEquals(
          List.of(row + "/before=f", row + "/first=v", row + "/second=v"), guarded.latestCells());
    }
  }

  private Future<?> write(GuardedTable guarded, String row, String qualifier) {
    Put put = new Put(bytes(row)).addColumn(F, bytes(qualifier), bytes("v"));
    return writers.submit(
        () -> {
          guarded.table().put(put);
          return null;
        });
  }

  /**
   * Bare keys whose new rows are in the second region, which the gate holds up, unlike the last.
   */
  private static Stream<String> keys() {
    return IntStream.range(0, 1_000)
        .mapToObj(i -> "user" + i + "|0001")
        .filter(key -> newRow(key).compareTo("16-") >= 0 && newRow(key).compareTo("32-") < 0);
  }

  private static String newRow(String key) {
    return RelayoutTables.row(OTHERWISE_SALTED, key);
  }

  private Future<?> write(GuardedTable guarded, List<String> keys) {
    List<Put> puts =
        keys.stream().map(key -> new Put(bytes(newRow(key))).addColumn(F, Q, bytes("v"))).toList();
    return writers.submit(
        () -> {
          guarded.table().put(puts);
          return null;
        });
  }

  private static boolean isOneWaiting() {
    return Thread.getAllStackTraces().values().stream()
        .flatMap(Arrays::stream)
        .anyMatch(
            frame ->
                frame.getClassName().equals(KeyLocks.class.getName())
                    && frame.getMethodName().equals("lock"));
  }
}
