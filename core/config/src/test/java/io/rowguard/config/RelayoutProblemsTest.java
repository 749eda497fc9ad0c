package io.rowguard.config;

import static io.rowguard.config.Descriptors.site;
import static io.rowguard.config.Descriptors.table;
import static io.rowguard.config.RelayoutConfigTest.moving;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The mistakes of descriptors that declare a change of the layout. */
class RelayoutProblemsTest {
  private static final String NEW = "{salt:digits(2)=murmur3(user)%64}-{user:word}|{time:millis}";
  private static final String AMBIGUOUS = "{salt:hex(2)=md5(user)}{user:word}|{time:millis}";
  private static final String PURGE = "hbase.hstore.time.to.purge.deletes";
  private static final String MUST = ", but while rowguard.layout.previous is set it must be ";

  @Test
  void problems_previousWithoutLayout_saysSo() {
    assertProblem(
        "rowguard.layout.previous is set, but the table's descriptor has no rowguard.layout that"
            + " its rows could go to; set it there, or take the other off.",
        moving("rowguard.layout", null, "rowguard.group", null));
  }

  /** It would change with the servers' files, one after the other. */
  @Test
  void problems_previousWithTheLayoutInTheSite_saysSo() {
    TableConfig config =
        TableConfig.of(moving("rowguard.layout", null), site("rowguard.layout", NEW));

    assertEquals(1, config.problems().size());
    assertTrue(config.problems().get(0).contains("descriptor has no rowguard.layout"));
    assertNull(config.relayout());
  }

