package io.rowguard.config;

import static io.rowguard.config.Descriptors.site;
import static io.rowguard.config.Descriptors.table;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.layout.LayoutChange.Place;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads a descriptor's change of the layout; mistakes are in RelayoutProblemsTest. */
class RelayoutConfigTest {
  private static final String OLD = "{salt:digits(2)=murmur3(user)%16}-{user:word}|{time:millis}";
  private static final String NEW = "{salt:digits(2)=murmur3(user)%64}-{user:word}|{time:millis}";
  private static final String AMBIGUOUS = "{salt:hex(2)=md5(user)}{user:word}|{time:millis}";
  private static final String PURGE = "hbase.hstore.time.to.purge.deletes";

  @Test
  void of_aTableWhoseRowsMove_readsBothLayouts() {
    TableConfig config = TableConfig.of(moving(), site());

    assertEquals(List.of(), config.problems());
    assertEquals(List.of(), config.warnings());
    Relayout relayout = config.relayout();
    assertEquals(OLD, relayout.change().from().toString());
    assertEquals(NEW, relayout.change().to().toString());
    assertEquals(config.layout(), relayout.change().to());
    assertEquals(relayout.change().from(), relayout.previousGroup().layout());
    assertEquals("user", config.group().segment());
    assertEquals("user", relayout.previousGroup().segment());
    assertEquals(Relayout.Phase.MOVING, relayout.phase());
    assertEquals(relayout.change().to(), config.router().primary());
    assertEquals(3, relayout.generation());
    assertEquals(4, config.layoutVersion());
    assertEquals(NEW, config.declaredLayout());
  }

  @Test
  void router_whilePrepared_hasTheOldLayoutsRowsAsPrimary() {
    TableConfig config =
        TableConfig.of(
            moving("rowguard.layout.phase", "prepared", "rowguard.layout.version", "3"), site());

    assertEquals(List.of(), config.problems());
    assertEquals(Relayout.Phase.PREPARED, config.relayout().phase());
    assertEquals(OLD, config.router().primary().toString());
    assertEquals(NEW, config.layout().toString());
  }

  @Test
  void of_blanksAroundTheValues_areNoMistake() {
    TableConfig config =
        TableConfig.of(
            moving(
                "rowguard.layout.phase", " moving ",
                "rowguard.layout.generation", " 3",
                "rowguard.layout.version", "4 "),
            site());

    assertEquals(List.of(), config.problems());
    assertEquals(4, config.layoutVersion());
  }

  @Test
  void layoutVersion_afterAChange_stays() {
    TableConfig config =
        TableConfig.of(table("rowguard.layout", NEW, "rowguard.layout.version", "5"), site());

    assertEquals(List.of(), config.problems());
    assertEquals(5, config.layoutVersion());
    assertNull(config.relayout());
  }

  @Test
  void layoutVersion_ofATableThatNeverChanged_isZero() {
    assertEquals(0, TableConfig.of(table("rowguard.layout", NEW), site()).layoutVersion());
  }

  /** A layout that was taken off leaves its version behind. */
  @Test
  void layoutVersion_withoutALayout_isNoMistake() {
    TableConfig config = TableConfig.of(table("rowguard.layout.version", "5"), site());

    assertEquals(List.of(), config.problems());
    assertEquals(5, config.layoutVersion());
  }

  @ParameterizedTest
  @CsvSource({"reject, accept", "reject, reject", "salt, reject", "salt, accept"})
  void of_modesInWhichEachWriteGoesToItsRow_areRight(String mode, String ambiguous) {
    TableDescriptor table = moving("rowguard.mode", mode, "rowguard.salt.ambiguous", ambiguous);

    assertEquals(List.of(), TableConfig.of(table, site()).problems());
  }

  /** Salt mode is what takes in bare keys while a table is salted. */
  @Test
  void of_saltModeOnRowsThatGetASalt_isRight() {
    TableConfig config =
        TableConfig.of(
            moving(
                "rowguard.layout.previous", "{user:word}|{time:millis}", "rowguard.mode", "salt"),
            site());

    assertEquals(List.of(), config.problems());
    byte[] bare = Bytes.toBytesBinary("alice|\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x01");
    assertEquals(Place.OLD, config.relayout().change().place(bare));
  }

  @Test
  void of_longestRow_isWhatFitsUnderBothLayouts() {
    TableConfig config =
        TableConfig.of(
            moving(
                "rowguard.layout.previous", "{user:word}|{time:millis}",
                "rowguard.row.max.length", "30"),
            site());

    assertEquals(List.of(), config.problems());
    assertEquals(30, config.layout().rowLengthLimit());
    assertEquals(27, config.relayout().previousGroup().layout().rowLengthLimit());
    byte[] longest = Bytes.toBytes("abcdefghijklmnopqr|\0\0\0\0\0\0\0\1");
    assertArrayEquals(
        longest, config.relayout().change().toOld(config.relayout().change().toNew(longest)));
  }

