package io.rowguard.config;

import static io.rowguard.config.Descriptors.LAYOUT;
import static io.rowguard.config.Descriptors.ordersTable;
import static io.rowguard.config.Descriptors.site;
import static io.rowguard.config.Descriptors.table;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.layout.RowkeyLayout;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every kind of mistake, and the words of its message. */
class TableConfigMistakesTest {
  private static final String KEYS =
      Arrays.stream(RowguardKey.values()).map(RowguardKey::key).collect(joining(", "));

  private static final String SALTED = "{salt:digits(2)=murmur3(user)%16}-{user:word}";

  @Test
  void problems_layoutThatDoesNotParse_namesTheColumn() {
    assertProblem(
        "rowguard.layout: The layout does not parse at column 19: found \"m\", expected a type:"
            + " hex(n), HEX(n), digits(n), text, word, bytes, uint8, uint16, uint32, uint64, int8,"
            + " int16, int32, int64 or millis. Layout: {user:word}|{time:m.",
        table("rowguard.layout", "{user:word}|{time:m"));
  }

  @Test
  void problems_groupThatIsNoSegment_listsTheSegments() {
    assertProblem(
        "rowguard.group: The layout has no segment \"country\". Its segments are: user, time.",
        table("rowguard.layout", LAYOUT, "rowguard.group", "country"));
  }

  @Test
  void problems_groupThatWouldGetManySalts_saysWhatToDo() {
    assertProblem(
        "rowguard.group: One entity group would get many salts: the derived segment \"salt\""
            + " depends on more than the group, which ends with \"user\". Derive it from segments"
            + " up to there, or end the group later."
            + " Layout: {salt:digits(2)=murmur3(*)%16}-{user:word}|{time:millis}.",
        table(
            "rowguard.layout",
            "{salt:digits(2)=murmur3(*)%16}-{user:word}|{time:millis}",
            "rowguard.group",
            "user"));
  }

