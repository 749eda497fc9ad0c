package io.rowguard.observer;

import static io.rowguard.observer.GuardedTable.LAYOUT;
import static io.rowguard.observer.Refusals.assertRefused;
import static io.rowguard.observer.Refusals.placesOf;
import static io.rowguard.observer.Writes.BAD;
import static io.rowguard.observer.Writes.GOOD;
import static io.rowguard.observer.Writes.put;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.layout.RowkeyLayout;
import io.rowguard.testing.MiniCluster;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.util.CoprocessorClassLoader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The observer from a jar on a file system that the descriptor names. HBase takes such a class from
 * the jar even where the servers' class path has it too, so several of one name run side by side.
 * They share data and counters by that name.
 */
@ExtendWith(MiniCluster.class)
class LoadedFromJarIT {
  private static final String USER_TABLES = "hbase.coprocessor.user.region.classes";

  private static Path first;
  private static Path second;

  private final HBaseTestingUtility hbase;
  private final Servers servers;
  private int serversBefore;

  LoadedFromJarIT(HBaseTestingUtility hbase) {
    this.hbase = hbase;
    this.servers = new Servers(hbase);
  }

  @BeforeAll
  static void buildJars() throws Exception {
    first = ObserverJar.build("observer-1.jar");
    second = ObserverJar.build("observer-2.jar");
  }

  @BeforeEach
  void countServers() {
    serversBefore = servers.count();
  }

  @AfterEach
  void noServerAborted() {
    servers.configure(conf -> conf.unset(USER_TABLES));
    assertEquals(serversBefore, servers.count());
  }

  @Test
  void jar_named_isWhereTheClassesComeFrom() throws Exception {
    try (GuardedTable guarded = of(first).create()) {
      ClassLoader loader = loaderOf(servers.regionsOf(guarded.name()).get(0));

      assertInstanceOf(CoprocessorClassLoader.class, loader);
      assertNotSame(RowkeyLayout.class, loader.loadClass(RowkeyLayout.class.getName()));
      assertGuards(guarded);
    }
  }

  @Test
  void jar_besideTablesOfTheClassPath_guardsBoth() throws Exception {
    try (GuardedTable own = GuardedTable.create(hbase);
        GuardedTable guarded = of(first).create();
        GuardedTable other = of(second).create()) {
      Set<ClassLoader> loaders =
          Set.of(
              loaderOf(servers.regionsOf(own.name()).get(0)),
              loaderOf(servers.regionsOf(guarded.name()).get(0)),
              loaderOf(servers.regionsOf(other.name()).get(0)));

      assertEquals(3, loaders.size());
      assertGuards(own);
      assertGuards(guarded);
      assertGuards(other);
    }
  }

  @Test
  void jar_namedOnAServerThatLoadsTheClassForAllTables_countsEveryWriteOnce() throws Exception {
    servers.configure(conf -> conf.set(USER_TABLES, LayoutRegionObserver.class.getName()));
    try (GuardedTable guarded = of(first).withSplits("b", "c").create()) {
      for (HRegion region : servers.regionsOf(guarded.name())) {
        assertEquals(2, loadersOf(region).size());
        assertTrue(loadersOf(region).contains(LayoutRegionObserver.class.getClassLoader()));
      }
      assertGuards(guarded);
    }
  }

  /** HBase reopens the regions one after the other, so both jars are in use for a while. */
  @Test
  void alter_toAnotherJar_goesOnGuarding() throws Exception {
    try (GuardedTable guarded = of(first).withSplits("b", "c", "d").create()) {
      assertRefused(guarded, () -> guarded.table().put(put(BAD)));
      List<ClassLoader> loaders = new ArrayList<>();
      for (Path jar : new Path[] {second, null, first}) {
        guarded.alterJar(jar);

        loaders.add(loaderOf(servers.regionsOf(guarded.name()).get(0)));
        for (HRegion region : servers.regionsOf(guarded.name())) {
          assertSame(loaders.get(loaders.size() - 1), loaderOf(region));
        }
        assertRefused(guarded, () -> guarded.table().put(put(BAD)));
      }

      assertEquals(3, Set.copyOf(loaders).size());
      assertSame(LayoutRegionObserver.class.getClassLoader(), loaders.get(1));
      assertEquals(Map.of("rejected_not_digits", 4L), Counters.of(guarded.name()));
    }
  }

  private GuardedTable.Builder of(Path jar) {
    return GuardedTable.of(hbase, "rowguard.layout", LAYOUT).withObserverFrom(jar);
  }

  private static ClassLoader loaderOf(HRegion region) {
    return Servers.observerOf(region).getClass().getClassLoader();
  }

  private static Set<ClassLoader> loadersOf(HRegion region) {
    return region.getCoprocessorHost().findCoprocessors(RegionCoprocessor.class).stream()
        .map(Object::getClass)
        .filter(each -> each.getName().equals(LayoutRegionObserver.class.getName()))
        .map(Class::getClassLoader)
        .collect(Collectors.toSet());
  }

  private static void assertGuards(GuardedTable guarded) throws IOException, InterruptedException {
    Object[] told = guarded.batch(List.of(put(GOOD), put(BAD), put("c|0001")));

    assertEquals(Set.of(1), placesOf(told));
    assertRefused(guarded, () -> guarded.table().put(put(BAD)));
    assertEquals(List.of(GOOD, "c|0001"), guarded.rows());
    assertEquals(Map.of("conforming", 2L, "rejected_not_digits", 2L), Counters.of(guarded.name()));
  }
}
