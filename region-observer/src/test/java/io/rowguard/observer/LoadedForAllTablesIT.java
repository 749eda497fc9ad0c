package io.rowguard.observer;

import static io.rowguard.observer.fixture.GuardedTable.LAYOUT;
import static io.rowguard.observer.fixture.Refusals.assertRefused;
import static io.rowguard.observer.fixture.Writes.BAD;
import static io.rowguard.observer.fixture.Writes.GOOD;
import static io.rowguard.observer.fixture.Writes.append;
import static io.rowguard.observer.fixture.Writes.delete;
import static io.rowguard.observer.fixture.Writes.increment;
import static io.rowguard.observer.fixture.Writes.put;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.config.LayoutStamp;
import io.rowguard.config.StaleLayoutException;
import io.rowguard.observer.fixture.Counters;
import io.rowguard.observer.fixture.Gate;
import io.rowguard.observer.fixture.GuardedTable;
import io.rowguard.observer.fixture.Servers;
import io.rowguard.testing.MiniCluster;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.NamespaceDescriptor;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.util.StringUtils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The observer in hbase-site.xml instead of a descriptor. The servers' configurations are changed
 * while they run; regions that open from then on go by it, as after a restart.
 */
@ExtendWith(MiniCluster.class)
class LoadedForAllTablesIT {
  private static final String USER_TABLES = "hbase.coprocessor.user.region.classes";
  private static final String ALL_TABLES = "hbase.coprocessor.region.classes";
  private static final String OBSERVER = LayoutRegionObserver.class.getName();

  private final HBaseTestingUtility hbase;
  private final Servers servers;

  LoadedForAllTablesIT(HBaseTestingUtility hbase) {
    this.hbase = hbase;
    this.servers = new Servers(hbase);
  }

  @AfterEach
  void restoreSite() {
    onEveryServer(
        conf -> {
          conf.unset(USER_TABLES);
          conf.unset(ALL_TABLES);
          conf.getValByRegex("^rowguard\\.").keySet().forEach(conf::unset);
        });
  }

  @Test
  void userTables_tableWithALayout_isGuarded() throws IOException {
    onEveryServer(conf -> conf.set(USER_TABLES, OBSERVER));
    try (GuardedTable guarded =
        GuardedTable.of(hbase, "rowguard.layout", LAYOUT).withoutObserver().create()) {
      assertRefused(guarded, () -> guarded.table().put(put(BAD)));
      assertEquals(List.of(), guarded.cells());
    }
  }

  @Test
  void userTables_namedInTheDescriptorToo_countsEveryWriteOnce() throws Exception {
    onEveryServer(conf -> conf.set(USER_TABLES, OBSERVER));
    try (GuardedTable guarded = GuardedTable.create(hbase)) {
      guarded.batch(List.of(put(BAD), put(GOOD)));
      assertRefused(guarded, () -> guarded.table().put(put(BAD)));

      assertEquals(
          Map.of("conforming", 1L, "rejected_not_digits", 2L), Counters.of(guarded.name()));

      guarded.alter("rowguard.delete", "enforce");
      assertRefused(guarded, () -> guarded.table().delete(delete(BAD)));
      assertEquals(List.of(GOOD), guarded.rows());
    }
  }

  /** The instance that guards nothing comes first, and leaves all stamps to the other one. */
  @Test
  void userTables_namedInTheDescriptorToo_takesNoRequestOfAnotherVersion() throws Exception {
    onEveryServer(conf -> conf.set(USER_TABLES, OBSERVER));
    try (GuardedTable guarded = GuardedTable.create(hbase)) {
      for (Mutation write : List.of(put(GOOD), delete(GOOD), append(GOOD), increment(GOOD))) {
        LayoutStamp.ofVersion(5).mark(write);
        IOException refusal =
            assertThrows(
                IOException.class,
                () -> guarded.table().mutateRow(RowMutations.of(List.of(write))));
        String said = StringUtils.stringifyException(refusal);
        assertTrue(said.contains(StaleLayoutException.class.getName()), said);
      }
      assertEquals(List.of(), guarded.rows());
    }
  }

