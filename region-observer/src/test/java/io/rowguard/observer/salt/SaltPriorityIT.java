package io.rowguard.observer.salt;

import static io.rowguard.observer.fixture.Writes.delete;
import static io.rowguard.observer.fixture.Writes.put;
import static io.rowguard.observer.fixture.Writes.together;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.rowguard.observer.fixture.DurableCluster;
import io.rowguard.observer.fixture.GuardedTable;
import io.rowguard.observer.fixture.SaltedGuard;
import io.rowguard.observer.fixture.Servers;
import io.rowguard.observer.fixture.Writes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.Table;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Two servers of two handlers forward to each other whatever can be forwarded. Did a handler that
 * forwards ever wait for another, both servers would stand still until the time limit, and the
 * clients, which try once, would get that error.
 */
@ExtendWith(DurableCluster.Started.class)
@Timeout(300)
@Tag("long")
class SaltPriorityIT {
  /** Fewer than the queue of a server's handlers has room for. */
  private static final int WRITERS = 8;

  private static final int ROUNDS = 6;

  private final HBaseTestingUtility hbase;
  private final Servers servers;

  SaltPriorityIT(DurableCluster cluster) {
    this.hbase = cluster.hbase();
    this.servers = cluster.servers();
  }

  @Test
  void allKindsOfWrites_forwardedBothWays_neverWaitForEachOther() throws Exception {
    Configuration conf = new Configuration(hbase.getConfiguration());
    conf.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, 0);
    ServerName one = servers.otherThan(null);
    ServerName other = servers.otherThan(one);
    try (GuardedTable there = forwardingFrom(one, other);
        GuardedTable back = forwardingFrom(other, one);
        Connection impatient = ConnectionFactory.createConnection(conf)) {
      List<Callable<Void>> writers = new ArrayList<>();
      for (int i = 0; i < WRITERS; i++) {
        for (GuardedTable guarded : List.of(there, back)) {
          String name = "w" + i + "x";
          List<String> keys =
              Stream.concat(SaltedGuard.farKeys(name).limit(4), SaltedGuard.nearKeys(name).limit(1))
                  .toList();
          writers.add(
              () -> {
                try (Table table = impatient.getTable(guarded.name())) {
                  write(table, keys);
                }
                return null;
              });
        }
      }
      ExecutorService pool = Executors.newFixedThreadPool(writers.size());
      try {
        for (Future<Void> writer : pool.invokeAll(writers)) {
          writer.get();
        }
      } finally {
        pool.shutdownNow();
      }
      assertEquals(List.of(), there.rows());
      assertEquals(List.of(), back.rows());
    }
  }

  /** A table whose bare keys come to one server and belong on the other. */
  private GuardedTable forwardingFrom(ServerName from, ServerName to) throws Exception {
    GuardedTable guarded =
        SaltedGuard.table(hbase).with("rowguard.salt.timeout.ms", "20000").create();
    List<RegionInfo> regions = hbase.getAdmin().getRegions(guarded.name());
    for (RegionInfo region : regions) {
      servers.move(region, region.getEndKey().length == 0 ? from : to);
    }
    return guarded;
  }

  /** Leaves nothing behind. */
  private static void write(Table table, List<String> keys) throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      table.put(put(keys.get(0)));
      table.delete(delete(keys.get(0)));
      batch(table, List.of(together(put(keys.get(1), "a"), put(keys.get(1), "b"))));
      batch(table, List.of(delete(keys.get(2)), put(keys.get(3)), put(keys.get(0))));
      // The first stays on the server, so the other row travels alone.
      batch(table, List.of(put(keys.get(4)), put(keys.get(1), "a"), put(keys.get(1), "b")));
      batch(table, keys.stream().map(Writes::delete).toList());
    }
  }

  private static void batch(Table table, List<? extends Row> actions)
      throws IOException, InterruptedException {
    Object[] results = new Object[actions.size()];
    table.batch(actions, results);
    for (Object answer : results) {
      assertInstanceOf(Result.class, answer);
    }
  }
}
