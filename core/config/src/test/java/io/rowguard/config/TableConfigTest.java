package io.rowguard.config;

import static io.rowguard.config.Descriptors.LAYOUT;
import static io.rowguard.config.Descriptors.site;
import static io.rowguard.config.Descriptors.table;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.CompoundConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.Test;

/** The settings, their sources, and their defaults. */
class TableConfigTest {
  @Test
  void of_nothingConfigured_hasNothingToDo() {
    TableConfig config = TableConfig.of(table(), site());

    assertFalse(config.hasLayout());
    assertFalse(config.isWrong());
    assertNull(config.layout());
    assertNull(config.group());
    assertEquals(List.of(), config.problems());
    assertEquals(List.of(), config.warnings());
  }

  @Test
  void of_onlyALayout_hasTheDefaultOfEveryOtherKey() {
    TableConfig config = TableConfig.of(table("rowguard.layout", LAYOUT), site());

    assertTrue(config.hasLayout());
    assertFalse(config.isWrong());
    assertEquals(LAYOUT, config.layout().toString());
    assertEquals(32767, config.layout().maxRowLength());
    assertNull(config.group().segment());
    assertEquals(Mode.REJECT, config.mode());
    assertEquals(HFileCheck.BLOCKS, config.bulkLoads());
    assertEquals(BoundedScans.REJECT, config.scans());
    assertEquals(10_000, config.saltTimeoutMillis());
    assertEquals(Runtime.getRuntime().maxMemory() / 32, config.saltMaxBytes());
    assertEquals(256, config.scanMaxBuckets());
    assertEquals(Set.of(), config.rowBlindFilters());
    assertEquals(Merges.WARN, config.merges());
    assertEquals(100, config.loadSample());
    assertEquals(60, config.loadHalfLifeSeconds());
    assertEquals(LoadKeys.SHOW, config.loadKeys());
    assertEquals(Verify.SAMPLE, config.verify());
    assertEquals(0, config.splitLoad());
    assertEquals(5, config.splitLoadMinutes());
    assertEquals(20, config.splitLoadMaxRegions());
    assertEquals(Acceptance.ACCEPT, config.deletes());
    assertEquals(Acceptance.ACCEPT, config.replication());
    assertNull(config.splitWhen());
  }

  @Test
  void of_everyKeyInTheDescriptor_readsThem() {
    assertReadsEverything(TableConfig.of(table(everything()), site()));
  }

  @Test
  void of_everyKeyInTheSite_readsThem() {
    assertReadsEverything(TableConfig.of(table(), site(everything())));
  }

  @Test
  void of_everyKeyInBoth_prefersTheDescriptor() {
    Configuration site =
        site(
            "rowguard.layout", "{other:digits(4)}",
            "rowguard.group", "other",
            "rowguard.mode", "off",
            "rowguard.row.max.length", "4",
            "rowguard.split.when", "none",
            "rowguard.bulkload", "off",
            "rowguard.delete", "accept",
            "rowguard.replication", "accept",
            "rowguard.scan", "reject",
            "rowguard.salt.ambiguous", "reject",
            "rowguard.salt.timeout.ms", "1",
            "rowguard.merge", "accept",
            "rowguard.force", "never read");

    assertReadsEverything(TableConfig.of(table(everything()), site));
  }

  @Test
  void of_wrongValueInTheSiteButRightOneInTheDescriptor_isRight() {
    Configuration site = site("rowguard.mode", "rejekt", "rowguard.layout", "{");

    TableConfig config =
        TableConfig.of(table("rowguard.layout", LAYOUT, "rowguard.mode", "warn"), site);

    assertEquals(List.of(), config.problems());
    assertEquals(Mode.WARN, config.mode());
  }

  @Test
  void of_rightValueInTheSiteButWrongOneInTheDescriptor_isWrong() {
    TableConfig config =
        TableConfig.of(
            table("rowguard.layout", LAYOUT, "rowguard.mode", "rejekt"),
            site("rowguard.mode", "warn"));

    assertTrue(config.isWrong());
  }

