package io.rowguard.observer.load;

import static io.rowguard.observer.fixture.Writes.bytes;
import static io.rowguard.observer.fixture.Writes.put;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.observer.fixture.GuardedTable;
import io.rowguard.observer.fixture.SaltedGuard;
import io.rowguard.observer.fixture.Servers;
import io.rowguard.observer.fixture.Writes;
import io.rowguard.testing.Eventually;
import io.rowguard.testing.MiniCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.IntFunction;
import javax.management.ObjectName;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A region server's report of its regions' load. Every operation is counted, and an answer stays
 * for five seconds, so each test asks when all is done.
 */
@ExtendWith(MiniCluster.class)
class LoadIT {
  private static final int OPERATIONS = 600;
  private static final int BATCH = 50;

  private final HBaseTestingUtility hbase;

  LoadIT(HBaseTestingUtility hbase) {
    this.hbase = hbase;
  }

  @Test
  void groupsAndRows_afterWritesGetsAndScans_haveTheirShares() throws Exception {
    try (GuardedTable guarded = counted("rowguard.group", "user")) {
      write(guarded, i -> i % 4 == 0 ? "bob|0001" : String.format("alice|%04d", i % 100));
      for (int i = 0; i < 150; i++) {
        guarded.table().get(new Get(bytes("bob|0001")));
      }
      try (ResultScanner scanner = guarded.table().getScanner(new Scan().setCaching(10))) {
        scanner.forEach(row -> assertFalse(row.isEmpty()));
      }
      LoadBeans load = new LoadBeans(guarded.name());

      assertEquals(List.of("alice", "bob"), load.hot("Groups", "key", String.class));
      assertEquals("bob|0001", load.hot("Rows", "key", String.class).get(0));
      // 600 writes, 150 gets, and a scan of 76 rows (all of alice's but every fourth, and bob's).
      List<Double> shares = load.hot("Groups", "share", Double.class);
      assertEquals((450.0 + 75) / 826, shares.get(0), 0.03);
      assertEquals((150.0 + 150 + 1) / 826, shares.get(1), 0.03);
      assertEquals(600.0 / 226, load.rate("WritesPerSecond") / load.rate("ReadsPerSecond"), 0.3);
      assertEquals(0.0, load.hot("Groups", "errorPerSecond", Double.class).get(0));
      assertEquals("alice".length(), load.hot("Groups", "length", Integer.class).get(0));
    }
  }

  /** A counted row of a scan stands for four, and one in eight is counted here. */
  @Test
  void rowsOfScans_ofWhichFewAreCounted_haveTheirShare() throws Exception {
    try (GuardedTable guarded =
        counted("rowguard.load.sample", "2", "rowguard.load.halflife.seconds", "3600")) {
      write(guarded, i -> String.format("alice|%04d", i));
      int scans = 10;
      for (int i = 0; i < scans; i++) {
        try (ResultScanner scanner = guarded.table().getScanner(new Scan().setCaching(100))) {
          scanner.forEach(row -> assertFalse(row.isEmpty()));
        }
      }
      LoadBeans load = new LoadBeans(guarded.name());
      double perWrite = load.rate("ReadsPerSecond") / load.rate("WritesPerSecond");
      // Five standard deviations at least.
      assertEquals(scans, perWrite, 0.3 * scans);
    }
  }

  @Test
  void rows_readMostButSeldomWritten_areNamedToo() throws Exception {
    try (GuardedTable guarded = counted()) {
      write(guarded, i -> String.format("alice|%04d", i % 12));
      for (int i = 0; i < 20; i++) {
        guarded.table().get(new Get(bytes("bob|0001")));
      }
      List<String> rows = new LoadBeans(guarded.name()).hot("Rows", "key", String.class);
      assertEquals(11, rows.size(), "the ten of the most writes, and the one that was read");
      assertEquals("bob|0001", rows.get(10));
    }
  }

  @Test
  void verdict_uniformAndZipf_isEvenWithALegalKey() throws Exception {
    Random random = new Random(1);
    List<IntFunction<String>> loads =
        List.of(
            i -> String.format("u%03d|0001", random.nextInt(300)),
            i -> String.format("u%03d|0001", (int) (300 * Math.pow(random.nextDouble(), 3))));
    for (IntFunction<String> rows : loads) {
      try (GuardedTable guarded = counted("rowguard.group", "user")) {
        write(guarded, rows);
        LoadBeans load = new LoadBeans(guarded.name());
        assertEquals("even", load.only("Verdict"));
        assertTrue((Double) load.only("SmallerSide") > 0.35);
        String boundary = (String) load.only("Boundary");
        assertTrue(boundary.matches("u\\w{0,3}[|]?"), boundary);
      }
    }
  }

  @Test
  void verdict_ascendingWrites_isThat() throws Exception {
    try (GuardedTable guarded = counted("rowguard.group", "user")) {
      write(guarded, i -> String.format("u%06d|0001", i));
      assertEquals("ascending", new LoadBeans(guarded.name()).only("Verdict"));
    }
  }

