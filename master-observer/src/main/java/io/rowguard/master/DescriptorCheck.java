package io.rowguard.master;

import io.rowguard.config.GroupEndpoint;
import io.rowguard.config.Guards;
import io.rowguard.config.Mode;
import io.rowguard.config.RowguardKey;
import io.rowguard.config.TableConfig;
import io.rowguard.layout.AddedSteps;
import io.rowguard.layout.LayoutBoundaries;
import io.rowguard.layout.Legality;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.TableDescriptor;

/**
 * Judges what a table declares when it is created or altered. A pure function of descriptors,
 * configuration, region boundaries, and the answer to whether there is data.
 *
 * <p>Only a change for the worse is refused: a table whose configuration is wrong already can be
 * altered in other respects, turned off, and mended step by step.
 */
final class DescriptorCheck {
  private final TableDescriptor changed;
  private final TableName table;
  private final Configuration conf;
  private final TableConfig config;
  private final List<RuleViolation> violations = new ArrayList<>();

  private DescriptorCheck(TableDescriptor changed, Configuration conf) {
    this.changed = changed;
    this.table = changed.getTableName();
    this.conf = conf;
    this.config = TableConfig.of(changed, conf);
  }

  /**
   * A new table.
   *
   * @param splitKeys the start keys of all of its regions but the first
   */
  static List<RuleViolation> created(
      TableDescriptor table, Configuration conf, List<byte[]> splitKeys) {
    DescriptorCheck check = new DescriptorCheck(table, conf);
    if (LayoutKeys.isInRelayout(table)) {
      check.violations.add(RelayoutCheck.created(table.getTableName()));
    }
    if (check.config.isWrong()) {
      check.wrong("it is not created");
    } else if (check.config.hasLayout() && check.config.mode() != Mode.OFF) {
      check.completeness();
      check.endpoint(false, false);
      check.localIndex();
      LayoutBoundaries boundaries = LayoutBoundaries.of(check.config.group());
      List<RuleViolation> presplit =
          new PresplitCheck(check.table, boundaries, splitKeys).violations();
      presplit.forEach(check::add);
    }
    return check.violations;
  }

  /**
   * A table that exists.
   *
   * @param current its descriptor before the change
   * @param splitKeys the start keys of all of its regions but the first
   * @param data what shows that it holds data, as {@link StoredData#find} has it for a message, or
   *     null; asked only where it matters
   * @param moving what shows that added steps give a row another place, as {@link
   *     BucketStepCheck#find} has it for a message, or null; asked only where the table holds data
   */
  static List<RuleViolation> altered(
      TableDescriptor current,
      TableDescriptor changed,
      Configuration conf,
      Supplier<List<byte[]>> splitKeys,
      Supplier<String> data,
      Function<AddedSteps, String> moving) {
    DescriptorCheck check = new DescriptorCheck(changed, conf);
    TableConfig before = TableConfig.of(current, conf);
    RelayoutCheck relayout = RelayoutCheck.of(current, changed, conf);
    if (check.config.isWrong()) {
      List<String> added = new ArrayList<>(check.config.problems());
      added.removeAll(before.problems());
      check.wrong(added.isEmpty() ? "it stays wrong with this change" : "it is not altered");
      if (added.isEmpty()) {
        check.violations.replaceAll(RuleViolation::asWarning);
        boolean moves = new DeclarationChange(check.table, before, check.config).mayMoveRows();
        if (moves && data.get() != null) {
          check.wrong("its layout, its group and salt mode stay as they are while it holds data");
        }
      }
    } else if (check.config.hasLayout() && check.config.mode() != Mode.OFF) {
      check.completeness();
      check.endpoint(
          current.hasCoprocessor(GroupEndpoint.NAME), GroupEndpoint.isLoaded(current, conf));
      boolean stays = isRefusing(before) && !Guards.localIndexFamilies(current).isEmpty();
      if (!stays) {
        check.localIndex();
      }
      boolean isObservedFromNow =
          !Guards.of(current, conf).hasObserver() && Guards.of(changed, conf).hasObserver();
      check.changes(before, isObservedFromNow, relayout, splitKeys, data, moving);
    }
    if (relayout.isConcerned()) {
      check.violations.addAll(relayout.violations()); // in every mode: rows are on their way
    } else if (check.config.mode() != Mode.OFF) {
      relayout.violations().forEach(check::add);
    }
    return check.violations;
  }

