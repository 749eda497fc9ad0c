package io.rowguard.client;

import static io.rowguard.client.Tables.bytes;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.testing.Eventually;
import io.rowguard.testing.MiniCluster;
import io.rowguard.testing.WholeOnly;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Scans while things go wrong: no row is lost, doubled or out of order, and failures are seen. */
@ExtendWith(MiniCluster.class)
@Tag("long")
class TroubleIT {
  private static final List<String> KEYS = Tables.keys(100, 5);

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 5})
  void scan_oneBucketFails_failsAndLosesNoRowSilently(int callsBefore, HBaseTestingUtility hbase)
      throws Exception {
    TableName name = Tables.create(hbase, Tables.LAYOUT, null, Tables.SPLITS);
    Tables.load(hbase, name, FailingScans.class);
    Tables.load(hbase, name, OpenScanners.class);
    try (SaltedTable table = SaltedTable.open(hbase.getConnection(), name)) {
      Tables.fill(table, KEYS);
      FailingScans.CALLS_LEFT.set(callsBefore);
      FailingScans.region = bytes("03-");
      List<String> seen = new ArrayList<>();
      try (ResultScanner scanner = table.getScanner(new Scan().setCaching(4))) {
        // Of its own class, or as the cause of what HBase 3.0 makes of it.
        IOException e =
            assertThrows(
                IOException.class,
                () -> {
                  for (Result result = scanner.next(); result != null; result = scanner.next()) {
                    seen.add(Bytes.toString(result.getRow()));
                  }
                });
        assertTrue(e.getMessage().contains("This region gives no more rows."), e.getMessage());
        assertEquals(
            "It was the scan of a bucket that failed: salt=\"03\"",
            e.getSuppressed()[0].getMessage());
        assertSame(e, assertThrows(IOException.class, scanner::next));
      }
      Eventually.isTrue("the other buckets are closed", () -> OpenScanners.open(name) <= 1);
      assertTrue(seen.size() < KEYS.size());
      assertEquals(KEYS.subList(0, seen.size()), seen);
      assertEquals(callsBefore > 0, !seen.isEmpty(), "" + seen.size());
    } finally {
      FailingScans.region = null;
    }
    Tables.drop(hbase, name);
  }

  @WholeOnly(after = 1)
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void scan_regionsSplitAndMove_seesEveryRowOnceInOrder(boolean reversed, HBaseTestingUtility hbase)
      throws Exception {
    ExecutorService other = Executors.newSingleThreadExecutor();
    List<String> expected = new ArrayList<>(KEYS);
    if (reversed) {
      Collections.reverse(expected);
    }
    AtomicBoolean over = new AtomicBoolean();
    try (SaltedTable table = Tables.open(hbase)) {
      Tables.fill(table, KEYS);
      Future<Integer> changes =
          other.submit(() -> shake(hbase, table.getName(), over, reversed ? 1 : 2));
      int scans = 0;
      while (scans < 6) {
        Scan scan = new Scan().setCaching(1 + scans).setReversed(reversed);
        assertEquals(expected, Tables.rows(table, scan), "scan " + scans);
        scans++;
      }
      over.set(true);
      assertTrue(changes.get() > 0);
      Tables.drop(hbase, table.getName());
    } finally {
      over.set(true);
      other.shutdown();
    }
  }

  /**
   * Splits and moves regions at random until it is over; answers how often. No region is split that
   * was on both servers before: when it is gone, each of them would say for two minutes that the
   * other has it, and HBase's client would go to and fro between them (see hbase-facts.md).
   */
  private static int shake(HBaseTestingUtility hbase, TableName name, AtomicBoolean over, long seed)
      throws Exception {
    Random random = new Random(seed);
    List<ServerName> servers = new ArrayList<>(hbase.getAdmin().getRegionServers());
    Collections.sort(servers);
    Map<RegionInfo, Integer> moves = new HashMap<>();
    int changes = 0;
    while (!over.get()) {
      List<RegionInfo> regions = hbase.getAdmin().getRegions(name);
      RegionInfo region = regions.get(random.nextInt(regions.size()));
      try {
        if (changes % 4 == 0 && regions.size() < 14) {
          String split = String.format("%02d-u%04d|", random.nextInt(16), random.nextInt(100));
          if (region.containsRow(bytes(split)) && moves.getOrDefault(region, 0) < 2) {
            hbase.getAdmin().splitRegionAsync(region.getRegionName(), bytes(split)).get();
          }
        } else {
          ServerName to = servers.get(random.nextInt(servers.size()));
          moves.merge(region, 1, Integer::sum);
          hbase.getAdmin().move(region.getEncodedNameAsBytes(), to);
        }
      } catch (IOException | ExecutionException e) {
        // The region is on its way already, or was the parent of one: another then.
        continue;
      }
      changes++;
    }
    return changes;
  }

  @Test
  void scan_interruptedWhileWaiting_saysSo(HBaseTestingUtility hbase) throws IOException {
    try (SaltedTable table = Tables.open(hbase)) {
      Tables.fill(table, KEYS);
      try (ResultScanner scanner = table.getScanner(new Scan())) {
        Thread.currentThread().interrupt();
        assertThrows(IOException.class, scanner::next);
        assertFalse(Thread.interrupted());
        assertThrows(IOException.class, scanner::next);
      }
      Tables.drop(hbase, table.getName());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"reject", "salt"})
  void everyAccess_observerOnTheServers_isNotRefused(String mode, HBaseTestingUtility hbase)
      throws IOException {
    TableName name = Tables.create(hbase, Tables.LAYOUT, mode, Tables.SPLITS);
    try (SaltedTable table = SaltedTable.open(hbase.getConnection(), name)) {
      Tables.fill(table, KEYS);
      assertEquals(KEYS, Tables.rows(table, new Scan()));
      // Between bounds where some buckets, or all, can have no row.
      for (String[] bounds :
          new String[][] {{"u0001|", "u0001}"}, {"|", "~"}, {"u0001|9", "u0002"}, {"x", "a"}}) {
        Scan scan = new Scan().withStartRow(bytes(bounds[0])).withStopRow(bytes(bounds[1]));
        List<String> expected = new ArrayList<>(KEYS);
        expected.removeIf(key -> key.compareTo(bounds[0]) < 0 || key.compareTo(bounds[1]) >= 0);
        assertEquals(expected, Tables.rows(table, scan));
      }
      assertTrue(table.exists(Tables.get("u0001|0001")));
    }
    Tables.drop(hbase, name);
  }
}
