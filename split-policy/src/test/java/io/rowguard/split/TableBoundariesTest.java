package io.rowguard.split;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.config.TableConfig;
import io.rowguard.layout.LegalBoundaries;
import io.rowguard.layout.RowkeyLayout;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** HBase's own settings for prefixes, in the table's descriptor or in hbase-site.xml. */
class TableBoundariesTest {
  private static final String RESTRICTION = "hbase.regionserver.region.split_restriction.";

  @ParameterizedTest
  @CsvSource({
    "KeyPrefixRegionSplitPolicy.prefix_length, 3, ab|",
    "prefix_split_key_policy.prefix_length, 2, ab",
    "DelimitedKeyPrefixRegionSplitPolicy.delimiter, |, ab|",
  })
  void of_policySettings_groupByPrefix(String key, String value, String floor) {
    assertFloor(floor, of(table(key, value), new Configuration(false)));
    Configuration site = new Configuration(false);
    site.set(key, value);
    assertFloor(floor, of(table(), site));
  }

  @ParameterizedTest
  @CsvSource({"KeyPrefix, prefix_length, 4, ab|c", "DelimitedKeyPrefix, delimiter, |, ab"})
  void of_restriction_groupsByPrefix(String type, String setting, String value, String floor) {
    String[] settings = {RESTRICTION + "type", type, RESTRICTION + setting, value};
    assertFloor(floor, of(table(settings), new Configuration(false)));
    Configuration site = new Configuration(false);
    site.set(settings[0], settings[1]);
    site.set(settings[2], settings[3]);
    assertFloor(floor, of(table(), site));
  }

  @Test
  void of_nothing_isNull() {
    assertNull(of(table(), new Configuration(false)));
    assertNull(of(table(RESTRICTION + "type", "None"), new Configuration(false)));
  }

  @Test
  void of_layoutAndPrefixLength_takesTheLayout() {
    TableDescriptor table =
        table(
            "rowguard.layout", "{a:digits(2)}{b:text}",
            "rowguard.group", "a",
            "KeyPrefixRegionSplitPolicy.prefix_length", "1");
    LegalBoundaries boundaries = of(table, new Configuration(false));
    assertArrayEquals(Bytes.toBytes("12"), boundaries.floor(Bytes.toBytes("12x")));
  }

  /** Also for the old rows, which here no cut divides: all of them come after the last one. */
  @ParameterizedTest
  @CsvSource({"prepared, 1", "moving, 2"})
  void of_tableWhoseRowsMove_takesTheLayoutThatTheyGoTo(String phase, String version) {
    String layout = "{salt:digits(2)=murmur3(user)%64}-{user:word}|{n:digits(4)}";
    LegalBoundaries boundaries =
        of(
            table(
                "rowguard.layout",
                layout,
                "rowguard.layout.previous",
                "{user:word}|{n:digits(4)}",
                "rowguard.layout.phase",
                phase,
                "rowguard.layout.generation",
                "1",
                "rowguard.layout.version",
                version,
                "rowguard.group",
                "user"),
            new Configuration(false));
    byte[] oldRow = Bytes.toBytes("alice|0001");
    byte[] newRow = RowkeyLayout.parse(layout).complete(oldRow);
    assertEquals(
        Bytes.toString(newRow, 0, "00-alice|".length()), Bytes.toString(boundaries.floor(newRow)));
    assertTrue(Bytes.toString(boundaries.floor(oldRow)).startsWith("63-"));
    assertNull(boundaries.ceiling(oldRow));
  }

  @Test
  void of_sameMeaningTwice_isFine() {
    String[] settings = {
      "KeyPrefixRegionSplitPolicy.prefix_length",
      "2",
      RESTRICTION + "type",
      "KeyPrefix",
      RESTRICTION + "prefix_length",
      "2"
    };
    assertFloor("ab", of(table(settings), new Configuration(false)));
  }

  @ParameterizedTest
  @CsvSource({
    "KeyPrefixRegionSplitPolicy.prefix_length, 0, a number of bytes",
    "KeyPrefixRegionSplitPolicy.prefix_length, x, a number of bytes",
    "hbase.regionserver.region.split_restriction.type, Prefix, None",
    "hbase.regionserver.region.split_restriction.type, KeyPrefix, is missing",
  })
  void of_mistakes_areNamed(String key, String value, String named) {
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class, () -> of(table(key, value), new Configuration(false)));
    assertTrue(e.getMessage().contains(named), e.getMessage());
    assertTrue(e.getMessage().contains(key), e.getMessage());
  }

  /** A descriptor drops empty values; a site file keeps them. */
  @Test
  void of_emptyDelimiterInTheSite_isAMistake() {
    Configuration site = new Configuration(false);
    site.set("DelimitedKeyPrefixRegionSplitPolicy.delimiter", "");
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> of(table(), site));
    assertTrue(e.getMessage().contains("is empty"), e.getMessage());
  }

  @Test
  void of_settingsThatContradict_isAMistake() {
    TableDescriptor table =
        table(
            "KeyPrefixRegionSplitPolicy.prefix_length", "2",
            "DelimitedKeyPrefixRegionSplitPolicy.delimiter", "|");
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> of(table, new Configuration(false)));
    assertTrue(e.getMessage().contains("contradict"), e.getMessage());
  }

  private static void assertFloor(String expected, LegalBoundaries boundaries) {
    assertEquals(expected, Bytes.toString(boundaries.floor(Bytes.toBytes("ab|cd|ef"))));
  }

  private static LegalBoundaries of(TableDescriptor table, Configuration site) {
    return TableBoundaries.of(TableConfig.of(table, site), table, site);
  }

  private static TableDescriptor table(String... settings) {
    TableDescriptorBuilder builder = TableDescriptorBuilder.newBuilder(TableName.valueOf("t"));
    for (int i = 0; i < settings.length; i += 2) {
      builder.setValue(settings[i], settings[i + 1]);
    }
    return builder.build();
  }
}
