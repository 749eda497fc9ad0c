package io.rowguard.config;

import io.rowguard.layout.EntityGroup;
import io.rowguard.layout.KnownLayouts;
import io.rowguard.layout.LayoutSyntaxException;
import io.rowguard.layout.RowText;
import io.rowguard.layout.RowkeyLayout;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.util.Bytes;

/** The one validator of what is configured; {@link TableConfig} is what it makes. */
final class TableConfigReader {
  /** HBase 3.0 ends a server whose region takes 60 s to close, which a forwarding one may hold. */
  private static final int LONGEST_SALT_TIMEOUT = 50_000;

  private static final int MOST_SCAN_BUCKETS = 65_536;
  private static final int MOST_LOAD_SAMPLE = 1_000_000;
  private static final int LONGEST_LOAD_HALFLIFE = 86_400;
  private static final int MOST_SPLIT_LOAD = 1_000_000_000;
  private static final int MOST_SPLIT_LOAD_MINUTES = 1_440;
  private static final int MOST_SPLIT_LOAD_REGIONS = 10_000;
  private static final int HEAP_PER_SALT_BYTES = 32;
  private final TableDescriptor table;
  private final Configuration conf;
  private final boolean forClient;
  private final List<String> problems = new ArrayList<>();
  private final List<String> warnings = new ArrayList<>();
  private final ConfiguredValues values;
  private EntityGroup group;
  private Relayout relayout;
  private KnownLayouts knownLayouts;
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
  private Set<String> rowBlindFilters;
  private Merges merges;
  private int loadSample;
  private int loadHalfLifeSeconds;
  private LoadKeys loadKeys;
  private Verify verify;
  private int splitLoad;
  private int splitLoadMinutes;
  private int splitLoadMaxRegions;

  /**
   * A reader.
   *
   * @param forClient whether {@code conf} is a client's, which is no part of what servers judge
   */
  TableConfigReader(TableDescriptor table, Configuration conf, boolean forClient) {
    this.table = table;
    this.conf = conf;
    this.forClient = forClient;
    this.values = new ConfiguredValues(table, conf, forClient, problems);
  }

