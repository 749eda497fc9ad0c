package io.rowguard.split;

import io.rowguard.config.TableConfig;
import io.rowguard.layout.LayoutBoundaries;
import io.rowguard.layout.LegalBoundaries;
import io.rowguard.layout.PrefixBoundaries;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The source of a table's legal boundaries: its layout, else HBase's own settings for prefixes, so
 * that a table that has those needs nothing but another SPLIT_POLICY.
 *
 * <p>While the layout of a table changes they are those of the layout that rows go to, since a cut
 * stays when the old rows are gone. It may divide an entity group of old rows, which costs nothing
 * but local transactions over such a group until it has moved: each row goes by itself, and old
 * rows are read one by one or in ranges.
 *
 * <p>HBase's settings, in the table descriptor or in hbase-site.xml: {@code
 * KeyPrefixRegionSplitPolicy.prefix_length} (and its old name), {@code
 * DelimitedKeyPrefixRegionSplitPolicy.delimiter}, {@code
 * hbase.regionserver.region.split_restriction.type} with {@code .prefix_length} or {@code
 * .delimiter}.
 */
final class TableBoundaries {
  private static final String LENGTH = "KeyPrefixRegionSplitPolicy.prefix_length";
  private static final String LENGTH_OLD_NAME = "prefix_split_key_policy.prefix_length";
  private static final String DELIMITER = "DelimitedKeyPrefixRegionSplitPolicy.delimiter";
  private static final String RESTRICTION = "hbase.regionserver.region.split_restriction.";
  static final String RESTRICTION_TYPE = RESTRICTION + "type";
  private static final String RESTRICTION_LENGTH = RESTRICTION + "prefix_length";
  private static final String RESTRICTION_DELIMITER = RESTRICTION + "delimiter";

  private final TableDescriptor table;
  private final Configuration conf;

  private TableBoundaries(TableDescriptor table, Configuration conf) {
    this.table = table;
    this.conf = conf;
  }

  /**
   * The legal boundaries of a table, or null when nothing says what belongs together.
   *
   * @throws IllegalArgumentException when HBase's settings cannot be what was meant
   */
  static LegalBoundaries of(TableConfig config, TableDescriptor table, Configuration conf) {
    return config.hasLayout()
        ? LayoutBoundaries.of(config.group())
        : new TableBoundaries(table, conf).fromHBaseSettings();
  }

  /** Whether HBase itself shortens split points of a table. */
  static boolean isRestricted(TableDescriptor table, Configuration conf) {
    String type = new TableBoundaries(table, conf).value(RESTRICTION_TYPE);
    return type != null && !type.equals("None");
  }

  private LegalBoundaries fromHBaseSettings() {
    Map<String, PrefixBoundaries> found = new LinkedHashMap<>();
    addLength(found, LENGTH);
    addLength(found, LENGTH_OLD_NAME);
    addDelimiter(found, DELIMITER);
    addRestriction(found);
    PrefixBoundaries boundaries = null;
    for (PrefixBoundaries each : found.values()) {
      if (boundaries != null && !boundaries.equals(each)) {
        throw new IllegalArgumentException(
            "HBase's settings contradict each other; leave one of them: " + found);
      }
      boundaries = each;
    }
    return found.containsKey(RESTRICTION_DELIMITER) ? boundaries.withoutDelimiter() : boundaries;
  }

  private void addRestriction(Map<String, PrefixBoundaries> found) {
    String type = value(RESTRICTION_TYPE);
    if (type == null || type.equals("None")) {
      return;
    }
    switch (type) {
      case "KeyPrefix":
        requireValue(RESTRICTION_LENGTH);
        addLength(found, RESTRICTION_LENGTH);
        return;
      case "DelimitedKeyPrefix":
        requireValue(RESTRICTION_DELIMITER);
        addDelimiter(found, RESTRICTION_DELIMITER);
        return;
      default:
        throw new IllegalArgumentException(
            RESTRICTION_TYPE
                + " is \""
                + type
                + "\"; it must be None, KeyPrefix or DelimitedKeyPrefix");
    }
  }

  private void addLength(Map<String, PrefixBoundaries> found, String key) {
    String value = value(key);
    if (value != null) {
      try {
        found.put(key, PrefixBoundaries.ofLength(Integer.parseInt(value.trim())));
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(
            key + " is \"" + value + "\"; it must be a number of bytes, 1 or more", e);
      }
    }
  }

  private void addDelimiter(Map<String, PrefixBoundaries> found, String key) {
    String value = value(key);
    if (value != null) {
      if (value.isEmpty()) {
        throw new IllegalArgumentException(key + " is empty; it must be one or more characters");
      }
      found.put(key, PrefixBoundaries.ofDelimiter(Bytes.toBytes(value)));
    }
  }

  private void requireValue(String key) {
    if (value(key) == null) {
      throw new IllegalArgumentException(key + " is missing, which " + RESTRICTION_TYPE + " needs");
    }
  }

  private String value(String key) {
    String own = table.getValue(key);
    return own != null ? own : conf.get(key);
  }
}
