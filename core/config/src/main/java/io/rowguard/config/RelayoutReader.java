package io.rowguard.config;

import io.rowguard.layout.EntityGroup;
import io.rowguard.layout.LayoutChange;
import io.rowguard.layout.LayoutSyntaxException;
import io.rowguard.layout.RowkeyLayout;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Reads and judges what a descriptor says of a change of the layout, for {@link TableConfigReader}.
 * It throws for nothing, and trusts HBase's values no more than ours: they are judged as they are
 * written.
 */
final class RelayoutReader {
  private static final long MOST_STEPS = 1_000_000_000;

  /** {@code WALSplitter.WAL_SPLIT_TO_HFILE}: such files lose the tags of markers of moved rows. */
  private static final String SPLIT_TO_HFILE = "hbase.wal.split.to.hfile";

  /** Such a log cannot be read behind a cell with tags ({@code SecureWALCellCodec}). */
  private static final String ENCRYPTION = HConstants.ENABLE_WAL_ENCRYPTION;

  /** {@code WALFactory.WAL_ENABLED}: without a log a copy would be lost behind its drop. */
  private static final String LOG = "hbase.regionserver.hlog.enabled";

  /** {@code HStore}: how long a major compaction keeps delete markers, in milliseconds. */
  private static final String TIME_TO_PURGE_DELETES = "hbase.hstore.time.to.purge.deletes";

  private static final String VISIBILITY_LABELS =
      "org.apache.hadoop.hbase.security.visibility.VisibilityController";

  private static final String MEANWHILE = ", but while " + RowguardKey.LAYOUT_PREVIOUS.key();

  private final TableDescriptor table;
  private final Configuration server;
  private final List<RowkeyLayout> arriving;
  private final List<String> problems;

  /**
   * A reader.
   *
   * @param server the server's configuration, for what HBase reads from there too; null where it is
   *     not known
   * @param arriving the layouts that {@code rowguard.replication.layouts} names
   * @param problems what is wrong is added to these
   */
  RelayoutReader(
      TableDescriptor table,
      Configuration server,
      List<RowkeyLayout> arriving,
      List<String> problems) {
    this.table = table;
    this.server = server;
    this.arriving = arriving;
    this.problems = problems;
  }

  /** How many steps changes of the layout have taken; 0 where none is declared, or none that is. */
  long readVersion() {
    return own(RowguardKey.LAYOUT_VERSION) == null ? 0 : number(RowguardKey.LAYOUT_VERSION);
  }

  /**
   * The change that is going on; null where none is, or something is wrong, which then is among the
   * problems.
   *
   * @param group of the table's layout; null where that is wrong or missing
   * @param groupName the segment that ends the group under both layouts; null for none
   */
  Relayout read(EntityGroup group, String groupName, Mode mode, AmbiguousLayouts ambiguous) {
    String previous = own(RowguardKey.LAYOUT_PREVIOUS);
    if (previous == null) {
      findLeftOver(RowguardKey.LAYOUT_PHASE);
      findLeftOver(RowguardKey.LAYOUT_GENERATION);
      return null;
    }
    int before = problems.size();
    if (own(RowguardKey.LAYOUT) == null) {
      problems.add(
          RowguardKey.LAYOUT_PREVIOUS.key()
              + " is set, but the table's descriptor has no "
              + RowguardKey.LAYOUT.key()
              + " that its rows could go to; set it there, or take the other off.");
    }
    Relayout.Phase phase = readPhase();
    long generation = readGeneration();
    checkMode(mode);
    checkTable();
    checkLabels();
    LayoutChange change = group == null ? null : readChange(previous, group.layout());
    checkScopes(change);
    EntityGroup previousGroup = change == null ? null : readGroup(change.from(), groupName);
    if (change != null && mode == Mode.SALT) {
      checkSalted(RowguardKey.LAYOUT_PREVIOUS, change.from());
      if (ambiguous == AmbiguousLayouts.ACCEPT) {
        checkSalted(RowguardKey.LAYOUT, change.to());
      }
    }
    return previousGroup == null || problems.size() > before
        ? null
        : new Relayout(change, previousGroup, phase, generation);
  }