  @Test
  void problems_groupWithoutLayout_saysSo() {
    assertProblem(
        "rowguard.group names a segment, but there is no rowguard.layout that could have it.",
        table("rowguard.group", "user"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"rejekt", "REJECT", "reject,warn", "SALT", "-", "true"})
  void problems_unknownMode_listsTheModes(String mode) {
    assertProblem(
        "rowguard.mode is \"" + mode + "\"; it must be reject or salt or warn or off.",
        table("rowguard.layout", LAYOUT, "rowguard.mode", mode));
  }

  @Test
  void problems_saltModeOnALayoutThatDerivesNothing_saysWhichModesThereAre() {
    assertProblem(
        "rowguard.mode is \"salt\", but the layout derives no segment from others, so there is"
            + " nothing to complete; it must be reject, warn or off.",
        table("rowguard.layout", LAYOUT, "rowguard.mode", "salt"));
  }

  @Test
  void problems_saltModeOnALayoutWhoseWritersChoose_saysWhichModesThereAre() {
    assertProblem(
        "rowguard.mode is \"salt\", but writers choose among several values of a derived segment,"
            + " so a bare key has no row of its own; it must be reject, warn or off, and programs"
            + " write through SaltedTable.",
        table("rowguard.layout", "{salt:digits(2)=any of 16}-{id:word}", "rowguard.mode", "salt"));
  }

  @Test
  void problems_saltModeWithoutLayout_saysSo() {
    assertProblem(
        "rowguard.mode is \"salt\", but there is no rowguard.layout to complete bare keys by.",
        table("rowguard.mode", "salt"));
  }

  @Test
  void problems_saltModeInTheSiteOfATableWithoutLayout_none() {
    assertEquals(List.of(), TableConfig.of(table(), site("rowguard.mode", "salt")).problems());
  }

  @Test
  void problems_saltModeOnAnAmbiguousLayout_showsAKeyAndTheWaysOut() {
    RowkeyLayout layout = RowkeyLayout.parse("{salt:hex(2)=md5(*)}{id:text}");
    String key = new String(layout.ambiguousKey(), UTF_8);

    assertProblem(
        "rowguard.mode is \"salt\", but a bare key can pass for a salted row of this layout,"
            + " for example \""
            + key
            + "\". End the derived segment with a literal that it cannot hold, such as \"-\";"
            + " or write through SaltedTable with rowguard.mode=reject; or take the risk with"
            + " rowguard.salt.ambiguous=accept.",
        table("rowguard.layout", layout.toString(), "rowguard.mode", "salt"));
  }

  @ParameterizedTest
  @CsvSource({
    "salt, accept, {salt:hex(2)=md5(*)}{id:text}",
    "salt, reject, {salt:hex(2)=md5(*)}-{id:word}",
    "reject, reject, {salt:hex(2)=md5(*)}{id:text}",
    "warn, reject, {salt:hex(2)=md5(*)}{id:text}"
  })
  void problems_saltModeWhereItCanBe_none(String mode, String ambiguous, String layout) {
    TableConfig config =
        TableConfig.of(
            table(
                "rowguard.layout", layout,
                "rowguard.mode", mode,
                "rowguard.salt.ambiguous", ambiguous),
            site());

    assertEquals(List.of(), config.problems());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "rowguard.salt.timeout.ms; milliseconds, 1 to 50000; 0",
        "rowguard.salt.timeout.ms; milliseconds, 1 to 50000; -1",
        "rowguard.salt.timeout.ms; milliseconds, 1 to 50000; 50001",
        "rowguard.salt.timeout.ms; milliseconds, 1 to 50000; 10s",
        "rowguard.salt.max.bytes; bytes, 1 or more; 0",
        "rowguard.salt.max.bytes; bytes, 1 or more; -1",
        "rowguard.salt.max.bytes; bytes, 1 or more; 100MB",
        "rowguard.salt.max.bytes; bytes, 1 or more; 9223372036854775808",
        "rowguard.scan.max.buckets; a number, 1 to 65536; 0",
        "rowguard.scan.max.buckets; a number, 1 to 65536; 65537",
        "rowguard.scan.max.buckets; a number, 1 to 65536; many",
        "rowguard.filters.row.blind; names of filter classes, with commas between; org.A org.B",
        "rowguard.filters.row.blind; names of filter classes, with commas between; 7",
        "rowguard.load.sample; a number, 0 to 1000000; -1",
        "rowguard.load.sample; a number, 0 to 1000000; 1000001",
        "rowguard.load.sample; a number, 0 to 1000000; 1%",
        "rowguard.load.halflife.seconds; seconds, 1 to 86400; 0",
        "rowguard.load.halflife.seconds; seconds, 1 to 86400; 86401",
        "rowguard.load.halflife.seconds; seconds, 1 to 86400; 60s",
        "rowguard.split.load; operations a second, 0 to 1000000000; -1",
        "rowguard.split.load; operations a second, 0 to 1000000000; 1000000001",
        "rowguard.split.load; operations a second, 0 to 1000000000; off",
        "rowguard.split.load.minutes; minutes, 1 to 1440; 0",
        "rowguard.split.load.minutes; minutes, 1 to 1440; 1441",
        "rowguard.split.load.max.regions; a number, 1 to 10000; 0",
        "rowguard.split.load.max.regions; a number, 1 to 10000; 10001"
      })
  void problems_numberOutOfRange_namesTheRange(String key, String range, String number) {
    assertProblem(
        key + " is \"" + number + "\"; it must be " + range + ".",
        table("rowguard.layout", SALTED, key, number));
  }

  @ParameterizedTest
  @CsvSource({
    "rowguard.bulkload, blocks or full or off",
    "rowguard.scan, reject or accept",
    "rowguard.merge, warn or reject or accept",
    "rowguard.load.keys, show or hide",
    "rowguard.salt.ambiguous, reject or accept"
  })
  void problems_unknownChoice_listsTheChoices(String key, String choices) {
    assertProblem(
        key + " is \"maybe\"; it must be " + choices + ".",
        table("rowguard.layout", LAYOUT, key, "maybe"));
  }

