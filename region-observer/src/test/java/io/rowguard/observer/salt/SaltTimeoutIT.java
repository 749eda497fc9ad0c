package io.rowguard.observer.salt;

import static io.rowguard.observer.fixture.SaltedGuard.salted;
import static io.rowguard.observer.fixture.Writes.put;
import static io.rowguard.observer.fixture.Writes.together;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.observer.fixture.Counters;
import io.rowguard.observer.fixture.Gate;
import io.rowguard.observer.fixture.GuardedTable;
import io.rowguard.observer.fixture.Refusals;
import io.rowguard.observer.fixture.SaltedGuard;
import io.rowguard.observer.fixture.Writes;
import io.rowguard.testing.Eventually;
import io.rowguard.testing.MiniCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RetriesExhaustedException;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Forwards to a server that hangs. Nothing here looks at a clock: what is asserted happens while
 * the other server still hangs, so it cannot have waited for it. (The time limit only ends a test
 * that would hang itself.)
 */
@ExtendWith(MiniCluster.class)
@Timeout(180)
@Tag("long")
class SaltTimeoutIT {
  /** Bare keys, which come to the last region, of rows that belong into others. */
  private static final List<String> FAR = SaltedGuard.farKeys("user").limit(5).toList();

  private final HBaseTestingUtility hbase;
  private final Connection impatient;