  @Test
  void verdict_oneRowAndOneGroup_areThose() throws Exception {
    try (GuardedTable guarded = counted("rowguard.group", "user")) {
      write(guarded, i -> i % 10 == 0 ? "u" + i + "|0001" : "hot|0001");
      assertEquals("one row", new LoadBeans(guarded.name()).only("Verdict"));
    }
    Random random = new Random(1);
    try (GuardedTable guarded = counted("rowguard.group", "user")) {
      write(
          guarded,
          i -> i % 10 == 0 ? "u" + i + "|0001" : String.format("hot|%04d", random.nextInt(10_000)));
      assertEquals("one group", new LoadBeans(guarded.name()).only("Verdict"));
    }
  }

  @Test
  void verdict_littleLoad_isLittle() throws Exception {
    try (GuardedTable guarded = counted("rowguard.group", "user")) {
      guarded.table().put(put("alice|0001"));
      LoadBeans load = new LoadBeans(guarded.name());
      assertEquals("little", load.only("Verdict"));
      assertNull(load.only("Boundary"));
      assertEquals(List.of("alice|0001"), load.hot("Rows", "key", String.class));
    }
  }

  @Test
  void keys_hidden_areNumbersAndNoBoundaryIsShown() throws Exception {
    try (GuardedTable guarded = counted("rowguard.load.keys", "hide", "rowguard.group", "user")) {
      write(guarded, i -> "u" + i % 20 + "|0001");
      LoadBeans load = new LoadBeans(guarded.name());
      assertNull(load.only("Boundary"));
      assertEquals("even", load.only("Verdict"));
      List<String> keys = load.hot("Rows", "key", String.class);
      assertEquals(10, keys.stream().distinct().count());
      assertTrue(keys.stream().allMatch(key -> key.matches("#[0-9a-f]{16}")), keys.toString());
    }
  }

  @Test
  void load_switchedOff_isNotShown() throws Exception {
    try (GuardedTable guarded = counted("rowguard.load.sample", "0")) {
      assertTrue(new LoadBeans(guarded.name()).names().isEmpty());
    }
    try (GuardedTable guarded = counted("rowguard.mode", "off")) {
      assertTrue(new LoadBeans(guarded.name()).names().isEmpty());
    }
  }

  @Test
  void load_ofARegionThatMoves_beginsAnewThereAndEndsWithIt() throws Exception {
    Servers servers = new Servers(hbase);
    try (GuardedTable guarded = counted("rowguard.group", "user")) {
      LoadBeans load = new LoadBeans(guarded.name());
      write(guarded, i -> "alice|0001");
      assertTrue(load.rate("WritesPerSecond") > 0);
      RegionInfo region = hbase.getAdmin().getRegions(guarded.name()).get(0);
      ServerName to = servers.otherThan(servers.of(region));

      servers.move(region, to);

      Eventually.isTrue("only on " + to, () -> load.names().size() == 1);
      ObjectName name = load.names().iterator().next();
      assertEquals(ObjectName.quote(to.toString()), name.getKeyProperty("server"));
      assertEquals(0, load.rate("WritesPerSecond"));
      guarded.alter("rowguard.load.halflife.seconds", "30");
      Eventually.isTrue("opened anew", () -> load.names().size() == 1);
      assertEquals(30, load.only("HalfLifeSeconds"));
      hbase.getAdmin().disableTable(guarded.name());
      Eventually.isTrue("gone with it", () -> load.names().isEmpty());
    }
  }

  @Test
  void load_ofBareKeys_isThatOfTheirSaltedRows() throws Exception {
    try (GuardedTable guarded =
        SaltedGuard.create(hbase, "rowguard.load.sample", "1", "rowguard.group", "user")) {
      List<Put> puts = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        puts.add(put("alice|000" + i % 10));
      }
      guarded.table().put(puts);
      for (int i = 0; i < 20; i++) {
        assertNotNull(guarded.table().get(new Get(bytes("alice|0001"))).getRow());
      }
      LoadBeans load = new LoadBeans(guarded.name());
      String group = SaltedGuard.salted("alice|0001").replaceFirst("[|].*", "");
      assertEquals(List.of(group), load.hot("Groups", "key", String.class));
      assertEquals(1, load.rate("WritesPerSecond") / load.rate("ReadsPerSecond"), 0.3, "once each");
    }
  }

  @Test
  void load_ofRefusedWrites_isNone() throws Exception {
    try (GuardedTable guarded = counted("rowguard.group", "user")) {
      guarded.batch(List.of(put(Writes.BAD), put(Writes.GOOD), put("nobody")));
      LoadBeans load = new LoadBeans(guarded.name());
      assertEquals(List.of(Writes.GOOD), load.hot("Rows", "key", String.class));
    }
  }

  private GuardedTable counted(String... keysAndValues) throws Exception {
    return GuardedTable.of(
            hbase, "rowguard.layout", GuardedTable.LAYOUT, "rowguard.load.sample", "1")
        .with(keysAndValues)
        .create();
  }

  private static void write(GuardedTable guarded, IntFunction<String> rows) throws Exception {
    for (int i = 0; i < OPERATIONS; i += BATCH) {
      List<Put> puts = new ArrayList<>();
      for (int j = i; j < i + BATCH; j++) {
        puts.add(put(rows.apply(j)));
      }
      guarded.table().put(puts);
    }
  }
}