  @Test
  void of_longestRowOfTheLayoutThatAddsLess_isShorterToo() {
    TableConfig config =
        TableConfig.of(
            moving(
                "rowguard.layout", "{user:word}|{time:millis}",
                "rowguard.layout.previous", OLD,
                "rowguard.row.max.length", "30"),
            site());

    assertEquals(27, config.layout().rowLengthLimit());
    assertEquals(27, config.group().layout().rowLengthLimit());
    assertEquals(30, config.relayout().previousGroup().layout().rowLengthLimit());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "rowguard.layout.previous",
        "rowguard.layout.phase",
        "rowguard.layout.generation",
        "rowguard.layout.version"
      })
  void of_keyOfAChangeInTheSite_isAWarning(String key) {
    TableConfig config = TableConfig.of(table("rowguard.layout", NEW), site(key, "7"));

    assertEquals(List.of(), config.problems());
    assertEquals(
        List.of(key + " in hbase-site.xml is not read: it is set on each table that it is for."),
        config.warnings());
    assertNull(config.relayout());
    assertEquals(0, config.layoutVersion());
  }

  @Test
  void ofClient_otherFileThanTheServers_judgesTheDescriptor() {
    Configuration file =
        site(
            "rowguard.layuot",
            "x",
            "rowguard.mode",
            "warn",
            "rowguard.merge",
            "maybe",
            "rowguard.salt.timeout.ms",
            "x",
            PURGE,
            "5");

    TableConfig config = TableConfig.ofClient(moving(), file);

    assertEquals(List.of(), config.problems());
    assertEquals(1, config.warnings().size());
    assertTrue(config.warnings().get(0).startsWith("There is no key rowguard.layuot;"));
    assertEquals(NEW, config.layout().toString());
    assertEquals(3, config.relayout().generation());
    assertEquals(5, TableConfig.of(moving(), file).problems().size());
  }

  @Test
  void ofClient_mistakeInTheDescriptor_isOne() {
    TableDescriptor table = moving("rowguard.mode", "warn", "rowguard.layuot", "x");

    assertEquals(
        TableConfig.of(table, site()).problems(), TableConfig.ofClient(table, site()).problems());
    assertEquals(2, TableConfig.ofClient(table, site()).problems().size());
  }

  /** Whether the servers take an ambiguous layout may stand in their file. */
  @Test
  void ofClient_ambiguousLayoutThatServersMayTake_isNoMistake() {
    TableDescriptor table = table("rowguard.layout", AMBIGUOUS, "rowguard.mode", "salt");

    assertTrue(TableConfig.of(table, site()).isWrong());
    assertEquals(List.of(), TableConfig.ofClient(table, site()).problems());
  }

  @Test
  void ofClient_whatClientsWorkBy_isReadFromTheirFile() {
    TableConfig config =
        TableConfig.ofClient(
            table(),
            site(
                "rowguard.layout", NEW,
                "rowguard.group", "user",
                "rowguard.row.max.length", "50",
                "rowguard.scan.max.buckets", "9",
                "rowguard.filters.row.blind", "org.example.A"));

    assertEquals(NEW, config.layout().toString());
    assertEquals(50, config.layout().rowLengthLimit());
    assertEquals("user", config.group().segment());
    assertEquals(9, config.scanMaxBuckets());
    assertEquals(Set.of("org.example.A"), config.rowBlindFilters());
    assertTrue(TableConfig.ofClient(table(), site("rowguard.layout", "{")).isWrong());
  }

  /** A table of the layout {@link #NEW} whose rows leave {@link #OLD}; null takes a key off. */
  static TableDescriptor moving(String... changes) {
    Map<String, String> values = new LinkedHashMap<>();
    values.put("rowguard.layout", NEW);
    values.put("rowguard.layout.previous", OLD);
    values.put("rowguard.layout.phase", "moving");
    values.put("rowguard.layout.generation", "3");
    values.put("rowguard.layout.version", "4");
    values.put("rowguard.group", "user");
    for (int i = 0; i < changes.length; i += 2) {
      values.put(changes[i], changes[i + 1]);
    }
    values.values().removeIf(value -> value == null);
    return table(
        values.entrySet().stream()
            .flatMap(entry -> Arrays.stream(new String[] {entry.getKey(), entry.getValue()}))
            .toArray(String[]::new));
  }
}
