package io.rowguard.master;

import static io.rowguard.master.DeclaredTable.SALTED;
import static io.rowguard.master.RefusedOperations.assertRefused;
import static io.rowguard.master.RefusedOperations.messageOf;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.rowguard.config.TableConfig;
import io.rowguard.testing.MiniCluster;
import java.io.IOException;
import java.util.Map;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The changes of a table's declaration that are taken. */
@ExtendWith(MiniCluster.class)
class AlterIT {
  private static final String OTHER = "{user:word}|{item:digits(6)}";

  private final HBaseTestingUtility hbase;
  private final RuleCounters counters = new RuleCounters();

  AlterIT(HBaseTestingUtility hbase) {
    this.hbase = hbase;
  }

  /** Where a table's rows are. */
  enum Data {
    IN_MEMORY,
    IN_FILES,
    DELETED_IN_FILES,
    DISABLED;

    void fill(DeclaredTable table) throws IOException {
      table.put("alice|0001");
      if (this != IN_MEMORY) {
        table.flush();
      }
      if (this == DELETED_IN_FILES) {
        table.delete("alice|0001");
      }
      if (this == DISABLED) {
        table.admin().disableTable(table.name);
      }
    }
  }

  @Test
  void alter_toWrongConfiguration_isRefusedAndChangesNothing() throws IOException {
    try (DeclaredTable table = DeclaredTable.grouped(hbase).create()) {
      TableDescriptor before = table.stored();
      TableDescriptor wrong =
          TableDescriptorBuilder.newBuilder(before).setValue("rowguard.group", "usr").build();

      String message = messageOf(() -> table.alter("rowguard.group", "usr"));

      assertEquals(
          TableConfig.of(wrong, hbase.getConfiguration())
                  .problemMessage(table.name.getNameAsString(), "it is not altered")
              + " rule=wrong_configuration. To do it all the same, add 'rowguard.force' => 'the"
              + " reason' to the table's METADATA.",
          message);
      assertEquals(before, table.stored());
      table.put("alice|0001");
    }
  }

  @Test
  void alter_ofAColumnFamily_toWrongConfiguration_isRefused() throws IOException {
    try (DeclaredTable table = DeclaredTable.grouped(hbase).create()) {
      ColumnFamilyDescriptor f =
          ColumnFamilyDescriptorBuilder.newBuilder(DeclaredTable.F)
              .setConfiguration("rowguard.mode", "warn")
              .build();
      ColumnFamilyDescriptor g =
          ColumnFamilyDescriptorBuilder.newBuilder(Bytes.toBytes("g"))
              .setConfiguration("rowguard.group", "user")
              .build();

      assertRefused(
          () -> table.admin().modifyColumnFamily(table.name, f), "on the column family f");
      assertRefused(() -> table.admin().addColumnFamily(table.name, g), "on the column family g");

      assertEquals(1, table.stored().getColumnFamilyCount());
      table.admin().addColumnFamily(table.name, ColumnFamilyDescriptorBuilder.of("g"));
      table.admin().deleteColumnFamily(table.name, Bytes.toBytes("g"));
      assertEquals(Map.of("refused_wrong_configuration", 2L), counters.moved());
    }
  }

  /** A refusal would leave no way to change it, not even to turn it off. */
  @Test
  void alter_ofATableThatIsWrong_isTakenUnlessItMakesItWorse() throws IOException {
    try (DeclaredTable table =
        DeclaredTable.of(
                hbase, "rowguard.layout", "{", "rowguard.mode", "rejekt", "rowguard.force", "test")
            .create()) {
      table.alter("MAX_FILESIZE", "100000000");
      table.admin().addColumnFamily(table.name, ColumnFamilyDescriptorBuilder.of("g"));
      table.alter("rowguard.mode", "off");
      assertRefused(() -> table.alter("rowguard.delete", "maybe"), "rowguard.delete is \"maybe\"");
      table.alter("rowguard.layout", OTHER);

      assertEquals(
          Map.of(
              "forced_wrong_configuration", 1L,
              "warned_wrong_configuration", 3L,
              "refused_wrong_configuration", 1L),
          counters.moved());
    }
  }

  @ParameterizedTest
  @EnumSource(Data.class)
  void alter_layoutOfATableThatHoldsData_isRefusedUnlessInWarnMode(Data data) throws IOException {
    try (DeclaredTable table = DeclaredTable.grouped(hbase).create()) {
      data.fill(table);

      assertRefused(
          () -> table.alter("rowguard.layout", OTHER),
          "table="
              + table.name
              + " rule=layout_changed layout=\"{user:word}|{item:digits(4)}\""
              + " newLayout=\"{user:word}|{item:digits(6)}\" group=\"user\" newGroup=\"user\""
              + " data=\""
              + (data == Data.IN_MEMORY ? "row alice|0001 in memory\"" : "file "),
          "Set rowguard.mode=warn in the same change");
      assertEquals(DeclaredTable.LAYOUT, table.value("rowguard.layout"));

      table.alter("rowguard.layout", OTHER, "rowguard.mode", "warn");
      table.alter("rowguard.mode", "reject");
      assertEquals(OTHER, table.value("rowguard.layout"));
      assertEquals(Map.of("refused_layout_changed", 1L), counters.moved());
    }
  }