  @Test
  void problems_unknownModeWithoutLayout_isStillAMistake() {
    assertProblem(
        "rowguard.mode is \"rejekt\"; it must be reject or salt or warn or off.",
        table("rowguard.mode", "rejekt"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"rowguard.delete", "rowguard.replication"})
  void problems_unknownAcceptance_listsTheChoices(String key) {
    assertProblem(
        key + " is \"reject\"; it must be accept or enforce.",
        table("rowguard.layout", LAYOUT, key, "reject"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-1", "32768", "99999999999999999999", "1k", "0x10", "1.5", "ten"})
  void problems_rowLengthOutOfRange_namesTheRange(String length) {
    assertProblem(
        "rowguard.row.max.length is \"" + length + "\"; it must be bytes, 1 to 32767.",
        table("rowguard.layout", LAYOUT, "rowguard.row.max.length", length));
  }

  @ParameterizedTest
  @CsvSource({"1, 1", "32767, 32767", "+5, 5", "007, 7"})
  void problems_rowLengthInRange_none(String length, int expected) {
    TableConfig config =
        TableConfig.of(table("rowguard.layout", LAYOUT, "rowguard.row.max.length", length), site());

    assertEquals(List.of(), config.problems());
    assertEquals(expected, config.layout().maxRowLength());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "rowguard.layuot",
        "rowguard.Mode",
        "ROWGUARD.LAYOUT",
        "Rowguard.mode",
        "rowguard.",
        "rowguard.mode ",
        "rowguard.mode.",
        "rowguard.row.maxlength"
      })
  void problems_misspeltKey_listsTheKeys(String key) {
    assertProblem(
        "There is no key " + key + "; the keys are " + KEYS + ".",
        table("rowguard.layout", LAYOUT, key, "warn"));
  }

  @Test
  void problems_onlyAMisspeltKey_isAMistake() {
    assertProblem(
        "There is no key rowguard.layuot; the keys are " + KEYS + ".",
        table("rowguard.layuot", LAYOUT));
  }

  @ParameterizedTest
  @ValueSource(strings = {"rowguar.mode", "my.rowguard.mode", "rowguardian.mode", "rowguard", "r"})
  void problems_keyOfSomebodyElse_none(String key) {
    TableConfig config = TableConfig.of(table("rowguard.layout", LAYOUT, key, "1"), site());

    assertEquals(List.of(), config.problems());
  }

  @Test
  void problems_keyAmongTheValuesOfAFamily_saysWhereItBelongs() {
    ColumnFamilyDescriptor family =
        family().setValue(Bytes.toBytes("rowguard.mode"), Bytes.toBytes("warn")).build();

    assertProblem(
        "rowguard.mode is set on the column family f, where nothing reads it; set it on the table.",
        ordersTable().setValue("rowguard.layout", LAYOUT).setColumnFamily(family).build());
  }

  @Test
  void problems_keyInTheConfigurationOfAFamily_saysWhereItBelongs() {
    ColumnFamilyDescriptor family = family().setConfiguration("rowguard.layout", LAYOUT).build();

    assertProblem(
        "rowguard.layout is set on the column family f, where nothing reads it;"
            + " set it on the table.",
        ordersTable().setColumnFamily(family).build());
  }

  @Test
  void problems_misspeltKeysOnTwoFamilies_areAllTold() {
    TableDescriptor table =
        ordersTable()
            .setColumnFamily(family().setConfiguration("rowguard.layuot", LAYOUT).build())
            .setColumnFamily(
                ColumnFamilyDescriptorBuilder.newBuilder(Bytes.toBytes("g"))
                    .setConfiguration("Rowguard.Mode", "warn")
                    .build())
            .build();

    assertEquals(
        List.of(
            "rowguard.layuot is set on the column family f, where nothing reads it;"
                + " set it on the table.",
            "Rowguard.Mode is set on the column family g, where nothing reads it;"
                + " set it on the table."),
        TableConfig.of(table, site()).problems());
  }

  @Test
  void problems_severalMistakes_areAllTold() {
    TableConfig config =
        TableConfig.of(
            table(
                "rowguard.layout", "{",
                "rowguard.mode", "rejekt",
                "rowguard.delete", "x",
                "rowguard.replication", "y",
                "rowguard.row.max.length", "z",
                "rowguard.oops", "1"),
            site("rowguard.eek", "1"));

    assertEquals(7, config.problems().size());
    assertNull(config.group());
  }

  @Test
  void warnings_misspeltKeyInTheSite_doesNotStopATableThatDeclaresNothing() {
    TableConfig config = TableConfig.of(table(), site("rowguard.layuot", LAYOUT));

    assertFalse(config.isWrong());
    assertEquals(
        List.of("There is no key rowguard.layuot; the keys are " + KEYS + "."), config.warnings());
  }

  @Test
  void warnings_wrongValueInTheSite_doesNotStopATableThatDeclaresNothing() {
    Configuration site = site("rowguard.mode", "rejekt", "rowguard.row.max.length", "0");

    TableConfig config = TableConfig.of(table(), site);

    assertFalse(config.isWrong());
    assertEquals(
        List.of(
            "rowguard.mode is \"rejekt\"; it must be reject or salt or warn or off.",
            "rowguard.row.max.length is \"0\"; it must be bytes, 1 to 32767."),
        config.warnings());
  }

  @Test
  void warnings_misspeltKeyInTheSite_isAProblemOfATableWithALayout() {
    TableConfig config =
        TableConfig.of(table("rowguard.layout", LAYOUT), site("rowguard.mod", "warn"));

    assertEquals(
        List.of("There is no key rowguard.mod; the keys are " + KEYS + "."), config.problems());
    assertEquals(List.of(), config.warnings());
  }

  @Test
  void warnings_layoutInTheSiteThatDoesNotParse_isAProblemOfEveryTable() {
    assertTrue(TableConfig.of(table(), site("rowguard.layout", "{")).isWrong());
  }

  @Test
  void problemMessage_wrongConfiguration_saysWhatFollowsAndTheWayOut() {
    TableConfig config =
        TableConfig.of(
            table("rowguard.layout", LAYOUT, "rowguard.mode", "x", "rowguard.group", "y"), site());

    assertEquals(
        "The rowguard configuration of this table is wrong, so writes are refused. table=orders."
            + " rowguard.mode is \"x\"; it must be reject or salt or warn or off."
            + " rowguard.group: The layout has no segment \"y\". Its segments are: user, time."
            + " Mend the table's descriptor (alter) or hbase-site.xml.",
        config.problemMessage("orders", "writes are refused"));
  }

  /** Hadoop replaces 20 variables of a value and then throws IllegalStateException. */
  @Test
  void of_siteValueWithMoreVariablesThanHadoopReplaces_isAMistake() {
    Configuration site = site("rowguard.mode", "${a}".repeat(21), "a", "x");

    assertTrue(TableConfig.of(table("rowguard.layout", LAYOUT), site).isWrong());
  }

  @Test
  void of_siteValueWithMoreVariablesThanHadoopReplacesAndNoLayout_isAWarning() {
    Configuration site = site("rowguard.split.when", "${a}".repeat(21), "a", "x");

    assertFalse(TableConfig.of(table(), site).isWrong());
  }

  /** It goes into the log and to every refused client. */
  @Test
  void problemMessage_lineBreakInAValue_staysOneLine() {
    TableConfig config =
        TableConfig.of(
            table(
                "rowguard.layout", LAYOUT + "\n{",
                "rowguard.mode", "warn\nERROR forged",
                "rowguard.x\ny", "1"),
            site());

    assertTrue(config.isWrong());
    assertFalse(config.problemMessage("orders", "x").contains("\n"), config.problems().toString());
  }

  @Test
  void problemMessage_longValue_isCut() {
    TableConfig config =
        TableConfig.of(
            table("rowguard.layout", LAYOUT, "rowguard.mode", "x".repeat(1_000_000)), site());

    assertTrue(config.isWrong());
    int length = config.problemMessage("orders", "x").length();
    assertTrue(length < 10_000, "every refused row gets " + length + " characters");
  }

  private static void assertProblem(String expected, TableDescriptor table) {
    TableConfig config = TableConfig.of(table, site());

    assertEquals(List.of(expected), config.problems());
    assertTrue(config.isWrong());
    assertFalse(config.hasLayout());
    assertNull(config.layout());
    assertEquals(List.of(), config.warnings());
  }

  private static ColumnFamilyDescriptorBuilder family() {
    return ColumnFamilyDescriptorBuilder.newBuilder(Bytes.toBytes("f"));
  }
}
