package io.rowguard.config;

import io.rowguard.layout.EntityGroup;
import io.rowguard.layout.LayoutChange;
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
  private static final int LONGEST_SALT_TIMEOUT = 600_000;
  private static final int MOST_SCAN_BUCKETS = 65_536;
  private static final int HEAP_PER_SALT_BYTES = 32;

  private final TableDescriptor table;
  private final Configuration conf;
  private final List<String> problems = new ArrayList<>();
  private final List<String> warnings = new ArrayList<>();
  private EntityGroup group;
  private Relayout relayout;
  private long layoutVersion;
  private String declaredLayout;
  private String declaredGroup;
  private Mode mode;
  private HFileCheck bulkLoads;
  private Acceptance deletes;
  private Acceptance replication;
  private String splitWhen;
  private BoundedScans scans;
  private int saltTimeoutMillis;
  private long saltMaxBytes;
  private int scanMaxBuckets;
  private Merges merges;

  TableConfigReader(TableDescriptor table, Configuration conf) {
    this.table = table;
    this.conf = conf;
  }

  TableConfigReader read() {
    boolean declared = findMisplacedKeys();
    mode = choice(RowguardKey.MODE, Mode.class);
    bulkLoads = choice(RowguardKey.BULKLOAD, HFileCheck.class);
    deletes = choice(RowguardKey.DELETE, Acceptance.class);
    replication = choice(RowguardKey.REPLICATION, Acceptance.class);
    splitWhen = value(RowguardKey.SPLIT_WHEN);
    scans = choice(RowguardKey.SCAN, BoundedScans.class);
    AmbiguousLayouts ambiguous = choice(RowguardKey.SALT_AMBIGUOUS, AmbiguousLayouts.class);
    saltTimeoutMillis = (int) number(RowguardKey.SALT_TIMEOUT, LONGEST_SALT_TIMEOUT);
    saltMaxBytes =
        value(RowguardKey.SALT_MAX_BYTES) == null
            ? Runtime.getRuntime().maxMemory() / HEAP_PER_SALT_BYTES
            : number(RowguardKey.SALT_MAX_BYTES, Long.MAX_VALUE);
    scanMaxBuckets = (int) number(RowguardKey.SCAN_MAX_BUCKETS, MOST_SCAN_BUCKETS);
    merges = choice(RowguardKey.MERGE, Merges.class);
    int maxRowLength = (int) number(RowguardKey.ROW_MAX_LENGTH, RowkeyLayout.MAX_ROW_LENGTH);
    boolean isOfHBase = table.getTableName().isSystemTable();
    String layout = isOfHBase ? null : value(RowguardKey.LAYOUT);
    declaredLayout = layout;
    declaredGroup = layout == null ? null : value(RowguardKey.GROUP);
    if (layout != null) {
      readGroup(layout, maxRowLength);
      readRelayout(maxRowLength);
      checkSalt(ambiguous);
    } else if (table.getValue(RowguardKey.GROUP.key()) != null) {
      problems.add(
          RowguardKey.GROUP.key()
              + " names a segment, but there is no "
              + RowguardKey.LAYOUT.key()
              + " that could have it.");
    } else if (Mode.SALT.name().equalsIgnoreCase(table.getValue(RowguardKey.MODE.key()))) {
      problems.add(
          RowguardKey.MODE.key()
              + " is \"salt\", but there is no "
              + RowguardKey.LAYOUT.key()
              + " to complete bare keys by.");
    }
    if (layout == null && !declared) {
      // Mistakes in hbase-site.xml must not stop tables that never asked for Rowguard.
      warnings.addAll(problems);
      problems.clear();
    }
    boolean forceInSite =
        conf.getRaw(RowguardKey.FORCE.key()) != null
            && table.getValue(RowguardKey.FORCE.key()) == null;
    if (forceInSite && problems.isEmpty()) {
      warnings.add(
          RowguardKey.FORCE.key()
              + " in hbase-site.xml is not read: it comes with the one change that it is for.");
    }
    if (isOfHBase) {
      // Its rows are not the operator's to lay out, whatever holds for all tables.
      problems.clear();
      warnings.clear();
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
      declared |= findJar(coprocessor);
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

  /**
   * The observer works from the servers' class path only. From a jar of its own HBase would load
   * the part of it that is in HBase's packages from the class path all the same ({@code
   * CoprocessorClassLoader}): it is missing there, or of another version.
   */
  private boolean findJar(CoprocessorDescriptor coprocessor) {
    String jar = coprocessor.getJarPath().orElse("");
    if (jar.isEmpty() || !Guards.OBSERVER.equals(coprocessor.getClassName())) {
      return false;
    }
    problems.add(
        "The coprocessor "
            + Guards.OBSERVER
            + " is named with the jar "
            + shown(jar)
            + ", but works from the servers' class path only; put the jar on the class path of all"
            + " masters and region servers, and alter the table so that the coprocessor's"
            + " specification begins with \"|\": \"|"
            + Guards.OBSERVER
            + "|"
            + coprocessor.getPriority()
            + "|\".");
    return true;
  }

  private void readGroup(String layout, int maxRowLength) {
    try {
      RowkeyLayout parsed = RowkeyLayout.parse(layout);
      declaredLayout = parsed.toString();
      group = EntityGroup.of(parsed.withMaxRowLength(maxRowLength), value(RowguardKey.GROUP));
    } catch (LayoutSyntaxException e) {
      problems.add(RowguardKey.LAYOUT.key() + ": " + e.getMessage() + ".");
    } catch (IllegalArgumentException e) {
      problems.add(RowguardKey.GROUP.key() + ": " + e.getMessage() + ".");
    }
  }

  private void readRelayout(int maxRowLength) {
    layoutVersion = ownNumber(RowguardKey.LAYOUT_VERSION);
    String previous = table.getValue(RowguardKey.LAYOUT_PREVIOUS.key());
    if (previous == null || group == null) {
      return;
    }
    long generation = ownNumber(RowguardKey.LAYOUT_GENERATION);
    Relayout.Phase phase =
        "prepared".equals(table.getValue(RowguardKey.LAYOUT_PHASE.key()))
            ? Relayout.Phase.PREPARED
            : Relayout.Phase.MOVING;
    EntityGroup previousGroup =
        EntityGroup.of(
            RowkeyLayout.parse(previous).withMaxRowLength(maxRowLength), value(RowguardKey.GROUP));
    relayout =
        new Relayout(
            LayoutChange.of(previousGroup.layout(), group.layout()),
            previousGroup,
            phase,
            generation);
  }

  private long ownNumber(RowguardKey key) {
    String text = table.getValue(key.key());
    return text == null ? 0 : Long.parseLong(text);
  }

  /** Salt mode needs something to salt with, and keys that cannot be taken for salted rows. */
  private void checkSalt(AmbiguousLayouts ambiguous) {
    if (mode != Mode.SALT || group == null) {
      return;
    }
    RowkeyLayout layout = group.layout();
    if (!layout.hasDerivedSegments()) {
      problems.add(
          RowguardKey.MODE.key()
              + " is \"salt\", but the layout derives no segment from others, so there is nothing"
              + " to complete; it must be reject, warn or off.");
    } else if (ambiguous == AmbiguousLayouts.REFUSE && !layout.isUnambiguous()) {
      problems.add(
          RowguardKey.MODE.key()
              + " is \"salt\", but a bare key can pass for a salted row of this layout"
              + example(layout.ambiguousKey())
              + ". End the derived segment with a literal that it cannot hold, such as \"-\"; or"
              + " write through SaltedTable with "
              + RowguardKey.MODE.key()
              + "=reject; or take the risk with "
              + RowguardKey.SALT_AMBIGUOUS.key()
              + "=accept.");
    }
  }

  private static String example(byte[] key) {
    return key == null ? "" : ", for example \"" + RowText.abbreviated(key) + "\"";
  }

  private long number(RowguardKey key, long most) {
    String text = value(key);
    try {
      long number = Long.parseLong(text.trim());
      if (number >= 1 && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Reported below, together with numbers that are out of range.
    }
    problems.add(wrongValue(key, text, key.type()));
    return key.defaultValue() == null ? most : Long.parseLong(key.defaultValue());
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

  Relayout relayout() {
    return relayout;
  }

  long layoutVersion() {
    return layoutVersion;
  }

  String declaredLayout() {
    return declaredLayout;
  }

  String declaredGroup() {
    return declaredGroup;
  }

  Mode mode() {
    return mode;
  }

  HFileCheck bulkLoads() {
    return bulkLoads;
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

  BoundedScans scans() {
    return scans;
  }

  int saltTimeoutMillis() {
    return saltTimeoutMillis;
  }

  long saltMaxBytes() {
    return saltMaxBytes;
  }

  int scanMaxBuckets() {
    return scanMaxBuckets;
  }

  Merges merges() {
    return merges;
  }

  List<String> problems() {
    return problems;
  }

  List<String> warnings() {
    return warnings;
  }
}