  /** A row with bytes that do not print, such as a descending time, is written as in the shell. */
  @Test
  void alter_layoutOfATableWithABinaryRow_showsTheRowAsTheShellDoes() throws IOException {
    String salted = "{salt:digits(2)=murmur3(user)%%%d}-{user:word}|{time:millis descending}";
    String row = "13-alice|\\x7F\\xFF\\xFEs\\xB6d\\x97\\xFF";
    try (DeclaredTable table =
        DeclaredTable.of(hbase, "rowguard.layout", String.format(salted, 16)).create()) {
      table.put(row);

      assertRefused(
          () -> table.alter("rowguard.layout", String.format(salted, 64)),
          "rule=layout_changed",
          " data=\"row " + row + " in memory\". Readers would look for rows where they are not",
          "rowguard relayout plan " + table.name + " --to '{salt:digits(2)=murmur3(user)%64}-");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void alter_layoutOfAnEmptyTable_isTaken(boolean disabled) throws IOException {
    try (DeclaredTable table = DeclaredTable.grouped(hbase).withSplits("f", "p").create()) {
      table.put("alice|0001", "kim|0001");
      table.flush();
      table.admin().disableTable(table.name);
      table.admin().truncateTable(table.name, true);
      if (disabled) {
        table.admin().disableTable(table.name);
      }

      table.alter("rowguard.layout", "{user:word}|{item:hex(8)}");

      assertEquals(Map.of(), counters.moved());
    }
  }

  @Test
  void alter_layoutThatKeepsAllRows_isTaken() throws IOException {
    String eight = "{salt:digits(1)=any of 8}-{user:word}|{item:digits(4)}";
    String ten = eight.replace("8", "10");
    try (DeclaredTable table = DeclaredTable.of(hbase, "rowguard.layout", eight).create()) {
      table.put("7-alice|0001");
      assertRefused(() -> table.put("9-alice|0001"), "segment=salt");

      table.alter("rowguard.layout", ten);

      table.put("9-alice|0001");
      assertEquals("2", table.value("rowguard.layout.version"));
      assertRefused(() -> table.alter("rowguard.layout", eight), "rule=layout_changed");
    }
  }

  @Test
  void alter_thatLeavesRegionsOpen_isRefusedForWhatRowsGoBy() throws Exception {
    try (DeclaredTable table = DeclaredTable.grouped(hbase).create()) {
      for (String[] change :
          new String[][] {{"rowguard.layout", OTHER}, {"rowguard.group", null}}) {
        TableDescriptor changed =
            TableDescriptorBuilder.newBuilder(table.stored())
                .setValue(change[0], change[1])
                .build();
        assertRefused(
            () -> table.admin().modifyTableAsync(changed, false).get(),
            "rule=regions_stay_open touched=[" + change[0] + "]");
      }
      assertEquals(Map.of("refused_regions_stay_open", 2L), counters.moved());
      table.alter("rowguard.layout", OTHER);
    }
  }

  @Test
  void alter_groupOfATableThatHoldsData_isRefused() throws IOException {
    try (DeclaredTable table = DeclaredTable.grouped(hbase).create()) {
      table.put("alice|0001");

      assertRefused(() -> table.alter("rowguard.group", null), "group=\"user\" newGroup=none");
      assertRefused(
          () -> table.alter("rowguard.group", "item"), "group=\"user\" newGroup=\"item\"");
      assertEquals("user", table.value("rowguard.group"));
    }
  }

  @Test
  void alter_layoutSpeltInAnotherWay_isTaken() throws IOException {
    try (DeclaredTable table = DeclaredTable.grouped(hbase).create()) {
      table.put("alice|0001");

      table.alter("rowguard.layout", "{ user:word }|{item:digits(4)}");

      assertEquals(Map.of(), counters.moved());
    }
  }

  @Test
  void alter_firstLayoutOfATableThatHoldsData_isRefusedUnlessInWarnMode() throws IOException {
    try (DeclaredTable table = DeclaredTable.of(hbase).withSplits("kim|0500", "p\\x00").create()) {
      table.put("anything");

      assertRefused(
          () -> table.alter("rowguard.layout", DeclaredTable.LAYOUT),
          "layout=none newLayout=\"{user:word}|{item:digits(4)}\"");
      table.alter(
          "rowguard.layout",
          DeclaredTable.LAYOUT,
          "rowguard.group",
          "user",
          "rowguard.mode",
          "warn");

      assertEquals(
          Map.of("refused_layout_changed", 1L, "warned_boundaries_illegal", 2L), counters.moved());
    }
  }

  /** At 3 a.m. that must go. */
  @Test
  void alter_layoutTakenAwayOrTurnedOff_isTaken() throws IOException {
    try (DeclaredTable table = DeclaredTable.grouped(hbase).create()) {
      table.put("alice|0001");

      table.alter("rowguard.mode", "off");
      table.alter("rowguard.mode", null, "rowguard.layout", null, "rowguard.group", null);

      table.put("anything");
      assertEquals(Map.of(), counters.moved());
    }
  }

  @Test
  void alter_saltTurnedOnWithData_isRefused() throws IOException {
    try (DeclaredTable table = DeclaredTable.of(hbase, "rowguard.layout", SALTED).create()) {
      table.alter("rowguard.mode", "salt");
      table.put("alice|0001");
      table.alter("rowguard.mode", "reject");

      assertRefused(
          () -> table.alter("rowguard.mode", "salt"),
          "table=" + table.name + " rule=salt_turned_on data=\"file ",
          "Migrate first");
      assertEquals("reject", table.value("rowguard.mode"));

      table.alter("rowguard.mode", "salt", "rowguard.force", "only salted rows were written");
      assertEquals("salt", table.value("rowguard.mode"));
      assertEquals(
          Map.of("refused_salt_turned_on", 1L, "forced_salt_turned_on", 1L), counters.moved());
    }
  }

  @Test
  void alter_severalRulesBroken_saysAllOfThem() throws IOException {
    try (DeclaredTable table = DeclaredTable.grouped(hbase).create()) {
      table.put("alice|0001");

      assertRefused(
          () -> table.alter("rowguard.layout", SALTED, "rowguard.mode", "salt"),
          "rule=layout_changed",
          "rule=salt_turned_on");
    }
  }

  @Test
  void alter_byForce_isTakenAndTheKeyIsNotKept() throws IOException {
    try (DeclaredTable table = DeclaredTable.grouped(hbase).create()) {
      table.put("alice|0001");

      table.alter("rowguard.layout", OTHER, "rowguard.force", "audited by hand");

      assertEquals(OTHER, table.value("rowguard.layout"));
      assertNull(table.value("rowguard.force"));
      assertEquals(Map.of("forced_layout_changed", 1L), counters.moved());
      assertRefused(() -> table.alter("rowguard.layout", DeclaredTable.LAYOUT), "layout_changed");
    }
  }

  /** From times without this observer: that it stands there is no reason for another change. */
  @Test
  void alter_reasonThatStandsThereAlready_countsForNothingAndGoes() throws IOException {
    try (DeclaredTable table = DeclaredTable.grouped(hbase).create()) {
      table.put("alice|0001");
      hbase
          .getMiniHBaseCluster()
          .getMaster()
          .getTableDescriptors()
          .update(
              TableDescriptorBuilder.newBuilder(table.stored())
                  .setValue("rowguard.force", "long ago")
                  .build());
      assertEquals("long ago", table.value("rowguard.force"));

      assertRefused(() -> table.alter("rowguard.layout", OTHER), "rule=layout_changed");
      table.alter("MAX_FILESIZE", "100000000");

      assertNull(table.value("rowguard.force"));
    }
  }

  /** A column family's change has no place for a reason. */
  @Test
  void alter_ofATableOpenedByForce_isTaken() throws IOException {
    try (DeclaredTable table = DeclaredTable.grouped(hbase).create()) {
      table.alter("rowguard.force", "opened for a test");
      assertNull(table.value("rowguard.force"));

      table
          .admin()
          .modifyColumnFamily(
              table.name,
              ColumnFamilyDescriptorBuilder.newBuilder(DeclaredTable.F)
                  .setConfiguration("rowguard.mode", "warn")
                  .build());

      assertEquals(Map.of("forced_wrong_configuration", 1L), counters.moved());
    }
  }

  /** A reason with another change is for that change alone. */
  @Test
  void alter_byForceWithAnotherChange_doesNotOpenTheTable() throws IOException {
    try (DeclaredTable table = DeclaredTable.grouped(hbase).create()) {
      table.put("alice|0001");
      table.alter("MAX_FILESIZE", "100000000", "rowguard.force", "needless");

      assertRefused(() -> table.alter("rowguard.layout", OTHER), "rule=layout_changed");
    }
  }

  @Test
  void alter_ofATableThatDoesNotExist_isHBasesToRefuse() {
    TableDescriptor none =
        TableDescriptorBuilder.newBuilder(TableName.valueOf("no_such_table"))
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
            .setValue("rowguard.layout", "{")
            .build();

    Assertions.assertThrows(TableNotFoundException.class, () -> hbase.getAdmin().modifyTable(none));
  }

  @Test
  void alter_ofASystemTable_isLeftAlone() throws IOException {
    // Not hbase:namespace, which HBase 3.0 does not have.
    TableName system = TableName.valueOf("hbase:orders");
    hbase.createTable(system, "f");
    TableDescriptor before = hbase.getAdmin().getDescriptor(system);

    hbase
        .getAdmin()
        .modifyTable(
            TableDescriptorBuilder.newBuilder(before).setValue("rowguard.layout", "{").build());

    assertNotEquals(before, hbase.getAdmin().getDescriptor(system));
    assertEquals(Map.of(), counters.moved());
    hbase.deleteTable(system);
  }
}
