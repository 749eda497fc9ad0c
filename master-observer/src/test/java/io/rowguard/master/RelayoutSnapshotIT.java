package io.rowguard.master;

import static io.rowguard.master.RefusedOperations.assertRefused;
import static io.rowguard.master.RelayoutDescriptors.NEW;
import static io.rowguard.master.RelayoutDescriptors.OLD;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.rowguard.layout.RowkeyLayout;
import io.rowguard.testing.MiniCluster;
import java.io.IOException;
import java.util.UUID;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Snapshots, restores and truncations of a table whose layout changes. */
@ExtendWith(MiniCluster.class)
class RelayoutSnapshotIT {
  private static final String ALICE =
      Bytes.toString(RowkeyLayout.parse(OLD).complete(Bytes.toBytes("alice|0001")));

  private final HBaseTestingUtility hbase;

  RelayoutSnapshotIT(HBaseTestingUtility hbase) {
    this.hbase = hbase;
  }

  @Test
  void snapshot_ofATableInRelayout_isRefusedUnlessByForce() throws IOException {
    try (DeclaredTable table = salted();
        DeclaredTable copy = DeclaredTable.of(hbase)) {
      RelayoutAlters.start(table, NEW);
      String torn = name();
      assertRefused(
          () -> table.admin().snapshot(torn, table.name),
          "can miss rows",
          "table=" + table.name + " rule=relayout_snapshot snapshot=\"" + torn + "\"");

      table.alter("rowguard.force", "nobody writes");
      table.admin().snapshot(torn, table.name);
      table.drop(); // and so it is no longer open to what would be refused
      table.admin().cloneSnapshot(torn, copy.name); // all that there is of it
      copy.drop();
      table.create();

      assertRefused(
          () -> table.admin().cloneSnapshot(torn, copy.name),
          "table=" + copy.name + " rule=relayout_snapshot snapshot=\"" + torn + "\"",
          "alter '" + table.name + "', METADATA => {'rowguard.force' => 'the reason'}");
      table.admin().disableTable(table.name);
      assertRefused(
          () -> table.admin().restoreSnapshot(torn, false),
          "The snapshot is of a table whose layout was about to change",
          "table=" + table.name + " rule=relayout_snapshot");
      table.alter("rowguard.force", "nobody wrote");
      table.admin().cloneSnapshot(torn, copy.name);

      assertEquals("prepared", copy.value("rowguard.layout.phase"));
      table.admin().deleteSnapshot(torn);
    }
  }

  @Test
  void restore_ontoATableInRelayout_isRefused() throws IOException {
    try (DeclaredTable table = salted()) {
      table.put(ALICE);
      String before = name();
      table.admin().snapshot(before, table.name);
      RelayoutAlters.start(table, NEW);
      table.admin().disableTable(table.name);

      assertRefused(
          () -> table.admin().restoreSnapshot(before, false),
          "Restoring a snapshot would end a change of the table's layout",
          "rule=relayout_snapshot");
      table.admin().enableTable(table.name);
      RelayoutAlters.giveUp(table);
      table.admin().disableTable(table.name);
      assertRefused(
          () -> table.admin().restoreSnapshot(before, false),
          "rule=restore_weakens",
          "rowguard.layout.version=\"2\" restored=\"0\"");
      table.admin().deleteSnapshot(before);
    }
  }

  /** Operations that are free: none can lose a row that is to be kept. */
  @Test
  void truncateAndDrop_inRelayout_areTaken() throws IOException {
    try (DeclaredTable table = salted()) {
      table.put(ALICE);
      RelayoutAlters.start(table, NEW);
      RelayoutAlters.move(table);
      table.admin().disableTable(table.name);
      table.admin().truncateTable(table.name, true);

      assertEquals("moving", table.value("rowguard.layout.phase"));
      RelayoutAlters.finish(table);
    }
  }

  private DeclaredTable salted() throws IOException {
    return DeclaredTable.of(hbase, "rowguard.layout", OLD, "rowguard.group", "user")
        .withSplits("04", "08", "12")
        .create();
  }

  private static String name() {
    return "relayout_" + UUID.randomUUID().toString().replace("-", "");
  }
}
