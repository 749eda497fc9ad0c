package io.rowguard.tools.doctor;

import io.rowguard.config.GroupEndpoint;
import io.rowguard.config.Guards;
import io.rowguard.config.Mode;
import io.rowguard.config.Relayout;
import io.rowguard.config.RowguardKey;
import io.rowguard.config.TableConfig;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Judges what is configured for one table: the validator's own messages, and plugins that are
 * missing or do too little. A pure function of the descriptor and the servers' configuration.
 */
final class ConfigurationCheck {
  private static final String SKIP_TWICE = "hbase.skip.load.duplicate.table.coprocessor";
  private static final List<String> ENABLED =
      List.of("hbase.coprocessor.enabled", "hbase.coprocessor.user.enabled");

  private final TableDescriptor descriptor;
  private final Configuration conf;
  private final String table;
  private final TableConfig config;
  private final Guards guards;
  private final List<Finding> findings = new ArrayList<>();

  /**
   * @param conf what the region servers have in hbase-site.xml
   */
  ConfigurationCheck(TableDescriptor descriptor, Configuration conf) {
    this.descriptor = descriptor;
    this.conf = conf;
    this.table = descriptor.getTableName().getNameAsString();
    this.config = TableConfig.of(descriptor, conf);
    this.guards = Guards.of(descriptor, conf);
  }

  TableConfig config() {
    return config;
  }

  Guards guards() {
    return guards;
  }

  /** Whether Rowguard was meant to do something for this table. */
  boolean isMeant() {
    return config.isWrong() || config.declaredLayout() != null || namesPlugin() || hasOwnKey();
  }

  /** A class that only {@code hbase-site.xml} names is there for other tables. */
  private boolean namesPlugin() {
    return descriptor.hasCoprocessor(Guards.OBSERVER)
        || Guards.POLICY.equals(descriptor.getRegionSplitPolicyClassName());
  }

  private boolean hasOwnKey() {
    return descriptor.getValues().keySet().stream()
        .anyMatch(
            key -> RowguardKey.isOurs(Bytes.toString(key.get(), key.getOffset(), key.getLength())));
  }

  /** The mistakes; empty when there is none. */
  List<Finding> findings() {
    for (String problem : config.problems()) {
      findings.add(
          Finding.problem(
              "wrong_configuration",
              table,
              null,
              problem + " Writes are refused, and no region is split.",
              "Mend the table's descriptor (alter), or hbase-site.xml on the servers."));
    }
    if (config.declaredLayout() != null || config.isWrong()) {
      completeness();
      endpointWithoutGroups();
      modes();
      relayout();
    } else if (descriptor.hasCoprocessor(Guards.OBSERVER)) {
      findings.add(
          Finding.warning(
              "no_layout",
              table,
              null,
              "The table has the observer, but no layout: nothing is checked.",
              alter("METADATA => {'" + RowguardKey.LAYOUT.key() + "' => '...'}")));
    }
    leftovers();
    return findings;
  }

  /** Notes on a table, for those who ask for it by name. */
  List<Finding> hints() {
    String group = config.declaredGroup();
    boolean hasEndpoint = GroupEndpoint.isLoaded(descriptor, conf);
    // RowGroup refuses tables whose writers choose.
    boolean hasTransactions = config.hasLayout() && !config.layout().hasChoice();
    if (group != null && hasTransactions && !hasEndpoint) {
      return List.of(
          Finding.note(
              "no_group_endpoint",
              table,
              null,
              "The table declares entity groups ("
                  + RowguardKey.GROUP.key()
                  + "="
                  + group
                  + "), but does not load HBase's endpoint that writes several of their rows as"
                  + " one: transactions (RowGroup) fail.",
              "Where programs want them: " + GroupEndpoint.alter(descriptor.getTableName())));
    }
    return List.of();
  }

  private void endpointWithoutGroups() {
    if (config.declaredGroup() == null && descriptor.hasCoprocessor(GroupEndpoint.NAME)) {
      findings.add(
          Finding.note(
              "group_endpoint_alone",
              table,
              null,
              "The table loads HBase's endpoint that writes several rows as one, but declares no"
                  + " entity groups: regions may be cut between such rows.",
              alter("METADATA => {'" + RowguardKey.GROUP.key() + "' => '...'}")));
    }
  }