  /**
   * Effect of {@code update_config} where the configuration names other coprocessors now. Requests
   * under way meet the old instance first and the new one then.
   */
  @Test
  void region_whoseCoprocessorsAreLoadedAnew_staysGuarded() throws Exception {
    try (GuardedTable guarded = GuardedTable.create(hbase)) {
      HRegion region = servers.regionsOf(guarded.name()).get(0);
      Object before = region.getCoprocessorHost();
      RegionHooks hooks = hooksOf(region);
      Configuration changed = new Configuration(hbase.getConfiguration());
      changed.set(USER_TABLES, Gate.class.getName());

      region.onConfigurationChange(changed);

      Object second = region.getCoprocessorHost();
      assertNotSame(before, second);
      assertSame(hooks, hooksOf(region));

      changed.set(USER_TABLES, OBSERVER);
      region.onConfigurationChange(changed);
      assertNotSame(second, region.getCoprocessorHost());
      guarded.batch(List.of(put(BAD), put(GOOD)));
      assertRefused(guarded, () -> guarded.table().put(put(BAD)));
      assertEquals(List.of(GOOD), guarded.rows());
      assertEquals(
          Map.of("conforming", 1L, "rejected_not_digits", 2L), Counters.of(guarded.name()));
    }
  }

  /** HBase 2.6.5 does so, and what is left of the region must not be in another's way. */
  @Test
  void region_thatHasClosedAndIsLoadedAnew_guardsNothing() throws Exception {
    try (GuardedTable guarded = GuardedTable.create(hbase)) {
      HRegion region = servers.regionsOf(guarded.name()).get(0);
      Configuration changed = new Configuration(hbase.getConfiguration());
      changed.set(USER_TABLES, Gate.class.getName());
      guarded.alter("rowguard.delete", "enforce");
      assertTrue(region.isClosed());
      region.onConfigurationChange(changed);
      assertNull(hooksOf(region));
      assertRefused(guarded, () -> guarded.table().put(put(BAD)));
    }
  }

  private static RegionHooks hooksOf(HRegion region) {
    return ((LayoutRegionObserver) Servers.observerOf(region)).hooks();
  }

  @Test
  void userTables_tableWithoutLayout_isLeftAlone() throws IOException {
    onEveryServer(conf -> conf.set(USER_TABLES, OBSERVER));
    try (GuardedTable other = GuardedTable.of(hbase).withoutObserver().create()) {
      other.table().put(put(BAD));

      assertEquals(List.of(BAD), other.rows());
      assertEquals(Map.of(), Counters.of(other.name()));
    }
  }

  @Test
  void site_misspeltKey_leavesTablesWithoutALayoutAlone() throws IOException {
    onEveryServer(
        conf -> {
          conf.set(USER_TABLES, OBSERVER);
          conf.set("rowguard.layuot", LAYOUT);
          conf.set("rowguard.mode", "rejekt");
        });
    try (GuardedTable other = GuardedTable.of(hbase).withoutObserver().create()) {
      other.table().put(put(BAD));

      assertEquals(List.of(BAD), other.rows());
    }
  }

  @Test
  void site_mode_isTheDefaultOfTables() throws IOException {
    onEveryServer(
        conf -> {
          conf.set("rowguard.mode", "warn");
          conf.set("rowguard.layout", LAYOUT);
        });
    try (GuardedTable lenient = GuardedTable.of(hbase).create();
        GuardedTable strict = GuardedTable.of(hbase, "rowguard.mode", "reject").create()) {
      lenient.table().put(put(BAD));

      assertEquals(List.of(BAD), lenient.rows());
      assertRefused(strict, () -> strict.table().put(put(BAD)));
    }
  }

  /**
   * The hardest case: the observer on every region, system tables too, and a layout for all. Rows
   * of hbase:meta do not fit it; were they refused, nothing could be created any more.
   */
  @Test
  void allTables_layoutInTheSite_leavesSystemTablesAlone() throws Exception {
    onEveryServer(
        conf -> {
          conf.set(ALL_TABLES, OBSERVER);
          conf.set("rowguard.layout", LAYOUT);
        });
    reopenSystemTables();
    try (GuardedTable guarded = GuardedTable.of(hbase).withoutObserver().create()) {
      hbase.getAdmin().createNamespace(NamespaceDescriptor.create("noRowOfALayout").build());
      hbase.getAdmin().deleteNamespace("noRowOfALayout");

      assertRefused(guarded, () -> guarded.table().put(put(BAD)));
    } finally {
      restoreSite();
      reopenSystemTables();
    }
  }

  private void onEveryServer(Consumer<Configuration> change) {
    servers.configure(change);
  }

  private void reopenSystemTables() throws Exception {
    for (TableName table : servers.systemTables()) {
      RegionInfo region = hbase.getAdmin().getRegions(table).get(0);
      servers.move(region, servers.otherThan(servers.of(region)));
    }
  }
}
