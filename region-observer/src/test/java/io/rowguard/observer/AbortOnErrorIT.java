package io.rowguard.observer;

import static io.rowguard.observer.fixture.GuardedTable.LAYOUT;
import static io.rowguard.observer.fixture.Refusals.messageOf;
import static io.rowguard.observer.fixture.Refusals.placesOf;
import static io.rowguard.observer.fixture.Writes.BAD;
import static io.rowguard.observer.fixture.Writes.GOOD;
import static io.rowguard.observer.fixture.Writes.put;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.observer.fixture.DurableCluster;
import io.rowguard.observer.fixture.GuardedTable;
import io.rowguard.observer.fixture.Refusals;
import io.rowguard.observer.fixture.Servers;
import io.rowguard.testing.MiniCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * HBase's answer to a coprocessor that throws anything but an IOException: with {@code
 * hbase.coprocessor.abortonerror} its server aborts, without it the coprocessor is taken off the
 * region, which is then open to any row. Neither may happen, whatever the table declares.
 */
@ExtendWith({MiniCluster.class, DurableCluster.Started.class})
class AbortOnErrorIT {
  private static final String WRONG = "The rowguard configuration of this table is wrong";
  private static final String UNFIT = "Rowkey does not fit the layout";

  private final HBaseTestingUtility shared;
  private final HBaseTestingUtility durable;

  AbortOnErrorIT(HBaseTestingUtility shared, DurableCluster durable) {
    this.shared = shared;
    this.durable = durable.hbase();
  }

  /** Nonsense, and what a put of a row that fits nothing sane gets. */
  private static Map<String[], String> nonsense() {
    return Map.ofEntries(
        Map.entry(keys("rowguard.layout", "\u0000\uffff\ud800{}%%"), WRONG),
        Map.entry(keys("rowguard.layout", "{a:word}|".repeat(3_000) + "{z:text}"), WRONG),
        Map.entry(keys("rowguard.layout", "{a:digits(2147483648)}"), WRONG),
        Map.entry(keys("rowguard.", "x", "rowguard.mode.", "off"), WRONG),
        Map.entry(keys("rowguard.row.max.length", "1"), UNFIT),
        Map.entry(keys("rowguard.layout", "x".repeat(30_000) + "{a:text}"), UNFIT));
  }

  private static String[] keys(String... keysAndValues) {
    return keysAndValues;
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void nonsense_inTheDescriptor_refusesWritesAndNothingElse(boolean abortOnError) throws Exception {
    Servers servers = serversWith(abortOnError);
    int count = servers.count();
    List<GuardedTable> tables = new ArrayList<>();
    try {
      for (Map.Entry<String[], String> each : nonsense().entrySet()) {
        GuardedTable guarded =
            GuardedTable.of(clusterWith(abortOnError), "rowguard.layout", LAYOUT)
                .with(each.getKey())
                .create();
        tables.add(guarded);

        String said = String.join("=", each.getKey());
        for (int i = 0; i < 3; i++) {
          assertMessage(each.getValue(), said, messageOf(() -> guarded.table().put(put("\\xFF"))));
        }
        Object[] results = guarded.batch(List.of(put("\\x00"), put("\\xFF"), put(BAD)));
        assertEquals(3, placesOf(results).size(), said);
        assertMessage(each.getValue(), said, messageOf(results[1]));
        assertEquals(List.of(), guarded.cells());
        assertGuarded(servers, guarded);
      }
    } finally {
      for (GuardedTable table : tables) {
        table.close();
      }
    }
    assertEquals(count, servers.count());
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void alter_toNonsenseAndBack_goesOnGuarding(boolean abortOnError) throws Exception {
    Servers servers = serversWith(abortOnError);
    int count = servers.count();
    try (GuardedTable guarded = GuardedTable.create(clusterWith(abortOnError))) {
      guarded.table().put(put(GOOD));
      guarded.alter("rowguard.layout", "{", "rowguard.mode", "\u0000");
      assertMessage(WRONG, "{", messageOf(() -> guarded.table().put(put(GOOD, "new"))));

      guarded.alter("rowguard.layout", LAYOUT, "rowguard.mode", null);

      Refusals.assertRefused(guarded, () -> guarded.table().put(put(BAD)));
      assertEquals(List.of(GOOD + "/q=v"), guarded.cells());
      assertGuarded(servers, guarded);
    }
    assertEquals(count, servers.count());
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void refusals_byTheThousand_leaveTheObserverInPlace(boolean abortOnError) throws Exception {
    Servers servers = serversWith(abortOnError);
    int count = servers.count();
    try (GuardedTable guarded = GuardedTable.create(clusterWith(abortOnError))) {
      List<Row> bad = new ArrayList<>();
      for (int i = 0; i < 1_000; i++) {
        bad.add(put("\\xFF" + i));
      }
      for (int i = 0; i < 5; i++) {
        assertEquals(bad.size(), placesOf(guarded.batch(bad)).size());
        Refusals.assertRefused(guarded, () -> guarded.table().put(put(BAD)));
      }

      assertGuarded(servers, guarded);
      guarded.table().put(put(GOOD));
      Refusals.assertRefused(guarded, () -> guarded.table().put(put(BAD)));
      assertEquals(List.of(GOOD), guarded.rows());
    }
    assertEquals(count, servers.count());
  }

  private HBaseTestingUtility clusterWith(boolean abortOnError) {
    return abortOnError ? shared : durable;
  }

  private Servers serversWith(boolean abortOnError) {
    Servers servers = new Servers(clusterWith(abortOnError));
    servers.configure(
        conf ->
            assertEquals(abortOnError, conf.getBoolean("hbase.coprocessor.abortonerror", true)));
    return servers;
  }

  private static void assertMessage(String expected, String said, String message) {
    assertTrue(message.startsWith(expected), said + ": " + message);
  }

  private static void assertGuarded(Servers servers, GuardedTable guarded) {
    List<HRegion> regions = servers.regionsOf(guarded.name());
    assertEquals(1, regions.size());
    assertNotNull(Servers.observerOf(regions.get(0)));
  }
}
