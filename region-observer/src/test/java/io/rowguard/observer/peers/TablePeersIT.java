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
import io.rowguard.testing.Eventually;
import io.rowguard.testing.MiniCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Handlers that forward while something is amiss. */
@ExtendWith(MiniCluster.class)
class TablePeersIT {
  private static final String ROW = salted(SaltedGuard.farKeys("a").findFirst().orElseThrow());
  private static final String OTHER = salted(SaltedGuard.farKeys("b").findFirst().orElseThrow());
  private static final long MILLIS = 60_000;

  private final HBaseTestingUtility hbase;

  TablePeersIT(HBaseTestingUtility hbase) {
    this.hbase = hbase;
  }

  /** Else one server that hangs would soon hold all handlers of all others. */
  @Test
  @Timeout(180) // only a read that is never refused reaches it
  void get_fromARegionThatAnswersNothing_holdsOneCallerOnly() throws Exception {
    try (GuardedTable guarded = SaltedGuard.table(hbase).withCoprocessor(Gate.class).create();
        ServerPeers forwards = peers();
        Gate.Shut gate = Gate.shut()) {
      TablePeers peers = through(forwards, guarded);
      CompletableFuture<Result> first = CompletableFuture.supplyAsync(() -> read(peers));
      Gate.awaitWrite();

      Eventually.isTrue(
          "others are refused at once",
          () ->
              assertThrows(
                      RegionTooBusyException.class,
                      () -> peers.get(new Get(Bytes.toBytes(ROW)), MILLIS))
                  .getMessage()
                  .contains("does not answer"));
      assertTrue(Gate.isShut());
      assertFalse(first.isDone());
      gate.open();
      assertTrue(first.get().isEmpty());
      assertTrue(read(peers).isEmpty());
    }
  }

  private static Result read(TablePeers peers) {
    try {
      return peers.get(new Get(Bytes.toBytes(ROW)), MILLIS);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private ServerPeers peers() {
    return new ServerPeers(() -> ConnectionFactory.createAsyncConnection(hbase.getConfiguration()));
  }

  /** As from a server that is none of the cluster's, so that everything goes through the client. */
  private TablePeers through(ServerPeers forwards, GuardedTable guarded) {
    return new TablePeers(
        guarded.name(),
        ServerName.valueOf("nowhere", 1, 1),
        hbase.getMiniHBaseCluster().getRegionServer(0),
        forwards,
        1,
        Metrics.of(guarded.name()),
        SampleLog.own());
  }

  /**
   * The last region that forwards closes, and with it the connection, while a handler still
   * forwards: HBase's client calls that final, but another server will do it.
   */
  @Test
  @Timeout(180) // only a row that never ends reaches it
  void connectionThatClosesMeanwhile_isNoReasonToGiveUp() throws Exception {
    try (GuardedTable guarded = SaltedGuard.table(hbase).withCoprocessor(Gate.class).create();
        Gate.Shut gate = Gate.shut()) {
      ServerPeers forwards = peers();
      TablePeers peers = through(forwards, guarded);
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
