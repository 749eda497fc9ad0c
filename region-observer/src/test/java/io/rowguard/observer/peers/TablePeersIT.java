package io.rowguard.observer.peers;

import static io.rowguard.observer.fixture.SaltedGuard.salted;
import static io.rowguard.observer.fixture.Writes.delete;
import static io.rowguard.observer.fixture.Writes.put;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.observer.fixture.Gate;
import io.rowguard.observer.fixture.GuardedTable;
import io.rowguard.observer.fixture.Metrics;
import io.rowguard.observer.fixture.SaltedGuard;
import io.rowguard.observer.metrics.SampleLog;
import io.rowguard.testing.MiniCluster;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The last region that forwards closes, and with it the connection, while a handler still forwards:
 * HBase's client calls that final, but another server will do it.
 */
@ExtendWith(MiniCluster.class)
class TablePeersIT {
  private static final String ROW = salted(SaltedGuard.farKeys("a").findFirst().orElseThrow());
  private static final String OTHER = salted(SaltedGuard.farKeys("b").findFirst().orElseThrow());
  private static final long MILLIS = 60_000;

  private final HBaseTestingUtility hbase;

  TablePeersIT(HBaseTestingUtility hbase) {
    this.hbase = hbase;
  }

  @Test
  @Timeout(180) // only a row that never ends reaches it
  void connectionThatClosesMeanwhile_isNoReasonToGiveUp() throws Exception {
    try (GuardedTable guarded = SaltedGuard.table(hbase).withCoprocessor(Gate.class).create();
        Gate.Shut gate = Gate.shut()) {
      ServerPeers forwards =
          new ServerPeers(() -> ConnectionFactory.createAsyncConnection(hbase.getConfiguration()));
      // A server that is none of the cluster's, so that everything goes through the client.
      TablePeers peers =
          new TablePeers(
              guarded.name(),
              ServerName.valueOf("nowhere", 1, 1),
              hbase.getMiniHBaseCluster().getRegionServer(0),
              forwards,
              1,
              Metrics.of(guarded.name()),
              SampleLog.own());
      CompletableFuture<IOException> reading =
          CompletableFuture.supplyAsync(
              () ->
                  assertThrows(
                      IOException.class, () -> peers.get(new Get(Bytes.toBytes(ROW)), MILLIS)));
      CompletableFuture<List<Throwable>> writing =
          CompletableFuture.supplyAsync(
              () ->
                  peers.write(
                      List.of(put(ROW), delete(OTHER)), 1, TimeUnit.MILLISECONDS.toNanos(MILLIS)));
      Gate.awaitWrite();

      forwards.close();

      for (Throwable error : writing.get()) {
        assertNotNull(error);
        assertFalse(peers.isFinal(error), error.toString());
      }
      IOException unread = reading.get();
      assertFalse(unread instanceof DoNotRetryIOException, unread.toString());
      assertTrue(Gate.isShut());
      gate.open();
    }
  }
}