  private void findLeftOver(RowguardKey key) {
    if (own(key) != null) {
      problems.add(
          key.key()
              + " is set, but there is no "
              + RowguardKey.LAYOUT_PREVIOUS.key()
              + ", so no change of the layout that it could be of; take it off.");
    }
  }

  private Relayout.Phase readPhase() {
    String text = own(RowguardKey.LAYOUT_PHASE);
    if (text == null) {
      addMissing(RowguardKey.LAYOUT_PHASE);
      return null;
    }
    for (Relayout.Phase phase : Relayout.Phase.values()) {
      if (phase.inDescriptor().equals(text.trim())) {
        return phase;
      }
    }
    problems.add(ConfiguredValues.wrongValue(RowguardKey.LAYOUT_PHASE, text, "prepared or moving"));
    return null;
  }

  private long readGeneration() {
    long generation = numberOrMissing(RowguardKey.LAYOUT_GENERATION);
    long version = 0;
    if (own(RowguardKey.LAYOUT_VERSION) == null) {
      addMissing(RowguardKey.LAYOUT_VERSION);
    } else {
      version = asNumber(own(RowguardKey.LAYOUT_VERSION));
    }
    if (generation > version && version > 0) {
      problems.add(
          RowguardKey.LAYOUT_GENERATION.key()
              + " is "
              + generation
              + ", which is more than "
              + RowguardKey.LAYOUT_VERSION.key()
              + ", "
              + version
              + "; it must be the version that the change of the layout began with.");
    }
    return generation;
  }

  private long numberOrMissing(RowguardKey key) {
    if (own(key) == null) {
      addMissing(key);
      return 0;
    }
    return number(key);
  }

  /** A number that is there; 0, and a problem, where it is none that may be. */
  private long number(RowguardKey key) {
    long number = asNumber(own(key));
    if (number == 0) {
      problems.add(ConfiguredValues.wrongValue(key, own(key), key.type()));
    }
    return number;
  }

  private static long asNumber(String text) {
    try {
      long number = Long.parseLong(text.trim());
      return number >= 1 && number <= MOST_STEPS ? number : 0;
    } catch (NumberFormatException e) {
      return 0; // which the caller reports, together with numbers that are out of range
    }
  }

  private void addMissing(RowguardKey key) {
    problems.add(
        RowguardKey.LAYOUT_PREVIOUS.key()
            + " is set, but "
            + key.key()
            + " is not; all keys of a change of the layout are set together, by `rowguard"
            + " relayout`.");
  }

  private void checkMode(Mode mode) {
    if (mode != Mode.REJECT && mode != Mode.SALT) {
      problems.add(
          RowguardKey.MODE.key()
              + " is \""
              + mode.name().toLowerCase(Locale.ROOT)
              + "\""
              + MEANWHILE
              + " is set it must be reject or salt, since each write has to go to its row of the"
              + " right layout.");
    }
  }

  /**
   * A delete hides only cells of its own label ({@code VisibilityScanDeleteTracker}), so what has
   * been copied could not be removed.
   */
  private void checkLabels() {
    Configuration conf = server == null ? new Configuration(false) : server;
    if (Guards.coprocessors(table, conf).contains(VISIBILITY_LABELS)) {
      problems.add(
          "The table's regions have visibility labels ("
              + VISIBILITY_LABELS
              + ")"
              + MEANWHILE
              + " is set they must not: cells with a label cannot be moved.");
    }
  }

  /** Settings of the table's cells in HBase that rows on their way do not bear. */
  private void checkTable() {
    checkValue("The table", table.getValue("REGION_REPLICATION"), "REGION_REPLICATION", "1");
    checkServer(SPLIT_TO_HFILE, "false");
    checkServer(ENCRYPTION, "false");
    checkServer(LOG, "true");
    for (ColumnFamilyDescriptor family : table.getColumnFamilies()) {
      String whose = "The column family " + family.getNameAsString();
      checkValue(whose, family, "KEEP_DELETED_CELLS", "FALSE");
      checkValue(whose, family, "NEW_VERSION_BEHAVIOR", "false");
      checkValue(whose, family, "IS_MOB", "false");
      checkPurge(whose, family);
    }
  }

  private void checkServer(String key, String needed) {
    String found = server == null ? null : server.get(key);
    checkValue("The servers' configuration", found, key, needed);
  }