  TableConfigReader read() {
    boolean declared =
        new MisplacedKeys(table, problems).find(conf, forClient ? warnings : problems);
    mode = values.choice(RowguardKey.MODE, Mode.class);
    bulkLoads = values.choice(RowguardKey.BULKLOAD, HFileCheck.class);
    deletes = values.choice(RowguardKey.DELETE, Acceptance.class);
    replication = values.choice(RowguardKey.REPLICATION, Acceptance.class);
    splitWhen = values.value(RowguardKey.SPLIT_WHEN);
    scans = values.choice(RowguardKey.SCAN, BoundedScans.class);
    AmbiguousLayouts ambiguous = ambiguousLayouts();
    saltTimeoutMillis = (int) values.number(RowguardKey.SALT_TIMEOUT, LONGEST_SALT_TIMEOUT);
    saltMaxBytes =
        values.value(RowguardKey.SALT_MAX_BYTES) == null
            ? Runtime.getRuntime().maxMemory() / HEAP_PER_SALT_BYTES
            : values.number(RowguardKey.SALT_MAX_BYTES, Long.MAX_VALUE);
    scanMaxBuckets = (int) values.number(RowguardKey.SCAN_MAX_BUCKETS, MOST_SCAN_BUCKETS);
    rowBlindFilters = values.classNames(RowguardKey.FILTERS_ROW_BLIND);
    merges = values.choice(RowguardKey.MERGE, Merges.class);
    loadSample = (int) values.number(RowguardKey.LOAD_SAMPLE, 0, MOST_LOAD_SAMPLE);
    loadHalfLifeSeconds = (int) values.number(RowguardKey.LOAD_HALFLIFE, LONGEST_LOAD_HALFLIFE);
    loadKeys = values.choice(RowguardKey.LOAD_KEYS, LoadKeys.class);
    verify = values.choice(RowguardKey.RELAYOUT_VERIFY, Verify.class);
    splitLoad = (int) values.number(RowguardKey.SPLIT_LOAD, 0, MOST_SPLIT_LOAD);
    splitLoadMinutes = (int) values.number(RowguardKey.SPLIT_LOAD_MINUTES, MOST_SPLIT_LOAD_MINUTES);
    splitLoadMaxRegions =
        (int) values.number(RowguardKey.SPLIT_LOAD_MAX_REGIONS, MOST_SPLIT_LOAD_REGIONS);
    int maxRowLength = (int) values.number(RowguardKey.ROW_MAX_LENGTH, RowkeyLayout.MAX_ROW_LENGTH);
    boolean isOfHBase = table.getTableName().isSystemTable();
    String layout = isOfHBase ? null : values.value(RowguardKey.LAYOUT);
    declaredLayout = layout;
    declaredGroup = layout == null ? null : values.value(RowguardKey.GROUP);
    if (layout != null) {
      readGroup(layout, maxRowLength);
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
    readRelayout(ambiguous, maxRowLength);
    if (layout == null && !declared) {
      // Mistakes in hbase-site.xml must not stop tables that never asked for Rowguard.
      warnings.addAll(problems);
      problems.clear();
    }
    if (problems.isEmpty()) {
      findKeysOfTheDescriptorOnly();
    }
    if (isOfHBase) {
      // Its rows are not the operator's to lay out, whatever holds for all tables.
      problems.clear();
      warnings.clear();
    }
    return this;
  }

  private void findKeysOfTheDescriptorOnly() {
    for (RowguardKey key : RowguardKey.values()) {
      if (key.isOfDescriptorOnly()
          && conf.getRaw(key.key()) != null
          && table.getValue(key.key()) == null) {
        warnings.add(
            key.key()
                + " in hbase-site.xml is not read: it "
                + (key == RowguardKey.FORCE
                    ? "comes with the one change that it is for."
                    : "is set on each table that it is for."));
      }
    }
  }

  private void readGroup(String layout, int maxRowLength) {
    try {
      RowkeyLayout parsed = RowkeyLayout.parse(layout);
      declaredLayout = parsed.toString();
      group =
          EntityGroup.of(parsed.withMaxRowLength(maxRowLength), values.value(RowguardKey.GROUP));
    } catch (LayoutSyntaxException e) {
      problems.add(RowguardKey.LAYOUT.key() + ": " + e.getMessage() + ".");
    } catch (IllegalArgumentException e) {
      problems.add(RowguardKey.GROUP.key() + ": " + e.getMessage() + ".");
    }
  }

  /** Rows are then as long as all layouts allow, so the group is of one that is limited so. */
  private void readRelayout(AmbiguousLayouts ambiguous, int maxRowLength) {
    ReplicationReader arriving = new ReplicationReader(table, problems);
    List<RowkeyLayout> named = arriving.named(maxRowLength);
    RelayoutReader reader = new RelayoutReader(table, forClient ? null : conf, named, problems);
    layoutVersion = reader.readVersion();
    relayout = reader.read(group, declaredGroup, mode, ambiguous);
    if (arriving.isDeclared()) {
      readArriving(arriving, named, maxRowLength);
    }
    if (relayout != null) {
      group = EntityGroup.of(relayout.change().to(), declaredGroup);
    } else if (knownLayouts != null) {
      group = EntityGroup.of(knownLayouts.layouts().get(0), declaredGroup);
    }
  }

  private void readArriving(
      ReplicationReader arriving, List<RowkeyLayout> named, int maxRowLength) {
    arriving.check(mode);
    replication = Acceptance.ENFORCE;
    if (group == null) {
      problems.add(
          RowguardKey.REPLICATION_LAYOUTS.key()
              + " is set, but the table has no "
              + RowguardKey.LAYOUT.key()
              + " that rows of those layouts could be written in.");
      return;
    }
    List<RowkeyLayout> own = new ArrayList<>();
    own.add(group.layout().withMaxRowLength(maxRowLength));
    if (relayout != null) {
      own.add(relayout.change().from().withMaxRowLength(maxRowLength));
    }
    knownLayouts = arriving.known(own, named, mode);
    if (knownLayouts != null && relayout != null) {
      relayout = relayout.with(knownLayouts.change(1, 0), declaredGroup);
    }
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
    } else if (layout.hasChoice()) {
      problems.add(
          RowguardKey.MODE.key()
              + " is \"salt\", but writers choose among several values of a derived segment, so a"
              + " bare key has no row of its own; it must be reject, warn or off, and programs"
              + " write through SaltedTable.");
    } else if (ambiguous == AmbiguousLayouts.REJECT && !layout.isUnambiguous()) {
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

  /** Only the declared layout of a client's file counts: servers know whether it is taken. */
  private AmbiguousLayouts ambiguousLayouts() {
    boolean unknown = forClient && table.getValue(RowguardKey.SALT_AMBIGUOUS.key()) == null;
    return unknown
        ? AmbiguousLayouts.ACCEPT
        : values.choice(RowguardKey.SALT_AMBIGUOUS, AmbiguousLayouts.class);
  }

  static String example(byte[] key) {
    return key == null ? "" : ", for example \"" + RowText.abbreviated(key) + "\"";
  }

  EntityGroup group() {
    return group;
  }

  Relayout relayout() {
    return relayout;
  }

  KnownLayouts knownLayouts() {
    return knownLayouts;
  }

  boolean isObservedFirst() {
    return Guards.isObservedFirst(table);
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

  SortedMap<byte[], Integer> maxVersions() {
    SortedMap<byte[], Integer> versions = new TreeMap<>(Bytes.BYTES_COMPARATOR);
    for (ColumnFamilyDescriptor family : table.getColumnFamilies()) {
      versions.put(family.getName(), family.getMaxVersions());
    }
    return Collections.unmodifiableSortedMap(versions);
  }

  SortedMap<byte[], Integer> timesToLive() {
    SortedMap<byte[], Integer> seconds = new TreeMap<>(Bytes.BYTES_COMPARATOR);
    for (ColumnFamilyDescriptor family : table.getColumnFamilies()) {
      if (family.getTimeToLive() != HConstants.FOREVER && family.getMinVersions() == 0) {
        seconds.put(family.getName(), family.getTimeToLive());
      }
    }
    return Collections.unmodifiableSortedMap(seconds);
  }

  Set<String> rowBlindFilters() {
    return rowBlindFilters;
  }

  Merges merges() {
    return merges;
  }

  int loadSample() {
    return loadSample;
  }

  int loadHalfLifeSeconds() {
    return loadHalfLifeSeconds;
  }

  LoadKeys loadKeys() {
    return loadKeys;
  }

  Verify verify() {
    return verify;
  }

  int splitLoad() {
    return splitLoad;
  }

  int splitLoadMinutes() {
    return splitLoadMinutes;
  }

  int splitLoadMaxRegions() {
    return splitLoadMaxRegions;
  }

  List<String> problems() {
    return problems;
  }

  List<String> warnings() {
    return warnings;
  }
}