  @ParameterizedTest
  @CsvSource({
    "rowguard.layout.phase, moving",
    "rowguard.layout.phase, x",
    "rowguard.layout.generation, 3",
    "rowguard.layout.generation, x"
  })
  void problems_leftOverOfAChange_saysSo(String key, String value) {
    assertProblem(
        key
            + " is set, but there is no rowguard.layout.previous, so no change of the layout that"
            + " it could be of; take it off.",
        table("rowguard.layout", NEW, "rowguard.layout.version", "4", key, value));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"rowguard.layout.phase", "rowguard.layout.generation", "rowguard.layout.version"})
  void problems_oneKeyMissing_saysWhich(String key) {
    assertProblem(
        "rowguard.layout.previous is set, but "
            + key
            + " is not; all keys of a change of the layout are set together, by `rowguard"
            + " relayout`.",
        moving(key, null));
  }

  @ParameterizedTest
  @ValueSource(strings = {" ", "MOVING", "Prepared", "done", "prepared,moving"})
  void problems_unknownPhase_listsThePhases(String phase) {
    assertProblem(
        "rowguard.layout.phase is \"" + phase + "\"; it must be prepared or moving.",
        moving("rowguard.layout.phase", phase));
  }

  @ParameterizedTest
  @ValueSource(strings = {" ", "0", "-1", "1000000001", "9223372036854775808", "1.5", "0x1", "v"})
  void problems_numberThatIsNone_namesTheRange(String number) {
    assertProblem(
        "rowguard.layout.version is \"" + number + "\"; it must be a number, 1 to 1000000000.",
        moving("rowguard.layout.version", number));
    assertProblem(
        "rowguard.layout.generation is \"" + number + "\"; it must be a number, 1 to 1000000000.",
        moving("rowguard.layout.generation", number));
    assertProblem(
        "rowguard.layout.version is \"" + number + "\"; it must be a number, 1 to 1000000000.",
        table("rowguard.layout", NEW, "rowguard.layout.version", number));
  }

  @Test
  void problems_generationAfterTheVersion_saysSo() {
    assertProblem(
        "rowguard.layout.generation is 5, which is more than rowguard.layout.version, 4; it must"
            + " be the version that the change of the layout began with.",
        moving("rowguard.layout.generation", "5"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"warn", "off"})
  void problems_modeThatLetsWritesThrough_saysWhichModesThereAre(String mode) {
    String problem =
        "rowguard.mode is \""
            + mode
            + "\""
            + MUST
            + "reject or salt, since each write has to go to its row of the right layout.";

    assertProblem(problem, moving("rowguard.mode", mode));
    assertEquals(
        List.of(problem), TableConfig.of(moving(), site("rowguard.mode", mode)).problems());
  }

  @Test
  void problems_previousThatDoesNotParse_namesTheColumn() {
    assertProblem(
        "rowguard.layout.previous: The layout does not parse at column 7: found \"x\", expected a"
            + " type: hex(n), HEX(n), digits(n), text, word, bytes, uint8, uint16, uint32, uint64,"
            + " int8, int16, int32, int64 or millis. Layout: {user:x}.",
        moving("rowguard.layout.previous", "{user:x}"));
  }

  @Test
  void problems_otherBareKeys_showsBoth() {
    assertProblem(
        "rowguard.layout.previous: rows cannot go from it to rowguard.layout: the bare keys differ,"
            + " {user:word}/{time:millis} and {user:word}|{time:millis}; only what is derived can"
            + " change in place.",
        moving("rowguard.layout.previous", "{user:word}/{time:millis}"));
  }

  @Test
  void problems_theSameLayoutTwice_saysSo() {
    assertProblem(
        "rowguard.layout.previous: rows cannot go from it to rowguard.layout: both layouts are the"
            + " same, "
            + NEW
            + ".",
        moving("rowguard.layout.previous", NEW));
  }

  @Test
  void problems_groupThatWouldHaveHadManySalts_saysSo() {
    String previous = "{salt:digits(2)=murmur3(*)%16}-{user:word}|{time:millis}";

    assertProblem(
        "rowguard.layout.previous: it does not go with rowguard.group. One entity group would get"
            + " many salts: the derived segment \"salt\" depends on more than the group, which ends"
            + " with \"user\". Derive it from segments up to there, or end the group later."
            + " Layout: "
            + previous
            + ".",
        moving("rowguard.layout.previous", previous));
    assertEquals(
        List.of(),
        TableConfig.of(moving("rowguard.layout.previous", previous, "rowguard.group", null), site())
            .problems());
  }

  @Test
  void problems_rowsThatBothRead_showsOne() {
    TableConfig config =
        TableConfig.of(
            moving(
                "rowguard.layout.previous",
                AMBIGUOUS,
                "rowguard.layout",
                "{salt:hex(4)=md5(user)}{user:word}|{time:millis}"),
            site());

    assertEquals(1, config.problems().size(), config.problems()::toString);
    String problem = config.problems().get(0);
    assertTrue(
        problem.startsWith(
            "rowguard.layout.previous: rows cannot go from it to rowguard.layout: a row can be read"
                + " by both layouts, as two different bare keys"),
        problem);
    assertTrue(
        problem.endsWith(
            "; end what is derived with a literal that cannot stand there in the other layout, such"
                + " as \"-\"."),
        problem);
  }

  /** The risk of rowguard.salt.ambiguous is that of one layout whose rows stay. */
  @ParameterizedTest
  @CsvSource({
    "rowguard.layout.previous, accept",
    "rowguard.layout.previous, reject",
    "rowguard.layout, accept"
  })
  void problems_saltModeAndAnAmbiguousLayout_saysSo(String key, String ambiguous) {
    String other = key.equals("rowguard.layout") ? "rowguard.layout.previous" : "rowguard.layout";
    TableConfig config =
        TableConfig.of(
            moving(
                key,
                AMBIGUOUS,
                other,
                AMBIGUOUS.replace("md5", "murmur3"),
                "rowguard.mode",
                "salt",
                "rowguard.salt.ambiguous",
                ambiguous),
            site());

    List<String> ofKey =
        config.problems().stream()
            .filter(problem -> problem.contains("can pass for a row of " + key + ", "))
            .toList();
    assertEquals(1, ofKey.size(), config.problems()::toString);
    assertTrue(
        ofKey.get(0).endsWith("; it must be reject while rowguard.layout.previous is set."),
        ofKey.get(0));
  }

  @ParameterizedTest
  @CsvSource({
    "KEEP_DELETED_CELLS, TRUE, FALSE",
    "KEEP_DELETED_CELLS, TTL, FALSE",
    "NEW_VERSION_BEHAVIOR, true, false",
    "IS_MOB, true, false",
    "hbase.hstore.time.to.purge.deletes, 1000, 0",
    "hbase.hstore.time.to.purge.deletes, soon, 0"
  })
  void problems_familyThatHBaseKeepsInItsOwnWay_saysHowItMustBe(
      String key, String value, String needed) {
    String problem =
        "The column family f has " + key + " = \"" + value + "\"" + MUST + needed + ".";
    TableDescriptor rowsMove =
        with(moving(), family().setValue(Bytes.toBytes(key), Bytes.toBytes(value)));
    TableDescriptor rowsStay =
        with(
            table("rowguard.layout", NEW),
            family().setValue(Bytes.toBytes(key), Bytes.toBytes(value)));

    assertProblem(problem, rowsMove);
    assertEquals(List.of(), TableConfig.of(rowsStay, site()).problems());
  }

  @ParameterizedTest
  @CsvSource({
    "hbase.wal.split.to.hfile, true, false",
    "hbase.regionserver.wal.encryption, true, false",
    "hbase.regionserver.hlog.enabled, false, true"
  })
  void problems_logsThatMovedRowsDoNotBear_sayHowItMustBe(String key, String is, String must) {
    assertEquals(
        List.of("The servers' configuration has " + key + " = \"" + is + "\"" + MUST + must + "."),
        TableConfig.of(moving(), site(key, is)).problems());
    assertEquals(List.of(), TableConfig.of(moving(), site(key, must)).problems());
  }

  @Test
  void problems_familyAsHBaseMakesIt_none() {
    ColumnFamilyDescriptorBuilder family =
        family()
            .setKeepDeletedCells(KeepDeletedCells.FALSE)
            .setNewVersionBehavior(false)
            .setScope(0)
            .setMobEnabled(false)
            .setConfiguration(PURGE, "0")
            .setMaxVersions(5)
            .setTimeToLive(100);

    assertEquals(List.of(), TableConfig.of(with(moving(), family), site()).problems());
  }

  @Test
  void problems_purgeOfDeletesAnywhere_isFound() {
    String problem = "The column family f has " + PURGE + " = \"5\"" + MUST + "0.";

    assertProblem(problem, with(moving(), family().setConfiguration(PURGE, "5")));
    assertProblem(problem, moving(PURGE, "5"));
    assertEquals(List.of(problem), TableConfig.of(moving(), site(PURGE, "5")).problems());
    assertEquals(List.of(), TableConfig.of(moving(PURGE, "0"), site(PURGE, "5")).problems());
  }

  @Test
  void problems_regionReplicas_saysHowManyThereMayBe() {
    TableDescriptor table =
        TableDescriptorBuilder.newBuilder(moving()).setRegionReplication(3).build();

    assertProblem("The table has REGION_REPLICATION = \"3\"" + MUST + "1.", table);
  }

  /** Their deletes hide only what has the same label. */
  @Test
  void problems_visibilityLabels_mustNotBeLoaded() {
    String labels = "org.apache.hadoop.hbase.security.visibility.VisibilityController";
    String key = "hbase.coprocessor.region.classes";
    String problem =
        "The table's regions have visibility labels ("
            + labels
            + "), but while rowguard.layout.previous is set they must not: cells with a label"
            + " cannot be moved.";
    Configuration loaded = site(key, "a.B, " + labels + "|7");

    assertEquals(List.of(problem), TableConfig.of(moving(), loaded).problems());
    assertEquals(List.of(), TableConfig.of(table("rowguard.layout", NEW), loaded).problems());
    assertEquals(List.of(), TableConfig.of(moving(), site(key, "a.B")).problems());
    assertEquals(List.of(), TableConfig.ofClient(moving(), loaded).problems());
  }

  /** HBase throws for such values where it reads them; here they are one more mistake. */
  @Test
  void problems_valuesThatHBaseCannotRead_areMistakesToo() {
    TableDescriptor table =
        with(
            moving("REGION_REPLICATION", "many"),
            family()
                .setValue("REPLICATION_SCOPE", "some")
                .setValue("KEEP_DELETED_CELLS", "perhaps"));

    assertEquals(3, TableConfig.of(table, site()).problems().size());
  }

  @Test
  void problems_severalOfAChange_areAllTold() {
    TableConfig config =
        TableConfig.of(
            moving(
                "rowguard.layout", "{",
                "rowguard.layout.previous", "}",
                "rowguard.layout.phase", "x",
                "rowguard.layout.generation", "x",
                "rowguard.layout.version", "x",
                "rowguard.mode", "off"),
            site());

    assertEquals(5, config.problems().size(), config.problems()::toString);
    assertEquals(0, config.layoutVersion());
    assertFalse(config.hasLayout());
  }

  private static TableDescriptor with(TableDescriptor table, ColumnFamilyDescriptorBuilder family) {
    return TableDescriptorBuilder.newBuilder(table).modifyColumnFamily(family.build()).build();
  }

  private static ColumnFamilyDescriptorBuilder family() {
    return ColumnFamilyDescriptorBuilder.newBuilder(Bytes.toBytes("f"));
  }

  private static void assertProblem(String expected, TableDescriptor table) {
    TableConfig config = TableConfig.of(table, site());

    assertEquals(List.of(expected), config.problems());
    assertFalse(config.hasLayout());
    assertNull(config.relayout());
    assertEquals(List.of(), config.warnings());
  }
}
