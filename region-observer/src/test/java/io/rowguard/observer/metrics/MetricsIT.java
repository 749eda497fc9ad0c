package io.rowguard.observer.metrics;

import static io.rowguard.observer.fixture.Writes.BAD;
import static io.rowguard.observer.fixture.Writes.GOOD;
import static io.rowguard.observer.fixture.Writes.put;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.rowguard.layout.Verdict;
import io.rowguard.observer.LayoutRegionObserver;
import io.rowguard.observer.fixture.Counters;
import io.rowguard.observer.fixture.GuardedTable;
import io.rowguard.observer.fixture.Refusals;
import io.rowguard.observer.fixture.Servers;
import io.rowguard.testing.MiniCluster;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.metrics.MetricRegistries;
import org.apache.hadoop.hbase.metrics.MetricRegistry;
import org.apache.hadoop.hbase.metrics.MetricRegistryInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The counters in HBase's registry for coprocessors. */
@ExtendWith(MiniCluster.class)
class MetricsIT {
  private final HBaseTestingUtility hbase;

  MetricsIT(HBaseTestingUtility hbase) {
    this.hbase = hbase;
  }

  @Test
  void registry_ofATable_hasACounterForEveryCode() throws Exception {
    try (GuardedTable guarded = GuardedTable.create(hbase)) {
      Set<String> expected =
          new TreeSet<>(
              Set.of(
                  "conforming",
                  "rejected_wrong_configuration",
                  "rejected_bare_key",
                  "rejected_scan",
                  "forwarded",
                  "forwarded_failed",
                  "forwarded_busy",
                  "forwarded_late",
                  "forwarded_arrived",
                  "forward_calls",
                  "forwards_waiting",
                  "forwards_bytes",
                  "bare_reads",
                  "bulkload_files_checked",
                  "bulkload_files_rejected",
                  "hook_failed"));
      for (Verdict verdict : Verdict.values()) {
        if (!verdict.conforms()) {
          expected.add("rejected_" + verdict.name().toLowerCase(Locale.ROOT));
          expected.add("accepted_" + verdict.name().toLowerCase(Locale.ROOT));
        }
      }

      assertEquals(expected, Counters.namesOf(guarded.name()));
    }
  }

  @Test
  void counters_ofARegionMovedAwayAndBack_goOn() throws Exception {
    Servers servers = new Servers(hbase);
    try (GuardedTable guarded = GuardedTable.create(hbase)) {
      RegionInfo region = hbase.getAdmin().getRegions(guarded.name()).get(0);
      ServerName first = servers.of(region);
      for (ServerName to : List.of(servers.otherThan(first), first)) {
        guarded.table().put(put(GOOD));
        servers.move(region, to);
      }
      guarded.table().put(put(GOOD));
      Refusals.assertRefused(guarded, () -> guarded.table().put(put(BAD)));

      assertEquals(
          Map.of("conforming", 3L, "rejected_not_digits", 1L), Counters.of(guarded.name()));
    }
  }

  /** HBase counts who uses a registry: what is kept must not pile up with every opening. */
  @Test
  void registries_ofATableClosedAndOpenedAgainAndAgain_doNotGrow() throws Exception {
    try (GuardedTable guarded =
        GuardedTable.of(hbase, "rowguard.layout", GuardedTable.LAYOUT)
            .withSplits("b", "c")
            .create()) {
      guarded.table().put(put(GOOD));
      Set<MetricRegistryInfo> registries = registries();
      MetricRegistry registry = Counters.registry();
      int metrics = registry.getMetrics().size();
      for (int i = 0; i < 3; i++) {
        hbase.getAdmin().disableTable(guarded.name());
        assertEquals(Map.of("conforming", 1L + i), Counters.of(guarded.name()), "while closed");
        hbase.getAdmin().enableTable(guarded.name());
        guarded.table().put(put(GOOD));
      }

      assertEquals(registries, registries());
      assertSame(registry, Counters.registry());
      assertEquals(metrics, registry.getMetrics().size());
    }
  }

  /** The observer's of now: HBase's own come and go with the tables. */
  private static Set<MetricRegistryInfo> registries() {
    return MetricRegistries.global().getMetricRegistryInfos().stream()
        .filter(info -> info.getMetricsName().contains(LayoutRegionObserver.class.getName()))
        .collect(Collectors.toSet());
  }

  @Test
  void counters_ofRegionsThatAreReopened_goOn() throws Exception {
    try (GuardedTable guarded =
            GuardedTable.of(hbase, "rowguard.layout", GuardedTable.LAYOUT)
                .withSplits("b", "c", "d")
                .create();
        GuardedTable neighbour = GuardedTable.create(hbase)) {
      guarded.table().put(List.of(put("a|0001"), put("b|0001"), put("c|0001"), put("d|0001")));
      guarded.alter("rowguard.delete", "enforce"); // reopens them one by one
      guarded.table().put(List.of(put("a|0002"), put("b|0002"), put("c|0002"), put("d|0002")));
      neighbour.table().put(put(GOOD));

      assertEquals(8, Counters.of(guarded.name()).get("conforming"));
      assertEquals(1, Counters.of(neighbour.name()).get("conforming"));
    }
  }
}