  /**
   * Other clusters send edits under rows of either layout until long after the change, and each has
   * to be taken to its own row.
   */
  private void checkScopes(LayoutChange change) {
    boolean isTakenHome = change != null && names(change.from()) && names(change.to());
    for (ColumnFamilyDescriptor family : table.getColumnFamilies()) {
      String scope = text(family, "REPLICATION_SCOPE");
      String number = scope == null ? "0" : scope.trim();
      if (number.equals("0") || (isTakenHome && number.equals("1"))) {
        continue;
      }
      problems.add(
          "The column family "
              + family.getNameAsString()
              + " has REPLICATION_SCOPE = \""
              + ConfiguredValues.shown(scope)
              + "\""
              + MEANWHILE
              + " is set "
              + (isTakenHome
                  ? "it must be 0 or 1."
                  : RowguardKey.REPLICATION_LAYOUTS.key()
                      + " must name both layouts, here and in the clusters that it replicates with"
                      + (change == null
                          ? "."
                          : ": " + ReplicationReader.text(change.from(), change.to()) + ".")));
    }
  }

  private boolean names(RowkeyLayout layout) {
    return arriving.stream().anyMatch(named -> named.parts().equals(layout.parts()));
  }

  private void checkValue(String whose, ColumnFamilyDescriptor family, String key, String needed) {
    checkValue(whose, text(family, key), key, needed);
  }

  private void checkValue(String whose, String found, String key, String needed) {
    if (found != null && !found.trim().equalsIgnoreCase(needed)) {
      problems.add(
          whose
              + " has "
              + key
              + " = \""
              + ConfiguredValues.shown(found)
              + "\""
              + MEANWHILE
              + " is set it must be "
              + needed
              + ".");
    }
  }

  /** As {@code HStore} reads it: the family's value, else the table's, else the server's. */
  private void checkPurge(String whose, ColumnFamilyDescriptor family) {
    String found = text(family, TIME_TO_PURGE_DELETES);
    if (found == null) {
      found = family.getConfigurationValue(TIME_TO_PURGE_DELETES);
    }
    if (found == null) {
      found = table.getValue(TIME_TO_PURGE_DELETES);
    }
    if (found == null && server != null) {
      found = server.getRaw(TIME_TO_PURGE_DELETES);
    }
    checkValue(whose, found, TIME_TO_PURGE_DELETES, "0");
  }

  private static String text(ColumnFamilyDescriptor family, String key) {
    byte[] value = family.getValue(Bytes.toBytes(key));
    return value == null ? null : new String(value, StandardCharsets.UTF_8);
  }

  private LayoutChange readChange(String text, RowkeyLayout layout) {
    RowkeyLayout previous;
    try {
      previous = RowkeyLayout.parse(text).withMaxRowLength(layout.rowLengthLimit());
    } catch (LayoutSyntaxException e) {
      addOfPrevious(e.getMessage());
      return null;
    }
    try {
      return LayoutChange.of(previous, layout);
    } catch (IllegalArgumentException e) {
      addOfPrevious(
          "rows cannot go from it to " + RowguardKey.LAYOUT.key() + ": " + e.getMessage());
      return null;
    }
  }

  private EntityGroup readGroup(RowkeyLayout previous, String name) {
    try {
      return EntityGroup.of(previous, name);
    } catch (IllegalArgumentException e) {
      addOfPrevious("it does not go with " + RowguardKey.GROUP.key() + ". " + e.getMessage());
      return null;
    }
  }

  private void addOfPrevious(String what) {
    problems.add(RowguardKey.LAYOUT_PREVIOUS.key() + ": " + what + ".");
  }

  /**
   * A bare key that passes for a row would be taken for that row's key and moved to its place: more
   * than the risk that {@code rowguard.salt.ambiguous} takes.
   */
  private void checkSalted(RowguardKey key, RowkeyLayout layout) {
    if (!layout.isUnambiguous()) {
      problems.add(
          RowguardKey.MODE.key()
              + " is \"salt\", but a bare key can pass for a row of "
              + key.key()
              + TableConfigReader.example(layout.ambiguousKey())
              + ", and would move to the place of another key; it must be reject while "
              + RowguardKey.LAYOUT_PREVIOUS.key()
              + " is set.");
    }
  }

  private String own(RowguardKey key) {
    return table.getValue(key.key());
  }
}
