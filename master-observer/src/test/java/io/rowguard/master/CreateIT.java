package io.rowguard.master;

import static io.rowguard.master.RefusedOperations.assertRefused;
import static io.rowguard.master.RefusedOperations.messageOf;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.config.TableConfig;
import io.rowguard.testing.MiniCluster;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The tables that may be created. */
@ExtendWith(MiniCluster.class)
class CreateIT {
  private static final String HEX = "{id:hex(8)}";

  private final HBaseTestingUtility hbase;
  private final RuleCounters counters = new RuleCounters();

  CreateIT(HBaseTestingUtility hbase) {
    this.hbase = hbase;
  }

  @ParameterizedTest
  @CsvSource({
    "rowguard.layout, {user:wrod}",
    "rowguard.group, users",
    "rowguard.mode, rejekt",
    "rowguard.layuot, {user:word}",
    "RowGuard.Mode, warn",
    "rowguard.row.max.length, 0",
    "rowguard.mode, salt",
  })
  void create_wrongConfiguration_isRefusedInTheValidatorsWords(String key, String value)
      throws IOException {
    try (DeclaredTable table = DeclaredTable.grouped(hbase, key, value)) {
      String said =
          TableConfig.of(table.declared(), hbase.getConfiguration())
              .problemMessage(table.name.getNameAsString(), "it is not created");

      String message = messageOf(table::create);

      assertEquals(
          said
              + " rule=wrong_configuration. To do it all the same, add 'rowguard.force' => 'the"
              + " reason' to the table's METADATA.",
          message);
      assertFalse(table.exists());
      assertEquals(Map.of("refused_wrong_configuration", 1L), counters.moved());
    }
  }

  @Test
  void create_keyOnAColumnFamily_isRefused() throws IOException {
    try (DeclaredTable table =
        DeclaredTable.of(hbase).withFamilyValue("rowguard.layout", "{id:hex(8)}")) {
      assertRefused(table::create, "is set on the column family f", "rule=wrong_configuration");
      assertFalse(table.exists());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"reject", "off"})
  void create_wrongConfigurationByForce_isCreatedWithoutTheKey(String mode) throws IOException {
    try (DeclaredTable table =
        DeclaredTable.of(hbase, "rowguard.layout", "{", "rowguard.mode", mode)) {
      assertRefused(table::create, "rule=wrong_configuration");
    }
    try (DeclaredTable table =
        DeclaredTable.of(
                hbase,
                "rowguard.layout",
                "{",
                "rowguard.mode",
                mode,
                "rowguard.force",
                "a test of the hatch")
            .create()) {
      assertNull(table.value("rowguard.force"));
      assertEquals("{", table.value("rowguard.layout"));
      assertEquals(
          Map.of("refused_wrong_configuration", 1L, "forced_wrong_configuration", 1L),
          counters.moved());
    }
  }

  @Test
  void create_reasonIsBlank_isRefused() throws IOException {
    try (DeclaredTable table =
        DeclaredTable.of(hbase, "rowguard.layout", "{", "rowguard.force", " ")) {
      assertRefused(table::create, "rule=wrong_configuration");
      assertFalse(table.exists());
    }
  }

  @Test
  void create_reasonWithoutNeed_isCreatedWithoutTheKey() throws IOException {
    try (DeclaredTable table =
        DeclaredTable.grouped(hbase, "rowguard.force", "needless").create()) {
      assertNull(table.value("rowguard.force"));
      assertEquals(Map.of(), counters.moved());
    }
  }

  @Test
  void create_presplitThatCutsGroups_isRefusedWithTheGroupsBeginning() throws IOException {
    try (DeclaredTable table = DeclaredTable.grouped(hbase).withSplits("f", "kim|0500", "p+")) {
      assertRefused(
          table::create,
          "rule=presplit_illegal count=2: \"kim|0500\" (it reaches beyond the end of an entity"
              + " group offset=4) nearest=\"kim|\"; \"p+\" (no conforming row goes on with this"
              + " byte offset=1) nearest=\"p0\".",
          "table=" + table.name);
      assertFalse(table.exists());

      table.withSplits("f", "kim|", "p0").create();

      assertEquals(List.of("", "f", "kim|", "p0"), table.startKeys());
    }
  }

