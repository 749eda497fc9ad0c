package io.rowguard.master;

import static io.rowguard.master.RefusedOperations.assertRefused;
import static io.rowguard.master.RelayoutDescriptors.NEW;
import static io.rowguard.master.RelayoutDescriptors.OLD;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.rowguard.layout.RowkeyLayout;
import io.rowguard.relayout.RelayoutRequest;
import io.rowguard.relayout.RelayoutResponse;
import io.rowguard.testing.MiniCluster;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.master.RegionState;
import org.apache.hadoop.hbase.master.assignment.RegionStateNode;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The alters that the master takes and refuses while the layout of a table changes. */
@ExtendWith(MiniCluster.class)
class RelayoutMasterIT {
  private static final String ALICE = row(OLD, "alice|0001");
  private static final String KIM = row(OLD, "kim|0001");

  private final HBaseTestingUtility hbase;
  private final RuleCounters counters = new RuleCounters();

  RelayoutMasterIT(HBaseTestingUtility hbase) {
    this.hbase = hbase;
  }

  @Test
  void steps_fromStartToFinish_areTakenOnceRowsHaveMoved() throws IOException {
    try (DeclaredTable table = salted()) {
      table.put(ALICE, KIM);

      RelayoutAlters.start(table, NEW);
      RelayoutAlters.move(table);
      assertRefused(
          () -> RelayoutAlters.finish(table),
          "table=" + table.name + " rule=relayout_unproved step=\"finish\" version=2 generation=1",
          " rows that only the old layout has",
          "rowguard relayout run moves what is left");
      assertEquals(OLD, table.value("rowguard.layout.previous"));

      pull(table, "alice|0001", "kim|0001");
      RelayoutAlters.finish(table);

      assertEquals(NEW, table.value("rowguard.layout"));
      assertNull(table.value("rowguard.layout.previous"));
      assertEquals("3", table.value("rowguard.layout.version"));
      assertEquals(1, counters.moved().get("refused_relayout_unproved"));
    }
  }

  @Test
  void steps_forthAndBackAndUp_areTaken() throws IOException {
    try (DeclaredTable table = salted()) {
      table.put(ALICE);

      RelayoutAlters.start(table, NEW);
      RelayoutAlters.giveUp(table);
      assertEquals(OLD, table.value("rowguard.layout"));
      RelayoutAlters.start(table, NEW);
      RelayoutAlters.move(table);
      RelayoutAlters.back(table);
      RelayoutAlters.finish(table);

      assertEquals(OLD, table.value("rowguard.layout"));
      assertEquals("7", table.value("rowguard.layout.version"));
      table.put(KIM);
    }
  }

  /** As a region may be after a failover of the master; its rows are there all the same. */
  @Test
  void finish_whileARegionIsOffline_isRefused() throws IOException {
    try (DeclaredTable table = salted()) {
      table.put(ALICE, KIM);
      RelayoutAlters.start(table, NEW);
      RelayoutAlters.move(table);
      pull(table, "alice|0001", "kim|0001");
      RegionStateNode region =
          hbase
              .getMiniHBaseCluster()
              .getMaster()
              .getAssignmentManager()
              .getRegionStates()
              .getRegionStateNode(table.admin().getRegions(table.name).get(0));

      region.setState(RegionState.State.OFFLINE);
      try {
        assertRefused(() -> RelayoutAlters.finish(table), "not all regions are open");
      } finally {
        region.setState(RegionState.State.OPEN);
      }
      RelayoutAlters.finish(table);
    }
  }

  /** It may be from the time of warn mode, and would hide alice's row. */
  @Test
  void move_withARowOfTheNewLayoutOnly_isRefused() throws IOException {
    try (DeclaredTable table = salted()) {
      table.put(ALICE);
      table.alter("rowguard.mode", "warn");
      table.put(row(NEW, "kim|0001"));
      table.alter("rowguard.mode", "reject");

      RelayoutAlters.start(table, NEW);
      assertRefused(
          () -> RelayoutAlters.move(table),
          "rule=relayout_unproved step=\"move\" version=1 generation=1 found=\"1 of ",
          " rows that only the new layout has");

      RelayoutAlters.giveUp(table);
      table.delete(row(NEW, "kim|0001"));
      RelayoutAlters.start(table, NEW);
      RelayoutAlters.move(table);
      assertEquals("moving", table.value("rowguard.layout.phase"));
    }
  }

