package io.rowguard.master;

import static io.rowguard.master.RefusedOperations.assertRefused;
import static io.rowguard.master.RelayoutDescriptors.NEW;
import static io.rowguard.master.RelayoutDescriptors.OLD;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.testing.Eventually;
import io.rowguard.testing.MiniCluster;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.client.NormalizeTableFilterParams;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The merges that are taken, with each value of {@code rowguard.merge}. */
@ExtendWith(MiniCluster.class)
class MergeIT {
  private static final String REFUSED = "refused_merge_undoes_presplit";
  private static final String WARNED = "warned_merge_undoes_presplit";

  private final HBaseTestingUtility hbase;
  private RuleCounters counters = new RuleCounters();

  MergeIT(HBaseTestingUtility hbase) {
    this.hbase = hbase;
  }

  @Test
  void merge_whereItIsRefused_isRefusedUnlessItTakesNothingAway() throws Exception {
    try (DeclaredTable table = salted("rowguard.merge", "reject")) {
      assertRefused(
          () -> table.merge(2, 3),
          "A merge takes away boundaries of the table's pre-split",
          "table=" + table.name + " rule=merge_undoes_presplit boundaries=\"08\". ",
          "first open the table for 10 minutes");
      assertEquals(List.of("", "04", "04-m", "08", "16"), table.startKeys());

      table.merge(1, 2); // of one salt
      table.merge(2, 3); // the upper one of which no row can reach
      assertEquals(List.of("", "04", "08"), table.startKeys());
      assertEquals(Map.of(REFUSED, 1L), counters.moved());
    }
  }

  @Test
  void merge_ofATableOpenedByForce_isTaken() throws Exception {
    try (DeclaredTable table = salted("rowguard.merge", "reject")) {
      table.alter("rowguard.force", "too many regions");
      table.merge(2, 3);

      assertEquals(List.of("", "04", "04-m", "16"), table.startKeys());
      assertEquals(Map.of("forced_merge_undoes_presplit", 1L), counters.moved());
    }
  }

  @Test
  void merge_whereItIsAllowed_isTakenWithoutAWord() throws Exception {
    try (DeclaredTable table = salted("rowguard.merge", "accept")) {
      table.merge(2, 3);
      assertEquals(Map.of(), counters.moved());
    }
  }

  /** In mode warn nothing is refused. */
  @Test
  void merge_inWarnMode_isTakenWithOneWarning() throws Exception {
    try (DeclaredTable table = salted("rowguard.merge", "reject", "rowguard.mode", "warn")) {
      table.merge(2, 3);
      assertEquals(Map.of(WARNED, 1L), counters.moved());
    }
  }

  /** Regions that are split by their load are young, as all of this table are. */
  @Test
  void merge_whereLoadSplits_isRefusedUnlessByForce() throws Exception {
    try (DeclaredTable table = salted("rowguard.split.load", "2000")) {
      assertRefused(
          () -> table.merge(1, 2), // of one salt
          "A region is too young to be merged in a table whose regions are split by their load.",
          "table=" + table.name + " rule=merge_too_young region=",
          "first open the table for 10 minutes");
      assertEquals(Map.of("refused_merge_too_young", 1L), counters.moved());
      assertEquals(List.of("", "04", "04-m", "08", "16"), table.startKeys());

      table.alter("rowguard.force", "the load will not come back");
      table.merge(1, 2);
      assertEquals(List.of("", "04", "08", "16"), table.startKeys());
      assertEquals(1L, counters.moved().get("forced_merge_too_young"));
    }
    try (DeclaredTable table = salted("rowguard.split.load", "2000", "rowguard.mode", "warn")) {
      table.merge(1, 2);
      assertEquals(Map.of("warned_merge_too_young", 1L), counters.moved());
    }
  }

  @Test
  void merge_byTheNormalizerWhereLoadSplits_isRefused() throws Exception {
    try (DeclaredTable table = salted("rowguard.split.load", "2000", "rowguard.merge", "accept")) {
      table.alterTo(
          TableDescriptorBuilder.newBuilder(table.stored()).setNormalizationEnabled(true).build());
      hbase.getAdmin().normalizerSwitch(true);
      try {
        Eventually.isTrue(
            "the normalizer",
            () ->
                normalize(table)
                    && counters.moved().getOrDefault("refused_merge_too_young", 0L) >= 1);
      } finally {
        hbase.getAdmin().normalizerSwitch(false);
      }
      assertEquals(5, table.startKeys().size());
    }
  }

  /** The salts that are kept apart are those that rows have from now on. */
  @Test
  void merge_inRelayout_goesByTheNewLayout() throws Exception {
    try (DeclaredTable table =
        DeclaredTable.salted(hbase, "rowguard.layout", NEW, "rowguard.merge", "reject")
            .withSplits("08", "16", "40")
            .create()) {
      assertRefused(() -> table.merge(2, 3), "rule=merge_undoes_presplit boundaries=\"40\"");
      RelayoutAlters.start(table, OLD);

      table.merge(2, 3);
      assertRefused(() -> table.merge(0, 1), "rule=merge_undoes_presplit boundaries=\"08\"");
      assertEquals(List.of("", "08", "16"), table.startKeys());
    }
  }

  /** It merges empty regions as soon as it sees them, and asks again in the next round. */
  @Test
  void merge_byTheNormalizer_isRefusedToo() throws Exception {
    try (DeclaredTable refusing = salted("rowguard.merge", "reject");
        DeclaredTable warning = salted()) {
      for (DeclaredTable table : List.of(refusing, warning)) {
        table.alterTo(
            TableDescriptorBuilder.newBuilder(table.stored())
                .setNormalizationEnabled(true)
                .build());
      }
      hbase.getAdmin().normalizerSwitch(true);
      try {
        Eventually.isTrue(
            "the normalizer",
            () -> normalize(refusing) && counters.moved().getOrDefault(REFUSED, 0L) >= 1);
        Eventually.isTrue(
            "the normalizer",
            () -> normalize(warning) && counters.moved().getOrDefault(WARNED, 0L) >= 1);
      } finally {
        hbase.getAdmin().normalizerSwitch(false);
      }

      Eventually.isTrue("a merge", () -> warning.regions().size() < 5);
      // The others are no boundaries of the pre-split: which of them go depends on the sizes that
      // the normalizer knows.
      assertTrue(refusing.startKeys().containsAll(List.of("", "04", "08")));
      assertTrue(
          counters.moved().keySet().stream().allMatch(name -> name.endsWith("undoes_presplit")));
    }
  }

  private boolean normalize(DeclaredTable table) throws IOException {
    return hbase
        .getAdmin()
        .normalize(
            new NormalizeTableFilterParams.Builder().tableNames(List.of(table.name)).build());
  }

  private DeclaredTable salted(String... keysAndValues) throws IOException {
    DeclaredTable table =
        DeclaredTable.salted(hbase, "rowguard.force", "no row can reach 16")
            .with(keysAndValues)
            .withSplits("04", "04-m", "08", "16")
            .create();
    counters = new RuleCounters();
    return table;
  }
}