  /** As {@code Admin.createTable} divides between two keys, and the shell's NUMREGIONS. */
  @Test
  void create_hexKeysDividedAsBytes_isRefusedWithAnEvenDivision() throws IOException {
    try (DeclaredTable table = DeclaredTable.of(hbase, "rowguard.layout", HEX)) {
      String message =
          messageOf(
              () ->
                  table
                      .admin()
                      .createTable(
                          table.declared(),
                          Bytes.toBytes("00000000"),
                          Bytes.toBytes("ffffffff"),
                          16));

      assertTrue(message.contains("rule=presplit_illegal count="), message);
      assertTrue(message.contains("rule=presplit_unreachable count="), message);
      String even =
          "or these, which divide the keys evenly: \"1\", \"2\", \"3\", \"4\", \"5\", \"6\", \"7\","
              + " \"8\", \"9\", \"a\", \"b\", \"c\", \"d\", \"e\", \"f\".";
      assertTrue(message.contains(even), message);
      assertFalse(table.exists());

      table.withSplits("1 2 3 4 5 6 7 8 9 a b c d e f".split(" ")).create();
      assertEquals(16, table.regions().size());
    }
  }

  @Test
  void create_firstRegionUnreachable_isRefused() throws IOException {
    try (DeclaredTable table =
        DeclaredTable.of(hbase, "rowguard.layout", DeclaredTable.SALTED)
            .withSplits("00", "04", "08", "12")) {
      assertRefused(
          table::create, "rule=presplit_unreachable count=1: [\"\", \"00\") leave out \"00\".");

      table.withSplits("04", "08", "12").create();
      assertEquals(4, table.regions().size());
    }
  }

  @Test
  void create_illegalPresplitByForce_isCreated() throws IOException {
    try (DeclaredTable table =
        DeclaredTable.grouped(hbase, "rowguard.force", "old tool").withSplits("kim|0500")) {
      table.create();

      assertEquals(List.of("", "kim|0500"), table.startKeys());
      assertNull(table.value("rowguard.force"));
      assertEquals(Map.of("forced_presplit_illegal", 1L), counters.moved());
    }
  }

  @Test
  void create_illegalPresplitInWarnMode_isCreatedWithAWarning() throws IOException {
    try (DeclaredTable table =
        DeclaredTable.grouped(hbase, "rowguard.mode", "warn").withSplits("kim|0500").create()) {
      assertEquals(2, table.regions().size());
      assertEquals(Map.of("warned_presplit_illegal", 1L), counters.moved());
    }
  }

  @Test
  void create_illegalPresplitInOffMode_isCreated() throws IOException {
    try (DeclaredTable table =
        DeclaredTable.grouped(hbase, "rowguard.mode", "off").withSplits("kim|0500").create()) {
      assertEquals(2, table.regions().size());
      assertEquals(Map.of(), counters.moved());
    }
  }

  @Test
  void create_withoutLayout_takesAnyPresplit() throws IOException {
    try (DeclaredTable table =
        DeclaredTable.of(hbase).withSplits("\\x00\\xFF", "kim|0500").create()) {
      assertEquals(3, table.regions().size());
      assertEquals(Map.of(), counters.moved());
    }
  }

  @Test
  void create_policyOrObserverMissing_warns() throws IOException {
    try (DeclaredTable withoutPolicy =
            DeclaredTable.grouped(hbase)
                .withPolicy("org.apache.hadoop.hbase.regionserver.SteppingSplitPolicy")
                .create();
        DeclaredTable withoutObserver = DeclaredTable.grouped(hbase).withoutObserver().create()) {
      assertTrue(withoutPolicy.exists() && withoutObserver.exists());
      assertEquals(Map.of("warned_guard_incomplete", 2L), counters.moved());
    }
  }

  /** The shell's clone_table_schema goes through the same hook. */
  @Test
  void cloneTableSchema_ofAForcedTable_isRefused() throws IOException {
    try (DeclaredTable table =
            DeclaredTable.grouped(hbase, "rowguard.force", "old tool")
                .withSplits("kim|0500")
                .create();
        DeclaredTable copy = DeclaredTable.of(hbase)) {
      assertRefused(
          () -> table.admin().cloneTableSchema(table.name, copy.name, true),
          "table=" + copy.name,
          "rule=presplit_illegal");

      table.admin().cloneTableSchema(table.name, copy.name, false);
      assertEquals(1, copy.regions().size());
      assertEquals("user", copy.value("rowguard.group"));
    }
  }

  @Test
  void create_manyMistakes_namesSomeAndCountsAll() throws IOException {
    String[] keys = new String[40];
    Arrays.setAll(keys, i -> String.format("kim|%04d", i));
    try (DeclaredTable table = DeclaredTable.grouped(hbase).withSplits(keys)) {
      assertRefused(table::create, "count=40: \"kim|0000\"", "; and 30 more.");
    }
  }
}
