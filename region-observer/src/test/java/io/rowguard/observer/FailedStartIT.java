package io.rowguard.observer;

import static io.rowguard.observer.fixture.GuardedTable.F;
import static io.rowguard.observer.fixture.GuardedTable.LAYOUT;
import static io.rowguard.observer.fixture.Refusals.messageOf;
import static io.rowguard.observer.fixture.Refusals.placesOf;
import static io.rowguard.observer.fixture.Writes.BAD;
import static io.rowguard.observer.fixture.Writes.GOOD;
import static io.rowguard.observer.fixture.Writes.append;
import static io.rowguard.observer.fixture.Writes.bytes;
import static io.rowguard.observer.fixture.Writes.delete;
import static io.rowguard.observer.fixture.Writes.increment;
import static io.rowguard.observer.fixture.Writes.put;
import static io.rowguard.observer.fixture.Writes.together;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.observer.fixture.Counters;
import io.rowguard.observer.fixture.GuardedTable;
import io.rowguard.observer.fixture.HFiles;
import io.rowguard.observer.fixture.Refusals;
import io.rowguard.observer.fixture.SaltedGuard;
import io.rowguard.observer.fixture.Servers;
import io.rowguard.testing.MiniCluster;
import io.rowguard.testing.TestLog;
import java.io.IOException;
import java.nio.file.Files;
import java.util.AbstractList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentMap;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.function.Executable;

/**
 * The observer of a region cannot start, or stop: the region opens and closes all the same, can be
 * read, and takes no write. It fails on what lies in the data that HBase shares between regions.
 */
@ExtendWith(MiniCluster.class)
class FailedStartIT {
  /** A list that fails as a class does which another release of HBase does not have. */
  private static final class Unlinked extends AbstractList<Object> {
    @Override
    public Object get(int index) {
      throw new NoSuchMethodError("'void org.example.Missing.method()'");
    }

    @Override
    public int size() {
      return get(0).hashCode();
    }
  }

  private final HBaseTestingUtility hbase;
  private final Servers servers;
  private int serversBefore;
  private ConcurrentMap<String, Object> shared;
  private String spoilt;

  FailedStartIT(HBaseTestingUtility hbase) {
    this.hbase = hbase;
    this.servers = new Servers(hbase);
  }

  @BeforeEach
  void countServers() {
    serversBefore = servers.count();
  }

  @AfterEach
  void noServerAborted() {
    assertEquals(serversBefore, servers.count());
  }

  /** Before anything of the configuration is read. */
  @Test
  void start_failingAtOnce_refusesWritesUntilItStarts() throws Exception {
    try (GuardedTable guarded = GuardedTable.create(hbase)) {
      guarded.table().put(put(GOOD));
      spoil(guarded, RegionClaim.key(environmentOf(guarded)), new Unlinked());

      // Stopping fails on it, then starting does.
      guarded.alter("rowguard.delete", "accept");
      assertRefusesWrites(guarded, "NoSuchMethodError: 'void org.example.Missing.method()'");
      assertLoggedOnce(
          guarded,
          " hook=start error=\"NoSuchMethodError: 'void" + " org.example.Missing.method()'\".");

      mend();
      guarded.alter("rowguard.delete", "enforce");
      guarded.table().put(put("b|0002"));
      Refusals.assertRefused(guarded, () -> guarded.table().delete(delete(BAD)));
      assertEquals(List.of(GOOD, "b|0002"), guarded.rows());
    }
  }

  /** An empty answer would say that there is no such row. */
  @Test
  void start_failingInSaltMode_refusesGetsThatFindNothing() throws Exception {
    try (GuardedTable guarded =
        GuardedTable.of(hbase, "rowguard.layout", SaltedGuard.LAYOUT.toString())
            .with("rowguard.mode", "salt")
            .create()) {
      guarded.table().put(put(GOOD));
      spoil(guarded, RegionClaim.key(environmentOf(guarded)), new Unlinked());

      guarded.alter("rowguard.delete", "accept");
      String message = messageOf(() -> guarded.table().get(new Get(bytes(GOOD))));
      assertTrue(
          message.startsWith(
              "A Get that finds nothing here may ask for a bare key, which cannot be salted now, so"
                  + " it is not answered. The region observer could not start"),
          message);
      assertTrue(guarded.table().exists(new Get(bytes(SaltedGuard.salted(GOOD)))));

      mend();
      guarded.alter("rowguard.delete", "enforce");
      assertTrue(guarded.table().exists(new Get(bytes(GOOD))));
    }
  }

  @Test
  void start_failingHalfway_refusesWritesUntilItStarts() throws Exception {
    try (GuardedTable guarded = GuardedTable.create(hbase)) {
      guarded.table().put(put(GOOD));
      spoil(guarded, "rowguard.sample-log.next-at." + guarded.name(), "of another class");

      guarded.alter("rowguard.delete", "accept");
      assertRefusesWrites(guarded, "ClassCastException: ");

      mend();
      guarded.alter("rowguard.delete", "enforce");
      guarded.table().put(put("b|0002"));
      assertEquals(List.of(GOOD, "b|0002"), guarded.rows());
    }
  }

