package io.rowguard.master;

import static io.rowguard.master.RefusedOperations.assertRefused;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.rowguard.testing.MiniCluster;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Snapshots, truncations and merges: a table's boundaries stay with it unless they are given up by
 * force.
 */
@ExtendWith(MiniCluster.class)
class SnapshotIT {
  private final HBaseTestingUtility hbase;
  private final RuleCounters counters = new RuleCounters();

  SnapshotIT(HBaseTestingUtility hbase) {
    this.hbase = hbase;
  }

  @Test
  void clone_ofAGuardedTable_isGuarded() throws IOException {
    try (DeclaredTable table = DeclaredTable.grouped(hbase).withSplits("k").create();
        DeclaredTable copy = DeclaredTable.of(hbase)) {
      table.put("alice|0001");
      snapshot(table, "clone_guarded");

      table.admin().cloneSnapshot("clone_guarded", copy.name);

      assertRefused(() -> copy.put("alice"), "Rowkey does not fit the layout");
      assertRefused(() -> copy.split("kim|0500"), "rule=split_illegal");
      assertRefused(
          () -> copy.alter("rowguard.group", null), "rule=layout_changed", "data=\"file ");
      copy.admin().disableTable(copy.name);
      assertRefused(
          () -> copy.alter("rowguard.group", null), "rule=layout_changed", "data=\"file ");
      assertEquals(List.of("", "k"), copy.startKeys());
    }
  }

  /** The data must stay reachable: the table opens, can be read, and is as wrong as it was. */
  @Test
  void clone_ofAWrongTable_warns() throws IOException {
    try (DeclaredTable table =
            DeclaredTable.of(hbase, "rowguard.layout", "{", "rowguard.force", "test").create();
        DeclaredTable copy = DeclaredTable.of(hbase)) {
      snapshot(table, "clone_wrong");
      table.admin().cloneSnapshot("clone_wrong", copy.name);

      assertEquals("{", copy.value("rowguard.layout"));
      assertEquals(
          Map.of("forced_wrong_configuration", 1L, "warned_wrong_configuration", 1L),
          counters.moved());
    }
  }

  @Test
  void restore_ofTheSameDeclaration_isTakenAndGuarded() throws IOException {
    try (DeclaredTable table = DeclaredTable.grouped(hbase).create()) {
      table.put("alice|0001");
      snapshot(table, "restore_same");
      table.put("bob|0001");

      restore(table, "restore_same");

      assertRefused(() -> table.put("alice"), "Rowkey does not fit the layout");
      assertEquals(Map.of(), counters.moved());
    }
  }

  @Test
  void restore_fromBeforeTheLayout_isRefusedUnlessByForce() throws IOException {
    try (DeclaredTable table = DeclaredTable.of(hbase).create()) {
      table.put("anything");
      snapshot(table, "restore_before");
      table.alter("rowguard.layout", DeclaredTable.LAYOUT, "rowguard.mode", "warn");
      table.alter("rowguard.mode", "reject");

      assertRefused(
          () -> restore(table, "restore_before"),
          "Restoring the snapshot would replace the table's declaration by an older one. table="
              + table.name
              + " rule=restore_weakens snapshot=\"restore_before\""
              + " rowguard.layout=\"{user:word}|{item:digits(4)}\" restored=none.",
          "Clone the snapshot into another table",
          "first open the table for 10 minutes");
      assertEquals(DeclaredTable.LAYOUT, table.value("rowguard.layout"));

      table.alter("rowguard.force", "the layout was a mistake");
      restore(table, "restore_before");
      assertNull(table.value("rowguard.layout"));
      assertEquals(
          Map.of("refused_restore_weakens", 1L, "forced_restore_weakens", 1L), counters.moved());
    }
  }

  @Test
  void restore_ofALesserMode_isRefused() throws IOException {
    try (DeclaredTable table = DeclaredTable.grouped(hbase, "rowguard.mode", "warn").create()) {
      snapshot(table, "restore_warn");
      table.alter("rowguard.mode", "reject");

      assertRefused(
          () -> restore(table, "restore_warn"), "rowguard.mode=\"reject\" restored=\"warn\".");
    }
  }

  @Test
  void truncate_thatLosesSplits_warns() throws IOException {
    try (DeclaredTable table = DeclaredTable.grouped(hbase).withSplits("f", "p").create()) {
      table.admin().disableTable(table.name);
      table.admin().truncateTable(table.name, true);
      assertEquals(List.of("", "f", "p"), table.startKeys());
      assertEquals(Map.of(), counters.moved());

      table.admin().disableTable(table.name);
      table.admin().truncateTable(table.name, false);

      assertEquals(List.of(""), table.startKeys());
      assertEquals(Map.of("warned_truncate_loses_splits", 1L), counters.moved());
      assertRefused(() -> table.put("alice"), "Rowkey does not fit the layout");
    }
  }

  @Test
  void merge_ofSaltsThatWereApart_warns() throws Exception {
    try (DeclaredTable table =
        DeclaredTable.of(hbase, "rowguard.layout", DeclaredTable.SALTED)
            .withSplits("04", "04-m", "08", "12")
            .create()) {
      table.merge(1, 2);
      assertEquals(List.of("", "04", "08", "12"), table.startKeys());
      assertEquals(Map.of(), counters.moved());

      table.merge(2, 3);

      assertEquals(List.of("", "04", "08"), table.startKeys());
      assertEquals(Map.of("warned_merge_undoes_presplit", 1L), counters.moved());
    }
  }

  private static void snapshot(DeclaredTable table, String name) throws IOException {
    table.admin().snapshot(name, table.name);
  }

  private static void restore(DeclaredTable table, String snapshot) throws IOException {
    if (table.admin().isTableEnabled(table.name)) {
      table.admin().disableTable(table.name);
    }
    table.admin().restoreSnapshot(snapshot, false);
    table.admin().enableTable(table.name);
  }
}
