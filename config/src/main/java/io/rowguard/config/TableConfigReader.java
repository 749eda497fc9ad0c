package io.rowguard.config;

import io.rowguard.layout.EntityGroup;
import io.rowguard.layout.LayoutSyntaxException;
import io.rowguard.layout.RowText;
import io.rowguard.layout.RowkeyLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.CoprocessorDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.util.Bytes;

/** The one validator of what is configured; {@link TableConfig} is what it makes. */
final class TableConfigReader {
  private final TableDescriptor table;
  private final Configuration conf;
  private final List<String> problems = new ArrayList<>();
  private final List<String> warnings = new ArrayList<>();
  private EntityGroup group;
  private Mode mode;
  private Acceptance deletes;
  private Acceptance replication;
  private String splitWhen;

  TableConfigReader(TableDescriptor table, Configuration conf) {
    this.table = table;
    this.conf = conf;
  }

  TableConfigReader read() {
    boolean declared = findMisplacedKeys();
    mode = choice(RowguardKey.MODE, Mode.class);
    deletes = choice(RowguardKey.DELETE, Acceptance.class);
    replication = choice(RowguardKey.REPLICATION, Acceptance.class);
    splitWhen = value(RowguardKey.SPLIT_WHEN);
    int maxRowLength = maxRowLength();
    String layout = value(RowguardKey.LAYOUT);
    if (layout != null) {
      readGroup(layout, maxRowLength);
    } else if (table.getValue(RowguardKey.GROUP.key()) != null) {
      problems.add(
          RowguardKey.GROUP.key()
              + " names a segment, but there is no "
              + RowguardKey.LAYOUT.key()
              + " that could have it.");
    }
    if (layout == null && !declared) {
      // Mistakes in hbase-site.xml must not stop tables that never asked for Rowguard.
      warnings.addAll(problems);
      problems.clear();
    }
    return this;
  }

  /** Finds keys that nothing would read; answers whether the table itself has any of ours. */
  private boolean findMisplacedKeys() {
    boolean declared = false;
    Set<String> unknown = new TreeSet<>();
    for (Bytes name : table.getValues().keySet()) {
      String key = Bytes.toString(name.get(), name.getOffset(), name.getLength());
      if (RowguardKey.isOurs(key)) {
        declared = true;
        addUnknown(unknown, key);
      }
    }
    for (Map.Entry<String, String> entry : conf) {
      if (RowguardKey.isOurs(entry.getKey())) {
        addUnknown(unknown, entry.getKey());
      }
    }
    for (String key : unknown) {
      problems.add("There is no key " + shown(key) + "; the keys are " + RowguardKey.list() + ".");
    }
    for (ColumnFamilyDescriptor family : table.getColumnFamilies()) {
      declared |= findFamilyKeys(family);
    }
    for (CoprocessorDescriptor coprocessor : table.getCoprocessorDescriptors()) {
      declared |= findArguments(coprocessor);
    }
    return declared;
  }

  private static void addUnknown(Set<String> unknown, String key) {
    if (!RowguardKey.isKnown(key)) {
      unknown.add(key);
    }
  }

  private boolean findFamilyKeys(ColumnFamilyDescriptor family) {
    Set<String> keys = new TreeSet<>(family.getConfiguration().keySet());
    for (Bytes name : family.getValues().keySet()) {
      keys.add(Bytes.toString(name.get(), name.getOffset(), name.getLength()));
    }
    keys.removeIf(key -> !RowguardKey.isOurs(key));
    for (String key : keys) {
      problems.add(
          shown(key)
              + " is set on the column family "
              + family.getNameAsString()
              + ", where nothing reads it; set it on the table.");
    }
    return !keys.isEmpty();
  }

  /** HBase hands a coprocessor's arguments to that coprocessor only. */
  private boolean findArguments(CoprocessorDescriptor coprocessor) {
    Set<String> keys = new TreeSet<>(coprocessor.getProperties().keySet());
    keys.removeIf(key -> !RowguardKey.isOurs(key));
    for (String key : keys) {
      problems.add(
          shown(key)
              + " is an argument of the coprocessor "
              + shown(coprocessor.getClassName())
              + ", where the split policy cannot read it; set it on the table.");
    }
    return !keys.isEmpty();
  }

  private void readGroup(String layout, int maxRowLength) {
    try {
      RowkeyLayout parsed = RowkeyLayout.parse(layout);
      group = EntityGroup.of(parsed.withMaxRowLength(maxRowLength), value(RowguardKey.GROUP));
    } catch (LayoutSyntaxException e) {
      problems.add(RowguardKey.LAYOUT.key() + ": " + e.getMessage() + ".");
    } catch (IllegalArgumentException e) {
      problems.add(RowguardKey.GROUP.key() + ": " + e.getMessage() + ".");
    }
  }

  private int maxRowLength() {
    String text = value(RowguardKey.ROW_MAX_LENGTH);
    try {
      int length = Integer.parseInt(text.trim());
      if (length >= 1 && length <= RowkeyLayout.MAX_ROW_LENGTH) {
        return length;
      }
    } catch (NumberFormatException e) {
      // Reported below, together with numbers that are out of range.
    }
    problems.add(wrongValue(RowguardKey.ROW_MAX_LENGTH, text, RowguardKey.ROW_MAX_LENGTH.type()));
    return RowkeyLayout.MAX_ROW_LENGTH;
  }

  private <E extends Enum<E>> E choice(RowguardKey key, Class<E> type) {
    String text = value(key);
    for (E constant : type.getEnumConstants()) {
      if (constant.name().toLowerCase(Locale.ROOT).equals(text.trim())) {
        return constant;
      }
    }
    String expected =
        Arrays.stream(type.getEnumConstants())
            .map(constant -> constant.name().toLowerCase(Locale.ROOT))
            .collect(Collectors.joining(" or "));
    problems.add(wrongValue(key, text, expected));
    return type.getEnumConstants()[0];
  }

  private static String wrongValue(RowguardKey key, String found, String expected) {
    return key.key() + " is \"" + shown(found) + "\"; it must be " + expected + ".";
  }

  private String value(RowguardKey key) {
    String own = table.getValue(key.key());
    if (own != null) {
      return own;
    }
    try {
      return conf.get(key.key(), key.defaultValue());
    } catch (IllegalStateException e) {
      // Hadoop gives up on a value after it has replaced twenty variables in it.
      problems.add(key.key() + " in hbase-site.xml cannot be read: " + shown(e.getMessage()) + ".");
      return key.defaultValue();
    }
  }

  /** For a message of one line, and not a long one: it goes to every client that is refused. */
  private static String shown(String text) {
    return RowText.abbreviated(text.getBytes(StandardCharsets.UTF_8));
  }

  EntityGroup group() {
    return group;
  }

  Mode mode() {
    return mode;
  }

  Acceptance deletes() {
    return deletes;
  }

  Acceptance replication() {
    return replication;
  }

  String splitWhen() {
    return splitWhen;
  }

  List<String> problems() {
    return problems;
  }

  List<String> warnings() {
    return warnings;
  }
}
