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
import io.rowguard.relayout.RelayoutRequest;
import io.rowguard.relayout.RelayoutResponse;
import io.rowguard.testing.Eventually;
import io.rowguard.testing.MiniCluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Two clusters that ship to each other and change a table's layout one after the other, while
 * clients of both write the same keys. All timestamps differ, so what each key shows in the end
 * follows from its newest put and its newest delete, in whatever order they arrive.
 */
@ExtendWith({MiniCluster.class, DurableCluster.Started.class, DurableCluster.WithoutLabels.class})
class ReplicatedRelayoutIT {
  private static final int KEYS = 30;
  private static final int WRITES_PER_STEP = 60;
  private static final String LAYOUTS = String.join(";", SALTED, OTHERWISE_SALTED, UNSALTED);

  private final HBaseTestingUtility west;
  private final HBaseTestingUtility east;
  private final Map<String, Long> newestPut = new TreeMap<>();
  private final Map<String, Long> newestDelete = new TreeMap<>();
  private long timestamp = 1_000;

  ReplicatedRelayoutIT(HBaseTestingUtility west, DurableCluster east) {
    this.west = west;
    this.east = east.hbase();
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

    void relayout(String to, Random random, Side other) throws Exception {
      RelayoutTables.prepare(guarded, to);
      write(random);
      other.write(random);
      long generation = RelayoutTables.move(guarded);
      String from = home;
      home = to;
      write(random);
      other.write(random);
      for (int user = 0; user < KEYS; user++) {
        for (int item = 0; item < 2; item++) {
          String key = String.format("user%d|%04d", user, item);
          byte[] row = bytes(RelayoutTables.row(to, key));
          if (!RelayoutTables.row(from, key).equals(RelayoutTables.row(to, key))) {
            guarded.table().get(RelayoutRequest.touch(generation, List.of(row)).toGet(row));
          }
        }
      }
      Eventually.isTrue("no old row is left", () -> misplaced(generation) == 0);
      RelayoutTables.finish(guarded);
      write(random);
      other.write(random);
    }

    private long misplaced(long generation) throws IOException {
      long rows = 0;
      for (String at : List.of("00-", "05-", "24-", "n")) {
        rows +=
            RelayoutResponse.of(
                    guarded.table().get(RelayoutRequest.count(generation).toGet(bytes(at))))
                .misplacedRows();
      }
      return rows;
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

    /** The local file system shows a log to its readers when it is closed. */
    void rollLogs() throws IOException {
      try (Admin admin = hbase.getConnection().getAdmin()) {
        for (ServerName server : admin.getRegionServers()) {
          admin.rollWALWriter(server);
        }
      }
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
        () -> {
          one.rollLogs();
          return one.shown().equals(expected()) && other.shown().equals(expected());
        });
  }

  /** The east may be cut off from what the west writes until it has finished. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void bothChange_whileBothWrite_showTheSame(boolean held) throws Exception {
    Random random = new Random(held ? 2 : 1);
    try (Side westSide = new Side(west, GuardedTable.of(west), SALTED);
        Side eastSide = new Side(east, GuardedTable.peerOf(westSide.guarded, east), UNSALTED)) {
      westSide.shipTo(eastSide);
      eastSide.shipTo(westSide);
      westSide.write(random);
      eastSide.write(random);
      if (held) {
        westSide.peer.hold();
      }
      westSide.relayout(OTHERWISE_SALTED, random, eastSide);
      eastSide.relayout(SALTED, random, westSide);
      if (held) {
        westSide.peer.goOn();
      }
      awaitSame(westSide, eastSide);
    }
  }
}
