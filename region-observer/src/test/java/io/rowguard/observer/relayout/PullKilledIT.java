package io.rowguard.observer.relayout;

import static io.rowguard.observer.fixture.GuardedTable.F;
import static io.rowguard.observer.fixture.RelayoutTables.OTHERWISE_SALTED;
import static io.rowguard.observer.fixture.RelayoutTables.SALTED;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.rowguard.observer.fixture.DurableCluster;
import io.rowguard.observer.fixture.GuardedTable;
import io.rowguard.observer.fixture.RelayoutTables;
import io.rowguard.observer.fixture.Servers;
import io.rowguard.observer.fixture.Writes;
import io.rowguard.relayout.RelayoutRequest;
import io.rowguard.relayout.RelayoutResponse;
import io.rowguard.testing.Eventually;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * One of two servers is killed while each pulls from the other: what was acknowledged is there
 * afterwards, and so is everything that the old rows had, once.
 */
@ExtendWith({DurableCluster.Started.class, DurableCluster.WithoutLabels.class})
@Timeout(600)
@Tag("long")
class PullKilledIT {
  private static final int WRITERS = 4;
  private static final int KEYS = 2_000;
  private static final byte[] OLD = Bytes.toBytes("old");
  private static final byte[] NEW = Bytes.toBytes("new");

  private final DurableCluster cluster;
  private final HBaseTestingUtility hbase;
  private final Servers servers;

  PullKilledIT(DurableCluster cluster) {
    this.cluster = cluster;
    this.hbase = cluster.hbase();
    this.servers = cluster.servers();
  }

  @Test
  void server_killedInTheMiddle_losesNothing() throws Exception {
    try (GuardedTable guarded = create();
        Connection patient = ConnectionFactory.createConnection(cluster.patient())) {
      long generation = RelayoutTables.start(guarded, OTHERWISE_SALTED);
      divide(guarded);
      AtomicBoolean killed = new AtomicBoolean();
      int[] written = new int[KEYS];
      ExecutorService pool = Executors.newFixedThreadPool(WRITERS);
      List<Future<Integer>> writers = new ArrayList<>();
      try {
        for (int i = 0; i < WRITERS; i++) {
          int first = i;
          writers.add(
              pool.submit(
                  () -> {
                    try (Table table = patient.getTable(guarded.name())) {
                      return write(table, first, written, killed);
                    }
                  }));
        }
        Thread.sleep(300);
        servers.killAndReplace(servers.otherThan(null));
        killed.set(true);
        int all = 0;
        for (Future<Integer> writer : writers) {
          all += writer.get();
        }
        assertEquals(KEYS, all, "Each key was written at least once.");
      } finally {
        pool.shutdownNow();
      }
      touchAll(guarded, generation);
      assertAllThere(guarded, written);
    }
  }

  private GuardedTable create() throws Exception {
    GuardedTable guarded =
        GuardedTable.of(hbase, "rowguard.layout", SALTED, "rowguard.mode", "reject")
            .with("rowguard.salt.timeout.ms", "5000")
            .withSplits("04-", "08-", "12-", "16-", "32-", "48-")
            .create();
    List<Put> puts = new ArrayList<>();
    for (int i = 0; i < KEYS; i++) {
      byte[] row = Writes.bytes(RelayoutTables.row(SALTED, key(i)));
      puts.add(new Put(row).addColumn(F, OLD, Bytes.toBytes(i)));
    }
    guarded.table().put(puts);
    return guarded;
  }

  private void divide(GuardedTable guarded) throws Exception {
    ServerName one = servers.otherThan(null);
    ServerName other = servers.otherThan(one);
    List<RegionInfo> regions = hbase.getAdmin().getRegions(guarded.name());
    for (int i = 0; i < regions.size(); i++) {
      servers.move(regions.get(i), i % 2 == 0 ? one : other);
    }
  }

  private static String key(int i) {
    return "user" + i + "|0001";
  }

  private static byte[] newRow(int i) {
    return Writes.bytes(RelayoutTables.row(OTHERWISE_SALTED, key(i)));
  }

  /** Writes each of its keys, ten at a time, the first half before the server is killed. */
  private static int write(Table table, int first, int[] written, AtomicBoolean killed)
      throws Exception {
    int keys = 0;
    List<Put> puts = new ArrayList<>();
    List<Integer> places = new ArrayList<>();
    for (int i = first; i < KEYS; i += WRITERS) {
      puts.add(new Put(newRow(i)).addColumn(F, NEW, Bytes.toBytes(i)));
      places.add(i);
      if (puts.size() == 10 || i + WRITERS >= KEYS) {
        if (i > KEYS * 3 / 4) {
          Eventually.isTrue("the server is killed", killed::get);
        }
        table.put(puts);
        places.forEach(place -> written[place] = 1);
        keys += places.size();
        puts.clear();
        places.clear();
      }
    }
    return keys;
  }

  private static void touchAll(GuardedTable guarded, long generation) throws Exception {
    for (int i = 0; i < KEYS; i++) {
      byte[] row = newRow(i);
      if (!RelayoutTables.row(SALTED, key(i)).equals(Bytes.toString(row))) {
        RelayoutRequest touch = RelayoutRequest.touch(generation, List.of(row));
        Eventually.isTrue(
            key(i) + " is pulled",
            () -> {
              RelayoutResponse.Outcome outcome =
                  RelayoutResponse.of(guarded.table().get(touch.toGet(row)))
                      .items()
                      .get(0)
                      .outcome();
              return outcome == RelayoutResponse.Outcome.DONE
                  || outcome == RelayoutResponse.Outcome.UNMOVED;
            });
      }
    }
  }

  private static void assertAllThere(GuardedTable guarded, int[] written) throws IOException {
    int[] found = new int[KEYS];
    try (ResultScanner scanner = guarded.table().getScanner(new Scan())) {
      for (Result result : scanner) {
        int key = Bytes.toInt(result.getValue(F, OLD));
        assertEquals(Bytes.toString(newRow(key)), Bytes.toString(result.getRow()));
        assertEquals(written[key] == 1, result.containsColumn(F, NEW), key(key));
        found[key]++;
      }
    }
    for (int i = 0; i < KEYS; i++) {
      assertEquals(1, found[i], key(i));
    }
  }
}