  @Test
  void start_failingWhereModeIsOff_takesEveryWrite() throws Exception {
    try (GuardedTable guarded = GuardedTable.create(hbase)) {
      spoil(guarded, RegionClaim.key(environmentOf(guarded)), new Unlinked());

      guarded.alter("rowguard.mode", "off");
      guarded.table().put(put(BAD));
      guarded.table().mutateRow(together(put("x")));
      servers.configure(conf -> conf.set("rowguard.mode", "off"));
      guarded.alter("rowguard.mode", null);
      guarded.table().put(put("y"));

      assertEquals(List.of(BAD, "x", "y"), guarded.rows());
    } finally {
      servers.configure(conf -> conf.unset("rowguard.mode"));
    }
  }

  @Test
  void start_failingWhereNothingIsDeclared_takesEveryWrite() throws Exception {
    try (GuardedTable free = GuardedTable.of(hbase).create()) {
      spoil(free, RegionClaim.key(environmentOf(free)), new Unlinked());

      free.alter("any.key", "any value");
      free.table().put(put(BAD));

      assertEquals(List.of(BAD), free.rows());
    }
  }

  @Test
  void start_failingWhereTheSiteDeclaresTheLayout_refusesWrites() throws Exception {
    try (GuardedTable guarded = GuardedTable.of(hbase).create()) {
      spoil(guarded, RegionClaim.key(environmentOf(guarded)), new Unlinked());
      servers.configure(conf -> conf.set("rowguard.layout", LAYOUT));

      guarded.alter("any.key", "any value");

      assertTrue(
          messageOf(() -> guarded.table().put(put(GOOD)))
              .startsWith("The region observer could not start"));
    } finally {
      servers.configure(conf -> conf.unset("rowguard.layout"));
    }
  }

  private void assertRefusesWrites(GuardedTable guarded, String error) throws Exception {
    Map<String, Long> before = Counters.of(guarded.name());
    String start =
        "The region observer could not start, so all writes to this region are refused. table="
            + guarded.name()
            + " hook=start error=\""
            + error;
    List<Executable> writes =
        List.of(
            () -> guarded.table().put(put(GOOD, "new")),
            () -> guarded.table().put(List.of(put(GOOD, "new"))),
            () -> guarded.table().delete(delete(GOOD)),
            () -> guarded.table().append(append(GOOD)),
            () -> guarded.table().increment(increment(GOOD)),
            () -> guarded.table().mutateRow(together(put(GOOD, "new"))),
            () -> guarded.table().checkAndMutate(ifAbsent(put(GOOD, "new"))));
    for (Executable write : writes) {
      String message = messageOf(write);
      assertTrue(message.startsWith(start), message);
      assertTrue(message.contains(" rowguard.mode=off lets writes through"), message);
    }
    assertEquals(Set.of(0, 1), placesOf(guarded.batch(List.of(put(GOOD), put(BAD)))));
    HFiles files = new HFiles(hbase);
    files.add(List.of("c|0003"));
    IOException load = assertThrows(IOException.class, () -> files.load(guarded.name()));
    assertTrue(messageOf(load.getCause()).startsWith(start), load.toString());

    assertEquals(List.of(GOOD + "/q=v"), guarded.cells());
    assertEquals(List.of(GOOD + "/q=v"), guarded.latest(GOOD));
    assertEquals(
        writes.size() + 2 + before.getOrDefault("hook_failed", 0L),
        Counters.of(guarded.name()).get("hook_failed"));
  }

  /** When the region opened. */
  private static void assertLoggedOnce(GuardedTable guarded, String text) throws IOException {
    try (Stream<String> log = Files.lines(TestLog.path())) {
      assertEquals(
          1,
          log.filter(line -> line.contains(" ERROR ") && line.contains(" table=" + guarded.name()))
              .filter(line -> line.contains(text))
              .count());
    }
  }

  private static CheckAndMutate ifAbsent(Put put) {
    return CheckAndMutate.newBuilder(bytes(GOOD)).ifNotExists(F, bytes("absent")).build(put);
  }

  private RegionCoprocessorEnvironment environmentOf(GuardedTable guarded) {
    HRegion region = servers.regionsOf(guarded.name()).get(0);
    return region
        .getCoprocessorHost()
        .findCoprocessorEnvironment(LayoutRegionObserver.class.getName());
  }

  private void spoil(GuardedTable guarded, String key, Object value) {
    shared = environmentOf(guarded).getSharedData();
    spoilt = key;
    shared.put(key, value);
  }

  private void mend() {
    shared.remove(spoilt);
  }
}