  SaltTimeoutIT(HBaseTestingUtility hbase) throws IOException {
    this.hbase = hbase;
    Configuration conf = new Configuration(hbase.getConfiguration());
    conf.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, 0);
    this.impatient = ConnectionFactory.createConnection(conf);
  }

  @AfterEach
  void closeConnection() throws IOException {
    impatient.close();
  }

  @Test
  void put_whoseServerHangs_failsInAWayToRetry() throws Exception {
    try (GuardedTable guarded = table("300");
        Table table = impatient.getTable(guarded.name());
        Gate.Shut gate = Gate.shut()) {
      assertRetryable(assertThrows(IOException.class, () -> table.put(put(FAR.get(0)))));
      assertRetryable(
          assertThrows(IOException.class, () -> table.mutateRow(together(put(FAR.get(1))))));
      assertThrows(IOException.class, () -> table.get(new Get(Bytes.toBytes(FAR.get(2)))));

      assertTrue(Gate.isShut());
      gate.open();
      guarded.table().put(put(FAR.get(0)));
      assertTrue(guarded.rows().contains(salted(FAR.get(0))));
    }
  }

  @Test
  void batch_ofWhichSomeRowsHang_tellsRowByRow() throws Exception {
    try (GuardedTable guarded = table("300");
        Table table = impatient.getTable(guarded.name());
        Gate.Shut gate = Gate.shut()) {
      String near = SaltedGuard.nearKeys("user").findFirst().orElseThrow();
      List<Row> actions = List.of(put(FAR.get(0)), put(near), put("neither"), put(FAR.get(1)));
      Object[] results = new Object[actions.size()];

      assertThrows(RetriesExhaustedException.class, () -> table.batch(actions, results));

      assertTrue(Gate.isShut());
      assertRetryable((Throwable) results[0]);
      assertRetryable((Throwable) results[3]);
      assertEquals(Set.of(2), Refusals.placesOf(new Object[] {"", "", results[2], ""}));
      gate.open();
      if (results[1] instanceof Throwable unknown) {
        // It travelled in one request with those that hang: HBase 3.0 gives it up with that.
        assertRetryable(unknown);
        guarded.table().put(put(near));
      }
      assertTrue(guarded.rows().contains(salted(near)));
    }
  }

  /** HBase adds a stack trace to each row's status, so that many would make a large answer. */
  @Test
  void batch_ofWhichManyRowsHang_isAnsweredInFewBytes() throws Exception {
    try (GuardedTable guarded = table("300");
        Table table = impatient.getTable(guarded.name());
        Gate.Shut gate = Gate.shut()) {
      List<Put> puts = SaltedGuard.farKeys("many").limit(200).map(Writes::put).toList();
      Object[] results = new Object[puts.size()];

      assertThrows(RetriesExhaustedException.class, () -> table.batch(puts, results));

      assertTrue(Gate.isShut());
      for (Object result : results) {
        Throwable cause = (Throwable) result;
        while (cause.getCause() != null) {
          cause = cause.getCause();
        }
        String message = cause.getMessage();
        assertTrue(message.contains("could not be stored under their salted rows"), message);
        assertTrue(message.length() < 1_000, message);
      }
      gate.open();
    }
  }

  /** The bytes under way are bounded, and a handler does not wait for room. */
  @Test
  void put_whileTooMuchIsUnderWay_isSentBackAtOnce() throws Exception {
    try (GuardedTable guarded = table("50000", "rowguard.salt.max.bytes", "1");
        Table table = impatient.getTable(guarded.name());
        Gate.Shut gate = Gate.shut()) {
      CompletableFuture<Void> writing = async(() -> guarded.table().put(put(FAR.get(0))));
      Gate.awaitWrite();

      IOException busy =
          assertThrows(IOException.class, () -> table.put(put(FAR.get(1), "x".repeat(500))));

      assertTrue(Gate.isShut());
      assertTrue(
          Refusals.reasonOf(busy).toString().contains("Too much is being forwarded"),
          busy.toString());
      gate.open();
      writing.get();
      guarded.table().put(put(FAR.get(1)));
      assertEquals(Set.of(salted(FAR.get(0)), salted(FAR.get(1))), Set.copyOf(guarded.rows()));
      assertEquals(1, Counters.of(guarded.name()).get("forwarded_busy"));
      Eventually.isTrue(
          "nothing is under way", () -> !Counters.of(guarded.name()).containsKey("forwards_bytes"));
    }
  }

  @Test
  void client_thatRetries_getsItsRowStoredOnce() throws Exception {
    try (GuardedTable guarded = table("300");
        Gate.Shut gate = Gate.shut()) {
      CompletableFuture<Void> writing = async(() -> guarded.table().put(put(FAR.get(0))));
      Gate.awaitWrite();
      gate.open();
      writing.get();

      assertEquals(List.of(salted(FAR.get(0))), guarded.rows());
    }
  }

  @Test
  void region_thatForwardsToAServerThatHangs_canBeMoved() throws Exception {
    try (GuardedTable guarded = table("3000");
        Table table = impatient.getTable(guarded.name());
        Gate.Shut gate = Gate.shut()) {
      RegionInfo last = last(guarded);
      ServerName from = serverOf(last);
      ServerName to =
          hbase.getAdmin().getRegionServers().stream()
              .filter(server -> !server.equals(from))
              .findFirst()
              .orElseThrow();
      CompletableFuture<Void> writing = async(() -> table.put(put(FAR.get(0))));
      Gate.awaitWrite();

      hbase.getAdmin().move(last.getEncodedNameAsBytes(), to);

      Eventually.isTrue("the region is on " + to, () -> to.equals(serverOf(last)));
      assertTrue(Gate.isShut());
      gate.open();
      assertThrows(Exception.class, writing::get);
    }
  }

  private GuardedTable table(String timeoutMillis, String... others) throws IOException {
    return SaltedGuard.table(hbase)
        .with("rowguard.salt.timeout.ms", timeoutMillis)
        .with(others)
        .withCoprocessor(Gate.class)
        .create();
  }

  private RegionInfo last(GuardedTable guarded) throws IOException {
    List<RegionInfo> regions = hbase.getAdmin().getRegions(guarded.name());
    return regions.get(regions.size() - 1);
  }

  private ServerName serverOf(RegionInfo region) throws IOException {
    return hbase
        .getConnection()
        .getRegionLocator(region.getTable())
        .getRegionLocation(region.getStartKey(), true)
        .getServerName();
  }

  private static void assertRetryable(Throwable result) {
    Throwable cause =
        result instanceof RetriesExhaustedWithDetailsException several
            ? several.getCause(0)
            : result;
    while (!(cause instanceof RegionTooBusyException) && cause.getCause() != null) {
      cause = cause.getCause();
    }
    assertTrue(
        cause instanceof RegionTooBusyException
            && cause.getMessage().contains("could not be stored under its salted row, try again"),
        result.toString());
  }

  /** Something that may throw. */
  private interface Write {
    void run() throws IOException;
  }

  private static CompletableFuture<Void> async(Write write) {
    return CompletableFuture.runAsync(
        () -> {
          try {
            write.run();
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }
}