  /** HBase hands its plugins the site's configuration with the table's own values over it. */
  @Test
  void of_configurationAsARegionHasIt_reportsEveryMistakeOnce() {
    TableDescriptor table = table("rowguard.layuot", LAYOUT, "rowguard.mode", "rejekt");
    Configuration region =
        new CompoundConfiguration()
            .add(site("rowguard.split.wen", "never"))
            .addBytesMap(table.getValues());

    assertEquals(3, TableConfig.of(table, region).problems().size());
  }

  @Test
  void of_blanksAroundAValueOfAChoiceOrANumber_ignoresThem() {
    TableConfig config =
        TableConfig.of(
            table(
                "rowguard.layout", LAYOUT,
                "rowguard.mode", " warn ",
                "rowguard.row.max.length", " 64\n"),
            site());

    assertEquals(List.of(), config.problems());
    assertEquals(Mode.WARN, config.mode());
    assertEquals(64, config.layout().maxRowLength());
  }

  /** It would let everything through, so its author has to be told that it does not. */
  @Test
  void of_forceInTheSite_isAWarning() {
    TableConfig config =
        TableConfig.of(
            table("rowguard.layout", LAYOUT), site("rowguard.force", "${rowguard.force}x"));

    assertEquals(List.of(), config.problems());
    assertEquals(
        List.of(
            "rowguard.force in hbase-site.xml is not read: it comes with the one change that it is"
                + " for."),
        config.warnings());
  }

  @Test
  void declared_ofARightConfiguration_isAsTheLayoutIsWritten() {
    TableConfig config =
        TableConfig.of(
            table("rowguard.layout", "{ a:word }|{b:text}", "rowguard.group", "a"), site());

    assertEquals("{a:word}|{b:text}", config.declaredLayout());
    assertEquals("a", config.declaredGroup());
  }

  @Test
  void declared_ofAWrongConfiguration_isWhatStandsThere() {
    TableConfig config =
        TableConfig.of(table("rowguard.layout", "{ a:wrod }", "rowguard.group", "b"), site());

    assertTrue(config.isWrong());
    assertEquals("{ a:wrod }", config.declaredLayout());
    assertEquals("b", config.declaredGroup());
  }

  @Test
  void declared_ofALayoutBesideAMistake_isAsTheLayoutIsWritten() {
    TableConfig config =
        TableConfig.of(table("rowguard.layout", "{ a:word }", "rowguard.modus", "warn"), site());

    assertTrue(config.isWrong());
    assertEquals("{a:word}", config.declaredLayout());
  }

  @Test
  void systemTable_whateverIsConfigured_hasNeitherLayoutNorProblems() {
    TableDescriptor table =
        TableDescriptorBuilder.newBuilder(TableName.valueOf("hbase:acl"))
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of("l"))
            .setValue("rowguard.mode", "rejekt")
            .build();

    TableConfig config =
        TableConfig.of(table, site("rowguard.layout", LAYOUT, "rowguard.layuot", LAYOUT));