  /** A table that comes from a snapshot: it is as it was, so nothing is refused. */
  static List<RuleViolation> cloned(TableDescriptor table, Configuration conf) {
    DescriptorCheck check = new DescriptorCheck(table, conf);
    if (check.config.isWrong()) {
      check.wrong("its writes are refused and it does not split");
    } else if (check.config.hasLayout() && check.config.mode() != Mode.OFF) {
      check.completeness();
    }
    check.violations.replaceAll(RuleViolation::asWarning);
    return check.violations;
  }

  /** A split of a table with a wrong configuration: what belongs together is not known. */
  static RuleViolation unsplittable(TableConfig config, TableName table) {
    return wrong(config, table, "its regions do not split");
  }

  /** A truncation that leaves one region of several. */
  static RuleViolation truncated(TableName table, int regions) {
    return RuleViolation.of(
        Rule.TRUNCATE_LOSES_SPLITS,
        "The truncation leaves one region, so all writes go to one server until it splits. "
            + MessageText.where(table, Rule.TRUNCATE_LOSES_SPLITS)
            + " regions="
            + regions
            + ". truncate_preserve '"
            + table.getNameAsString()
            + "' keeps them.");
  }

  private static RuleViolation wrong(TableConfig config, TableName table, String consequence) {
    return RuleViolation.of(
        Rule.WRONG_CONFIGURATION,
        config.problemMessage(table.getNameAsString(), consequence)
            + " rule="
            + Rule.WRONG_CONFIGURATION.code()
            + ".");
  }

  private void wrong(String consequence) {
    violations.add(wrong(config, table, consequence));
  }

  /** In mode warn the master, too, only logs what it would refuse. */
  private void add(RuleViolation violation) {
    violations.add(config.mode() == Mode.WARN ? violation.asWarning() : violation);
  }

  private void completeness() {
    Guards guards = Guards.of(changed, conf);
    if (!guards.hasObserver()) {
      incomplete(
          "The table declares a layout, but no observer looks at what is written to it.",
          " Add the coprocessor " + Guards.OBSERVER + ".");
    }
    if (!guards.hasPolicy()) {
      incomplete(
          "The table declares a layout, but its split policy does not know it: splits that would"
              + " cut a group are refused, and the region that asks in vain does not compact"
              + " meanwhile.",
          " Set SPLIT_POLICY => '" + Guards.POLICY + "'.");
    }
  }

  /**
   * Warns when a change of the endpoint breaks transactions of entity groups. A table that has
   * never loaded it is let alone: no program may want transactions there.
   *
   * @param wasNamed whether the table itself named it before
   * @param wasLoaded whether its regions loaded it before
   */
  private void endpoint(boolean wasNamed, boolean wasLoaded) {
    boolean hasGroups = config.declaredGroup() != null;
    if (!hasGroups && !wasNamed && changed.hasCoprocessor(GroupEndpoint.NAME)) {
      violations.add(
          RuleViolation.of(
              Rule.GROUP_ENDPOINT,
              "The table loads HBase's endpoint that writes several rows as one, but declares no"
                  + " entity groups: regions may be cut between such rows. "
                  + MessageText.where(table, Rule.GROUP_ENDPOINT)
                  + ". Set "
                  + RowguardKey.GROUP.key()
                  + " to the segment with which the rows that belong together end what they share."));
    }
    if (hasGroups && wasLoaded && !GroupEndpoint.isLoaded(changed, conf)) {
      violations.add(
          RuleViolation.of(
              Rule.GROUP_ENDPOINT,
              "The table no longer loads HBase's endpoint that writes several rows as one, so"
                  + " transactions of its entity groups (RowGroup) fail. "
                  + MessageText.where(table, Rule.GROUP_ENDPOINT)
                  + ". Where programs use them: "
                  + GroupEndpoint.alter(table)
                  + "."));
    }
  }