  private void completeness() {
    for (String key : ENABLED) {
      if (guards.hasObserver() && !conf.getBoolean(key, true)) {
        findings.add(
            Finding.problem(
                "coprocessors_disabled",
                table,
                null,
                "The servers load no coprocessors, so no observer either: " + key + "=false.",
                "Take " + key + " out of hbase-site.xml and restart the region servers."));
      }
    }
    if (!guards.hasObserver() && !guards.hasPolicy()) {
      findings.add(
          Finding.problem(
              "not_guarded",
              table,
              null,
              "The table has rowguard keys, but neither observer nor split policy: nothing reads"
                  + " them.",
              alter(addObserver() + ", " + addPolicy())));
    } else if (!guards.hasObserver()) {
      findings.add(
          Finding.problem(
              "no_observer",
              table,
              null,
              "The table has the split policy, but no observer: any row can be written.",
              alter(addObserver())));
    } else if (!guards.hasPolicy()) {
      String policy = descriptor.getRegionSplitPolicyClassName();
      findings.add(
          Finding.problem(
              "no_split_policy",
              table,
              null,
              "The table has the observer, but "
                  + (policy == null ? "no SPLIT_POLICY" : "SPLIT_POLICY=" + policy)
                  + ": HBase may cut groups, or ask for splits that the master refuses.",
              alter(addPolicy())));
    }
    List<String> localIndexes = Guards.localIndexFamilies(descriptor);
    if (!localIndexes.isEmpty()) {
      findings.add(
          Finding.problem(
              "local_index",
              table,
              null,
              "The table has the column families of a Phoenix local index, "
                  + localIndexes
                  + ", whose rows do not fit its layout.",
              "Drop the index, create a global one instead, and take the families off the table."));
    }
    if (guards.observers() > 1 && !conf.getBoolean(SKIP_TWICE, false)) {
      findings.add(
          Finding.note(
              "observer_twice",
              table,
              null,
              "The observer is named "
                  + guards.observers()
                  + " times, in the descriptor or in hbase-site.xml, and HBase loads each. That"
                  + " does no harm: the first one in a region works, the others idle.",
              "Leave one, so that switching it off is one step."));
    }
  }

  private static String addObserver() {
    return "'coprocessor' => '|" + Guards.OBSERVER + "|1001|'";
  }

  private static String addPolicy() {
    return "SPLIT_POLICY => '" + Guards.POLICY + "'";
  }

  private String alter(String what) {
    return "alter '" + table + "', {" + what + "}";
  }

  private void modes() {
    String back =
        alter("METADATA => {'" + RowguardKey.MODE.key() + "' => 'reject'}") + " switches on.";
    if (config.mode() == Mode.WARN) {
      findings.add(
          Finding.warning(
              "mode_warn",
              table,
              null,
              "The table is in mode warn: rows that do not fit are counted and let through.",
              "When accepted_... stands still on every server: " + back));
    } else if (config.mode() == Mode.OFF) {
      findings.add(
          Finding.warning(
              "mode_off",
              table,
              null,
              "The table is in mode off: no row is looked at, and none is counted.",
              back));
    }
  }

  private void relayout() {
    Relayout relayout = config.relayout();
    if (relayout != null) {
      findings.add(
          Finding.note(
              "layout_changes",
              table,
              null,
              "The layout changes: rows leave "
                  + relayout.change().from()
                  + ". phase="
                  + relayout.phase().inDescriptor()
                  + " generation="
                  + relayout.generation()
                  + " version="
                  + config.layoutVersion()
                  + ".",
              "rowguard relayout status "
                  + table
                  + " says how far it is; run moves the rows, finish ends it."));
    }
  }

  private void leftovers() {
    if (descriptor.getValue(RowguardKey.FORCE.key()) != null) {
      findings.add(
          Finding.warning(
              "force_left",
              table,
              null,
              RowguardKey.FORCE.key()
                  + " stands in the descriptor, where nothing reads it any more. A master with the"
                  + " observer takes it out, so there was none when it was set.",
              "alter '"
                  + table
                  + "', METHOD => 'table_att_unset', NAME => '"
                  + RowguardKey.FORCE.key()
                  + "'"));
    }
    for (String warning : config.warnings()) {
      findings.add(
          Finding.warning(
              "site_mistake", null, null, warning, "Mend hbase-site.xml on the servers."));
    }
  }
}
