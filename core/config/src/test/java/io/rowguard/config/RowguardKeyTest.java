package io.rowguard.config;

import static io.rowguard.config.Descriptors.LAYOUT;
import static io.rowguard.config.Descriptors.site;
import static io.rowguard.config.Descriptors.table;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class RowguardKeyTest {

  @Test
  void key_ofAll_areUnique() {
    long different = Arrays.stream(RowguardKey.values()).map(RowguardKey::key).distinct().count();

    assertEquals(RowguardKey.values().length, different);
  }

  @ParameterizedTest
  @EnumSource
  void key_ofEach_isLowerCaseAfterThePrefix(RowguardKey key) {
    assertTrue(key.key().matches("rowguard(\\.[a-z]+)+"), key.key());
    assertTrue(key.key().startsWith(RowguardKey.PREFIX));
    assertTrue(RowguardKey.isOurs(key.key()));
    assertTrue(RowguardKey.isKnown(key.key()));
  }

  @ParameterizedTest
  @EnumSource
  void defaultValue_writtenOut_isValidAndChangesNothing(RowguardKey key) {
    if (key.defaultValue() == null) {
      return;
    }
    TableConfig implied = TableConfig.of(table("rowguard.layout", LAYOUT), site());
    TableConfig writtenOut =
        TableConfig.of(table("rowguard.layout", LAYOUT, key.key(), key.defaultValue()), site());

    assertEquals(List.of(), writtenOut.problems());
    assertEquals(implied.layout(), writtenOut.layout());
    assertEquals(implied.mode(), writtenOut.mode());
    assertEquals(implied.deletes(), writtenOut.deletes());
    assertEquals(implied.replication(), writtenOut.replication());
  }

  @Test
  void defaultValue_ofAll_areThoseOfTheReference() {
    assertEquals(
        Arrays.asList(
            null, null, null, null, null, "sample", null, "reject", "32767", null, "blocks",
            "accept", "accept", null, "reject", "reject", "10000", null, "256", null, "warn", "100",
            "60", "show", "0", "5", "20", null),
        Arrays.stream(RowguardKey.values()).map(RowguardKey::defaultValue).toList());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "MODE; reject, salt, warn, off",
        "DELETE; accept, enforce",
        "REPLICATION; accept, enforce",
        "ROW_MAX_LENGTH; bytes, 1 to 32767",
        "SCAN_MAX_BUCKETS; a number, 1 to 65536",
        "MERGE; warn, reject, accept",
        "LOAD_SAMPLE; a number, 0 to 1000000",
        "LOAD_HALFLIFE; seconds, 1 to 86400",
        "RELAYOUT_VERIFY; all, sample, off",
        "LOAD_KEYS; show, hide",
        "SPLIT_LOAD; operations a second, 0 to 1000000000",
        "SPLIT_LOAD_MINUTES; minutes, 1 to 1440",
        "SPLIT_LOAD_MAX_REGIONS; a number, 1 to 10000",
        "LAYOUT_PHASE; prepared, moving",
        "LAYOUT_GENERATION; a number, 1 to 1000000000",
        "LAYOUT_VERSION; a number, 1 to 1000000000"
      })
  void type_ofChoicesAndNumbers_listsThem(RowguardKey key, String expected) {
    assertEquals(expected, key.type());
  }

  /** The reference says it of those of which it is so, and of no other. */
  @ParameterizedTest
  @EnumSource
  void isOfDescriptorOnly_ofEach_isInItsHelp(RowguardKey key) {
    assertEquals(
        key.help().matches(".*[Rr]ead from the descriptor only[.]"), key.isOfDescriptorOnly());
  }

  @ParameterizedTest
  @EnumSource
  void help_ofEach_isOneLineOfSentences(RowguardKey key) {
    assertTrue(key.help().matches("[A-Z`].*[.]"), key.help());
    assertFalse(key.type().isBlank());
  }

  @ParameterizedTest
  @ValueSource(strings = {"rowguard.layuot", "Rowguard.layout", "ROWGUARD.x", "rowguard."})
  void isOurs_meantForUs_whateverTheSpelling(String key) {
    assertTrue(RowguardKey.isOurs(key));
    assertFalse(RowguardKey.isKnown(key));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "rowguard", "rowguards.mode", "a.rowguard.mode", "MAX_FILESIZE"})
  void isOurs_keyOfSomebodyElse_no(String key) {
    assertFalse(RowguardKey.isOurs(key));
    assertFalse(RowguardKey.isKnown(key));
  }
}