  private void incomplete(String sentence, String wayOut) {
    violations.add(
        RuleViolation.of(
            Rule.GUARD_INCOMPLETE,
            sentence + " " + MessageText.where(table, Rule.GUARD_INCOMPLETE) + "." + wayOut));
  }

  /** Before Phoenix fills the index, which the region observer would refuse only then. */
  private void localIndex() {
    List<String> families = Guards.localIndexFamilies(changed);
    if (!families.isEmpty()) {
      add(
          RuleViolation.of(
              Rule.LOCAL_INDEX,
              "A Phoenix local index has rows of its own in the table, which do not fit the layout:"
                  + " the observer refuses each write that brings one along, and Phoenix replaces"
                  + " the split policy. "
                  + MessageText.where(table, Rule.LOCAL_INDEX)
                  + " families="
                  + families
                  + ". Use a global index, which is a table of its own (CREATE INDEX)."));
    }
  }

  private static boolean isRefusing(TableConfig config) {
    return config.hasLayout() && (config.mode() == Mode.REJECT || config.mode() == Mode.SALT);
  }

  private void changes(
      TableConfig before,
      boolean isObservedFromNow,
      RelayoutCheck relayout,
      Supplier<List<byte[]>> splitKeys,
      Supplier<String> data,
      Function<AddedSteps, String> moving) {
    DeclarationChange change = new DeclarationChange(table, before, config);
    boolean saltTurnedOn =
        change.turnsSaltOn() || (config.mode() == Mode.SALT && isObservedFromNow);
    boolean sameGroup = change.keepsGroup();
    boolean unmoved =
        change.isOfLayout() && !relayout.isConcerned() && !(sameGroup && relayout.keepsAllRows());
    String found = isRefusing(config) && (unmoved || saltTurnedOn) ? data.get() : null;
    if (found != null && unmoved) {
      AddedSteps steps = sameGroup ? relayout.addedSteps() : null;
      String moves = steps == null ? null : moving.apply(steps);
      violations.add(
          steps != null && moves == null
              ? change.stepsAdded()
              : change.layoutChanged(found, moves));
    }
    if (found != null && saltTurnedOn) {
      violations.add(change.saltTurnedOn(found));
    }
    if (change.isOfLayout()) {
      existingBoundaries(splitKeys.get());
    }
  }

  /** Boundaries that are there cannot be refused any more. */
  private void existingBoundaries(List<byte[]> splitKeys) {
    LayoutBoundaries boundaries = LayoutBoundaries.of(config.group());
    int illegal = 0;
    int cutting = 0;
    byte[] example = null;
    for (byte[] key : splitKeys) {
      Legality legality = boundaries.judge(key);
      illegal += legality.isLegal() ? 0 : 1;
      cutting += legality.cutsGroup() ? 1 : 0;
      boolean better = legality.cutsGroup() ? cutting == 1 : example == null;
      example = !legality.isLegal() && better ? key : example;
    }
    if (illegal > 0) {
      violations.add(
          RuleViolation.of(
              Rule.BOUNDARIES_ILLEGAL,
              "Regions of this table have boundaries that the new layout does not have. "
                  + MessageText.where(table, Rule.BOUNDARIES_ILLEGAL)
                  + " illegal="
                  + illegal
                  + " cuttingGroups="
                  + cutting
                  + " example="
                  + MessageText.key(example)
                  + ". Where a boundary may cut a group, merge the regions on both sides of it."));
    }
  }
}
