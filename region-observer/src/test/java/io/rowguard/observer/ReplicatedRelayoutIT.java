package io.rowguard.observer;

import static io.rowguard.observer.fixture.GuardedTable.F;
import static io.rowguard.observer.fixture.GuardedTable.Q;
import static io.rowguard.observer.fixture.RelayoutTables.OTHERWISE_SALTED;
import static io.rowguard.observer.fixture.RelayoutTables.SALTED;
import static io.rowguard.observer.fixture.RelayoutTables.UNSALTED;
import static io.rowguard.observer.fixture.Writes.bytes;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.layout.RowkeyLayout;
import io.rowguard.observer.fixture.DurableCluster;
import io.rowguard.observer.fixture.GuardedTable;
import io.rowguard.observer.fixture.OneTablePeer;
import io.rowguard.observer.fixture.RelayoutTables;
import io.rowguard.observer.fixture.Servers;
import io.rowguard.relayout.RelayoutRequest;
import io.rowguard.relayout.RelayoutResponse;
import io.rowguard.testing.Eventually;
import io.rowguard.testing.OpenRegions;
import io.rowguard.testing.WholeOnly;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Two clusters that ship to each other and change a table's layout one after the other, while
 * clients of both write the same keys. All timestamps differ, so what each key shows in the end
 * follows from its newest put and its newest delete, in whatever order and however often they
 * arrive.
 */
@ExtendWith({DurableCluster.Started.class, DurableCluster.WithoutLabels.class})
@Tag("long")
class ReplicatedRelayoutIT {
  private static final int KEYS = 30;
  private static final int WRITES_PER_STEP = 60;
  private static final String LAYOUTS = String.join(";", SALTED, OTHERWISE_SALTED, UNSALTED);

  private static HBaseTestingUtility west;

  private final HBaseTestingUtility east;
  private final Map<String, Long> newestPut = new TreeMap<>();
  private final Map<String, Long> newestDelete = new TreeMap<>();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private long timestamp = 1_000;

  ReplicatedRelayoutIT(DurableCluster east) {
    this.east = east.hbase();
  }

  @BeforeAll
  static void startWest(DurableCluster east) {
    west = east.startBeside();
  }

  @AfterAll
  static void endWest() throws IOException {
    DurableCluster.end(west);
  }

  @AfterEach
  void endThreads() {
    threads.shutdownNow();
  }

  /** What happens while the clusters change. */
  enum Trouble {
    /** The east is cut off from what the west writes until both have finished. */
    HELD,
    /** The server of the first region is killed in each cluster, in each phase of each relayout. */
    KILLED,
    NONE
  }

  @FunctionalInterface
  private interface Work {
    void run() throws Exception;
  }

  /** A table in one of the clusters, and the layout whose rows take its writes now. */
  private final class Side implements AutoCloseable {
    private final HBaseTestingUtility hbase;
    private final GuardedTable guarded;
    private String home;
    private OneTablePeer peer;

    Side(HBaseTestingUtility hbase, GuardedTable.Builder table, String home) throws IOException {
      this.hbase = hbase;
      this.home = home;
      this.guarded =
          table
              .with("rowguard.layout", home, "rowguard.replication.layouts", LAYOUTS)
              .replicated()
              .withSplits("05-", "24-", "n")
              .create();
    }

    void shipTo(Side other) throws IOException {
      peer = OneTablePeer.add(hbase, other.hbase, guarded);
    }

    /** Writes random keys, each with a timestamp of its own. */
    void write(Random random) throws Exception {
      List<Mutation> mutations = new ArrayList<>();
      for (int i = 0; i < WRITES_PER_STEP; i++) {
        String key = String.format("user%d|%04d", random.nextInt(KEYS), random.nextInt(2));
        byte[] row = bytes(RelayoutTables.row(home, key));
        long at = ++timestamp;
        if (random.nextInt(3) > 0) {
          mutations.add(new Put(row).addColumn(F, Q, at, bytes("v" + at)));
          newestPut.merge(key, at, Math::max);
        } else {
          mutations.add(new Delete(row).addColumns(F, Q, at));
          newestDelete.merge(key, at, Math::max);
        }
      }
      for (Object answer : guarded.batch(mutations)) {
        assertTrue(answer instanceof Result, () -> "" + answer);
      }
    }