  /** Such a region writes whatever comes. */
  @Test
  void start_withoutObserver_isRefused() throws IOException {
    try (DeclaredTable table =
        DeclaredTable.of(hbase, "rowguard.layout", OLD).withoutObserver().create()) {
      assertRefused(() -> RelayoutAlters.start(table, NEW), "rule=relayout_unguarded");
      assertRefused(
          () ->
              table.alterTo(
                  RelayoutDescriptors.withObserver(RelayoutAlters.started(table.stored(), NEW))),
          "rule=relayout_unproved step=\"start\"",
          "does not answer what it is asked");
    }
  }

  @Test
  void step_ofAnotherVersion_isRefused() throws IOException {
    try (DeclaredTable table = salted()) {
      TableDescriptor start = RelayoutAlters.started(table.stored(), NEW);
      assertRefused(
          () -> table.alterTo(version(start, "2")),
          "rule=relayout_version stored=0 found=2 next=1 ",
          "rowguard relayout status " + table.name);
      assertRefused(() -> table.alterTo(version(start, null)), "rowguard.layout.version is not");
      RelayoutAlters.start(table, NEW);

      TableDescriptor move = RelayoutAlters.moved(table.stored());
      for (String wrong : List.of("1", "3")) {
        assertRefused(
            () -> table.alterTo(version(move, wrong)),
            "rule=relayout_version stored=1 found=" + wrong + " next=2 ");
      }
      RelayoutAlters.move(table);
      TableDescriptor back = RelayoutAlters.back(table.stored());
      assertRefused(
          () -> table.alterTo(version(back, "3")),
          "rule=relayout_version stored=2 found=3 next=4 ");
      assertEquals("2", table.value("rowguard.layout.version"));
    }
  }

  @Test
  void alter_thatIsNoStep_isRefused() throws IOException {
    try (DeclaredTable table = salted()) {
      String third = OLD.replace("%16", "%32");
      RelayoutAlters.start(table, NEW);
      TableDescriptor prepared = table.stored();

      assertRefused(
          () ->
              table.alterTo(
                  version(RelayoutDescriptors.with(prepared, "rowguard.layout", third), "2")),
          "rule=relayout_step touched=[rowguard.layout] ",
          "either with rowguard.layout.version=2.");
      assertRefused(() -> table.alterTo(RelayoutAlters.finished(prepared)), "rule=relayout_step");
      RelayoutAlters.move(table);
      TableDescriptor moving = table.stored();
      assertRefused(
          () -> table.alterTo(RelayoutAlters.givenUp(moving)), "rule=relayout_step", "goes back");
      assertRefused(
          () -> table.alter("rowguard.layout", "{other:digits(4)}"), "is wrong", "not altered");
      assertRefused(() -> table.alter("rowguard.group", "item"), "rule=relayout_step");
      assertEquals(moving, table.stored());
    }
  }

  /** Elsewhere this is never refused. */
  @Test
  void alter_thatTurnsOff_isRefusedInTheMiddle() throws IOException {
    try (DeclaredTable table = salted()) {
      RelayoutAlters.start(table, NEW);
      RelayoutAlters.move(table);
      TableDescriptor moving = table.stored();

      for (String mode : List.of("warn", "off")) {
        assertRefused(() -> table.alter("rowguard.mode", mode), "rule=wrong_configuration");
      }
      assertRefused(
          () -> table.alterTo(RelayoutDescriptors.withoutObserver(moving)),
          "rule=relayout_unguarded",
          "Keep the coprocessor io.rowguard.observer.LayoutRegionObserver");
      assertRefused(
          () ->
              table.alter(
                  "rowguard.layout", null,
                  "rowguard.layout.previous", null,
                  "rowguard.layout.phase", null,
                  "rowguard.layout.generation", null),
          "rule=relayout_version");
      assertEquals(moving, table.stored());
      table.alter("MAX_FILESIZE", "100000000");
      table.admin().addColumnFamily(table.name, ColumnFamilyDescriptorBuilder.of("g"));
    }
  }

