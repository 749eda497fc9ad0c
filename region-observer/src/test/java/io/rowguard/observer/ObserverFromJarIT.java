package io.rowguard.observer;

import static io.rowguard.observer.fixture.GuardedTable.LAYOUT;
import static io.rowguard.observer.fixture.Refusals.assertRefused;
import static io.rowguard.observer.fixture.Refusals.messageOf;
import static io.rowguard.observer.fixture.Refusals.placesOf;
import static io.rowguard.observer.fixture.Writes.BAD;
import static io.rowguard.observer.fixture.Writes.GOOD;
import static io.rowguard.observer.fixture.Writes.put;
import static io.rowguard.observer.fixture.Writes.together;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.rowguard.layout.RowText;
import io.rowguard.layout.RowkeyLayout;
import io.rowguard.observer.fixture.Counters;
import io.rowguard.observer.fixture.GuardedTable;
import io.rowguard.observer.fixture.HFiles;
import io.rowguard.observer.fixture.SaltedGuard;
import io.rowguard.observer.fixture.Servers;
import io.rowguard.testing.MiniCluster;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.util.CoprocessorClassLoader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A descriptor that names the observer with a jar of its own: HBase takes the class from there even
 * where the class path has it too, and it refuses all writes. It shares data and counters with the
 * class path's, by the class's name.
 */
@ExtendWith(MiniCluster.class)
class ObserverFromJarIT {
  private static Path jar;

  private final HBaseTestingUtility hbase;
  private final Servers servers;
  private int serversBefore;

  ObserverFromJarIT(HBaseTestingUtility hbase) {
    this.hbase = hbase;
    this.servers = new Servers(hbase);
  }

  @BeforeAll
  static void buildJar() throws Exception {
    jar = ObserverJar.build("observer.jar");
  }

  @BeforeEach
  void countServers() {
    serversBefore = servers.count();
  }

  @AfterEach
  void noServerAborted() {
    assertEquals(serversBefore, servers.count());
  }

  @Test
  void jar_named_opensIsReadAndTakesNoWriteUntilTheClassPathIsNamed() throws Exception {
    try (GuardedTable guarded = GuardedTable.create(hbase)) {
      guarded.table().put(put(GOOD));

      guarded.alterJar(jar);

      ClassLoader loader = loaderOf(guarded);
      assertInstanceOf(CoprocessorClassLoader.class, loader);
      assertNotSame(RowkeyLayout.class, loader.loadClass(RowkeyLayout.class.getName()));
      assertRefusesWrites(guarded);
      assertEquals(List.of(GOOD + "/q=v"), guarded.latest(GOOD));
      assertEquals(List.of(GOOD + "/q=v"), guarded.cells());

      guarded.alterJar(null);

      assertSame(LayoutRegionObserver.class.getClassLoader(), loaderOf(guarded));
      guarded.table().put(put("c|0001"));
      assertRefused(guarded, () -> guarded.table().put(put(BAD)));
      assertEquals(List.of(GOOD, "c|0001"), guarded.rows());
    }
  }

  @Test
  void jar_whereModeIsOff_takesEveryWrite() throws Exception {
    try (GuardedTable guarded = table().with("rowguard.mode", "off").create()) {
      assertInstanceOf(CoprocessorClassLoader.class, loaderOf(guarded));
      guarded.table().put(put(BAD));

      assertEquals(List.of(BAD), guarded.rows());
    }
  }

  @Test
  void jar_besideTablesOfTheClassPath_leavesThemAlone() throws Exception {
    try (GuardedTable own = GuardedTable.create(hbase);
        GuardedTable refusing = table().create();
        GuardedTable salted = SaltedGuard.create(hbase)) {
      assertRefusesWrites(refusing);
      assertEquals(Set.of(1), placesOf(own.batch(List.of(put(GOOD), put(BAD), put("c|0001")))));
      salted.table().put(put("alice|0001"));

      assertEquals(List.of(GOOD, "c|0001"), own.rows());
      assertEquals(Map.of("conforming", 2L, "rejected_not_digits", 1L), Counters.of(own.name()));
      assertEquals(List.of(SaltedGuard.salted("alice|0001")), salted.rows());
    }
  }

  private GuardedTable.Builder table() {
    return GuardedTable.of(hbase, "rowguard.layout", LAYOUT).withObserverFrom(jar);
  }

  private ClassLoader loaderOf(GuardedTable guarded) {
    return Servers.observerOf(servers.regionsOf(guarded.name()).get(0)).getClass().getClassLoader();
  }

  /** Refuses the files of a bulk load, too: none of them is opened. */
  private void assertRefusesWrites(GuardedTable guarded) throws Exception {
    long before = Counters.of(guarded.name()).getOrDefault("rejected_wrong_configuration", 0L);
    String reason =
        " table="
            + guarded.name()
            + ". The coprocessor io.rowguard.observer.LayoutRegionObserver is named with the jar "
            + RowText.abbreviated(jar.toUri().toString().getBytes(StandardCharsets.UTF_8))
            + ", but works from the servers' class path only; put the jar on the class path of all"
            + " masters and region servers, and alter the table so that the coprocessor's"
            + " specification begins with \"|\":"
            + " \"|io.rowguard.observer.LayoutRegionObserver|1001|\". Mend the table's descriptor"
            + " (alter) or hbase-site.xml.";
    String refused =
        "The rowguard configuration of this table is wrong, so all its writes are refused";
    assertEquals(refused + "." + reason, messageOf(() -> guarded.table().put(put("d|0001"))));
    assertEquals(
        refused + "." + reason,
        messageOf(() -> guarded.table().mutateRow(together(put("d|0001")))));
    assertEquals(Set.of(0, 1), placesOf(guarded.batch(List.of(put("d|0001"), put(BAD)))));
    HFiles files = new HFiles(hbase);
    files.add(List.of("d|0001"));
    IOException load = assertThrows(IOException.class, () -> files.load(guarded.name()));
    assertEquals(refused + ", bulk loads too." + reason, messageOf(load.getCause()));
    Map<String, Long> counters = Counters.of(guarded.name());
    assertEquals(5, counters.get("rejected_wrong_configuration") - before);
    assertEquals(null, counters.get("bulkload_files_checked"));
  }
}