    assertFalse(config.hasLayout());
    assertEquals(List.of(), config.problems());
    assertEquals(List.of(), config.warnings());
  }

  @Test
  void declared_withoutLayout_isNothing() {
    TableConfig config = TableConfig.of(table(), site("rowguard.group", "user"));

    assertNull(config.declaredLayout());
    assertNull(config.declaredGroup());
  }

  @Test
  void of_groupInTheSiteOfATableWithoutLayout_isNoMistake() {
    TableConfig config = TableConfig.of(table(), site("rowguard.group", "user"));

    assertFalse(config.isWrong());
    assertEquals(List.of(), config.warnings());
  }

  @Test
  void of_groupInTheSiteAndLayoutInTheDescriptor_goTogether() {
    TableConfig config =
        TableConfig.of(table("rowguard.layout", LAYOUT), site("rowguard.group", "user"));

    assertEquals("user", config.group().segment());
  }

  @Test
  void of_wrongMode_staysReadable() {
    TableConfig config =
        TableConfig.of(table("rowguard.layout", LAYOUT, "rowguard.mode", "x"), site());

    assertFalse(config.hasLayout());
    assertNull(config.layout());
    assertEquals(Mode.REJECT, config.mode());
  }

  @Test
  void problems_always_cannotBeChanged() {
    TableConfig config = TableConfig.of(table("rowguard.x", "1"), site());

    assertThrows(UnsupportedOperationException.class, () -> config.problems().clear());
    assertThrows(UnsupportedOperationException.class, () -> config.warnings().add(""));
  }

  private static String[] everything() {
    return new String[] {
      "rowguard.layout", LAYOUT,
      "rowguard.group", "user",
      "rowguard.mode", "warn",
      "rowguard.row.max.length", "100",
      "rowguard.split.when", "org.example.Never",
      "rowguard.bulkload", "full",
      "rowguard.delete", "enforce",
      "rowguard.replication", "enforce",
      "rowguard.scan", "accept",
      "rowguard.salt.ambiguous", "accept",
      "rowguard.salt.timeout.ms", "2000",
      "rowguard.salt.max.bytes", "3000000000",
      "rowguard.force", "it must be",
      "rowguard.scan.max.buckets", "1000",
      "rowguard.filters.row.blind", "org.example.A, org.example.B$C,",
      "rowguard.merge", "reject",
      "rowguard.load.sample", "0",
      "rowguard.load.halflife.seconds", "7",
      "rowguard.load.keys", "hide",
      "rowguard.relayout.verify", "all",
      "rowguard.split.load", "2500",
      "rowguard.split.load.minutes", "9",
      "rowguard.split.load.max.regions", "8"
    };
  }

  private static void assertReadsEverything(TableConfig config) {
    assertEquals(List.of(), config.problems());
    assertTrue(config.hasLayout());
    assertEquals(LAYOUT, config.layout().toString());
    assertEquals(100, config.layout().maxRowLength());
    assertEquals("user", config.group().segment());
    assertEquals(config.layout(), config.group().layout());
    assertEquals(Mode.WARN, config.mode());
    assertEquals(HFileCheck.FULL, config.bulkLoads());
    assertEquals(BoundedScans.ACCEPT, config.scans());
    assertEquals(2000, config.saltTimeoutMillis());
    assertEquals(3_000_000_000L, config.saltMaxBytes());
    assertEquals(1000, config.scanMaxBuckets());
    assertEquals(Set.of("org.example.A", "org.example.B$C"), config.rowBlindFilters());
    assertEquals(Merges.REJECT, config.merges());
    assertEquals(0, config.loadSample());
    assertEquals(7, config.loadHalfLifeSeconds());
    assertEquals(LoadKeys.HIDE, config.loadKeys());
    assertEquals(Verify.ALL, config.verify());
    assertEquals(2500, config.splitLoad());
    assertEquals(9, config.splitLoadMinutes());
    assertEquals(8, config.splitLoadMaxRegions());
    assertEquals(Acceptance.ENFORCE, config.deletes());
    assertEquals(Acceptance.ENFORCE, config.replication());
    assertEquals("org.example.Never", config.splitWhen());
    long ofChanges =
        Arrays.stream(RowguardKey.values())
            .filter(key -> key.key().startsWith("rowguard.layout."))
            .count();
    assertEquals(4, ofChanges, "those that RelayoutConfigTest tests");
    // The layouts of other clusters are ReplicationConfigTest's.
    long others = RowguardKey.values().length - ofChanges - 1;
    assertEquals(others * 2, everything().length, "a key without a test");
  }

  /** The master leaves it when the rest is taken off the table. */
  @Test
  void site_withAMistake_isNoneOfATableThatHasAVersionOnly() {
    TableConfig config =
        TableConfig.of(
            table("rowguard.layout.version", "6"), site("rowguard.layuot", "{user:word}"));

    assertFalse(config.isWrong());
    assertEquals(1, config.warnings().size());
  }
}