  /** The version goes on all the same, so that no client takes the table for the former one. */
  @Test
  void alter_byForce_isTakenWithAHigherVersion() throws IOException {
    try (DeclaredTable table = salted()) {
      table.put(ALICE);
      RelayoutAlters.start(table, NEW);
      RelayoutAlters.move(table);

      table.alter("rowguard.force", "for a split");
      assertRefused(() -> RelayoutAlters.finish(table), "rule=relayout_unproved");
      table.alterTo(
          RelayoutDescriptors.with(
              RelayoutAlters.finished(table.stored()), "rowguard.force", "alice may be lost"));
      assertEquals("3", table.value("rowguard.layout.version"));
      table.alter("rowguard.layout", OLD, "rowguard.force", "alice may not be lost");
      assertEquals("4", table.value("rowguard.layout.version"));
      RelayoutAlters.start(table, NEW);
      table.alter(
          "rowguard.layout.previous", null,
          "rowguard.layout.phase", null,
          "rowguard.layout.generation", null,
          "rowguard.layout.version", null,
          "rowguard.force", "to see the version");
      assertEquals("7", table.value("rowguard.layout.version"));

      Map<String, Long> moved = counters.moved();
      assertEquals(1, moved.get("forced_relayout_unproved"));
      assertEquals(1, moved.get("forced_relayout_version"));
      assertEquals(1, moved.get("forced_layout_changed"));
    }
  }

  @Test
  void alter_ofTheLayoutAfterARelayout_countsByItself() throws IOException {
    try (DeclaredTable table = salted()) {
      RelayoutAlters.start(table, NEW);
      RelayoutAlters.giveUp(table);

      table.alter("rowguard.layout", "{user:word}|{item:hex(8)}");
      assertEquals("3", table.value("rowguard.layout.version"));
      table.alter("rowguard.layout", null, "rowguard.group", null);
      assertEquals("4", table.value("rowguard.layout.version"));
      table.alter("rowguard.layout.version", null);
      assertEquals("4", table.value("rowguard.layout.version"));
      table.alter("rowguard.layout", OLD);
      assertEquals("5", table.value("rowguard.layout.version"));
      assertRefused(
          () -> table.alter("rowguard.layout", NEW, "rowguard.layout.version", "9"),
          "rule=relayout_version stored=5 found=9 next=6 ");
    }
  }

  @Test
  void create_inRelayout_isRefused() throws IOException {
    try (DeclaredTable table =
        DeclaredTable.of(
            hbase,
            "rowguard.layout",
            NEW,
            "rowguard.layout.previous",
            OLD,
            "rowguard.layout.phase",
            "moving",
            "rowguard.layout.generation",
            "1",
            "rowguard.layout.version",
            "2")) {
      assertRefused(table::create, "A table cannot begin in the middle", "rule=relayout_step");
    }
  }

  @Test
  void steps_ofADisabledTable_needNoRegions() throws IOException {
    try (DeclaredTable table = salted();
        DeclaredTable empty = salted()) {
      table.put(ALICE);
      for (DeclaredTable each : List.of(table, empty)) {
        each.admin().disableTable(each.name);
        RelayoutAlters.start(each, NEW);
      }
      assertRefused(
          () -> RelayoutAlters.move(table),
          "the table is disabled, so its regions cannot count: file");

      RelayoutAlters.move(empty);
      RelayoutAlters.back(empty);
      RelayoutAlters.finish(empty);
      assertEquals("5", empty.value("rowguard.layout.version"));
      table.admin().enableTable(table.name);
      RelayoutAlters.move(table);
    }
  }

  private DeclaredTable salted() throws IOException {
    return DeclaredTable.of(hbase, "rowguard.layout", OLD, "rowguard.group", "user")
        .withSplits("04", "08", "12")
        .create();
  }

  /** Has the regions of new rows pull them. */
  private void pull(DeclaredTable table, String... bareKeys) throws IOException {
    long generation = Long.parseLong(table.value("rowguard.layout.generation"));
    try (Table client = hbase.getConnection().getTable(table.name)) {
      for (String key : bareKeys) {
        byte[] row = Bytes.toBytes(row(NEW, key));
        RelayoutResponse response =
            RelayoutResponse.of(
                client.get(RelayoutRequest.touch(generation, List.of(row)).toGet(row)));
        assertEquals(RelayoutResponse.Outcome.DONE, response.items().get(0).outcome());
      }
    }
  }

  private static String row(String layout, String bareKey) {
    return Bytes.toString(RowkeyLayout.parse(layout).complete(Bytes.toBytes(bareKey)));
  }

  private static TableDescriptor version(TableDescriptor table, String version) {
    return RelayoutDescriptors.with(table, "rowguard.layout.version", version);
  }
}