    void relayout(String to, Random random, Side other, Trouble trouble) throws Exception {
      String from = home;
      RelayoutTables.prepare(guarded, to);
      during(trouble, random, other, () -> {});
      long generation = RelayoutTables.move(guarded);
      home = to;
      during(
          trouble,
          random,
          other,
          () ->
              Eventually.isTrue(
                  "no old row is left",
                  () -> {
                    touchAll(from, generation);
                    return isMoved(generation);
                  }));
      RelayoutTables.finish(guarded);
      write(random);
      other.write(random);
    }

    /** Writes to both until the trouble is over, then works; there are writes in any case. */
    private void during(Trouble trouble, Random random, Side other, Work work) throws Exception {
      List<Future<?>> killers = new ArrayList<>();
      if (trouble == Trouble.KILLED) {
        for (Side side : List.of(this, other)) {
          killers.add(threads.submit(side::loseServer));
        }
      }
      try {
        do {
          write(random);
          other.write(random);
        } while (!killers.stream().allMatch(Future::isDone));
        work.run();
      } finally {
        for (Future<?> killer : killers) {
          killer.get();
        }
      }
      OpenRegions.await(hbase, guarded.name());
      OpenRegions.await(other.hbase, guarded.name());
    }

    private Void loseServer() throws Exception {
      Servers servers = new Servers(hbase);
      servers.killAndReplace(servers.of(servers.regionsOf(guarded.name()).get(0).getRegionInfo()));
      return null;
    }

    private void touchAll(String from, long generation) throws IOException {
      for (int user = 0; user < KEYS; user++) {
        for (int item = 0; item < 2; item++) {
          String key = String.format("user%d|%04d", user, item);
          byte[] row = bytes(RelayoutTables.row(home, key));
          if (!RelayoutTables.row(from, key).equals(RelayoutTables.row(home, key))) {
            guarded.table().get(RelayoutRequest.touch(generation, List.of(row)).toGet(row));
          }
        }
      }
    }

    private boolean isMoved(long generation) throws IOException {
      for (String at : List.of("00-", "05-", "24-", "n")) {
        RelayoutResponse counted =
            RelayoutResponse.of(
                guarded.table().get(RelayoutRequest.count(generation).toGet(bytes(at))));
        if (counted.misplacedRows() > 0 || counted.inTheWay() != null) {
          return false;
        }
      }
      return true;
    }

    /** The rows that a reader sees, by bare keys. */
    Map<String, String> shown() throws IOException {
      RowkeyLayout layout = RowkeyLayout.parse(home);
      Map<String, String> shown = new TreeMap<>();
      try (ResultScanner scanner = guarded.table().getScanner(new Scan())) {
        for (Result result : scanner) {
          String key = Bytes.toString(layout.strip(result.getRow()));
          String before = shown.put(key, Bytes.toString(result.getValue(F, Q)));
          assertEquals(null, before, key + " twice");
        }
      }
      return shown;
    }

    @Override
    public void close() throws IOException {
      if (peer != null) {
        peer.close();
      }
      guarded.close();
    }
  }

  private Map<String, String> expected() {
    Map<String, String> expected = new TreeMap<>();
    newestPut.forEach(
        (key, at) -> {
          if (at > newestDelete.getOrDefault(key, 0L)) {
            expected.put(key, "v" + at);
          }
        });
    return expected;
  }

  private void awaitSame(Side one, Side other) throws Exception {
    Eventually.isTrue(
        "both clusters show what was written last",
        () -> one.shown().equals(expected()) && other.shown().equals(expected()));
  }

  @WholeOnly(after = 2)
  @ParameterizedTest
  @EnumSource
  void bothChange_whileBothWrite_showTheSame(Trouble trouble) throws Exception {
    Random random = new Random(trouble.name().hashCode());
    try (Side westSide = new Side(west, GuardedTable.of(west), SALTED);
        Side eastSide = new Side(east, GuardedTable.peerOf(westSide.guarded, east), UNSALTED)) {
      westSide.shipTo(eastSide);
      eastSide.shipTo(westSide);
      westSide.write(random);
      eastSide.write(random);
      if (trouble == Trouble.HELD) {
        westSide.peer.hold();
      }
      westSide.relayout(OTHERWISE_SALTED, random, eastSide, trouble);
      eastSide.relayout(SALTED, random, westSide, trouble);
      if (trouble == Trouble.HELD) {
        westSide.peer.goOn();
      }
      awaitSame(westSide, eastSide);
    }
  }
}
