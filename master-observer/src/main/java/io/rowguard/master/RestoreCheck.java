package io.rowguard.master;

import io.rowguard.config.Guards;
import io.rowguard.config.Mode;
import io.rowguard.config.RowguardKey;
import io.rowguard.config.TableConfig;
import java.util.Locale;
import java.util.Objects;
import java.util.StringJoiner;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.TableDescriptor;

/**
 * Judges a snapshot that is to take the place of a table: with its rows comes its descriptor, and
 * with that the declaration of its day. A pure function.
 */
final class RestoreCheck {
  private final TableDescriptor current;
  private final TableDescriptor restored;
  private final Configuration conf;

  RestoreCheck(TableDescriptor current, TableDescriptor restored, Configuration conf) {
    this.current = current;
    this.restored = restored;
    this.conf = conf;
  }

  /** A snapshot of a table. Null where that is whole. */
  static RuleViolation taken(TableDescriptor table, String snapshot) {
    return LayoutKeys.isInRelayout(table)
        ? relayout(
            "A snapshot of a table whose layout changes can miss rows: the one region is seen"
                + " before a row comes, the other after it has gone.",
            table.getTableName(),
            snapshot,
            "Take it before the relayout starts or after it has ended.")
        : null;
  }

  /** A snapshot that becomes a new table. Null where it was whole. */
  static RuleViolation cloned(TableDescriptor table, String snapshot) {
    return LayoutKeys.isInRelayout(table)
        ? relayout(
            "The snapshot is of a table whose layout was about to change, so it can miss rows.",
            table.getTableName(),
            snapshot,
            "Take one that is older or younger.")
        : null;
  }

  private static RuleViolation relayout(
      String sentence, TableName table, String snapshot, String wayOut) {
    return RuleViolation.of(
        Rule.RELAYOUT_SNAPSHOT,
        sentence
            + " "
            + MessageText.where(table, Rule.RELAYOUT_SNAPSHOT)
            + " snapshot="
            + MessageText.text(snapshot)
            + ". "
            + wayOut);
  }

  /** The loss, or null. A table that does not guard anything can lose nothing. */
  RuleViolation violation(String snapshot) {
    if (LayoutKeys.isInRelayout(current)) {
      return relayout(
          "Restoring a snapshot would end a change of the table's layout that is not over.",
          current.getTableName(),
          snapshot,
          "End the relayout first, or clone the snapshot into another table.");
    }
    if (LayoutKeys.isInRelayout(restored)) {
      return cloned(restored, snapshot);
    }
    TableConfig before = TableConfig.of(current, conf);
    TableConfig after = TableConfig.of(restored, conf);
    if (before.declaredLayout() == null || before.mode() == Mode.OFF) {
      return null;
    }
    StringJoiner changes = new StringJoiner(" ");
    compare(changes, RowguardKey.LAYOUT, before.declaredLayout(), after.declaredLayout());
    compare(changes, RowguardKey.GROUP, before.declaredGroup(), after.declaredGroup());
    if (after.layoutVersion() < before.layoutVersion()) {
      compare(
          changes,
          RowguardKey.LAYOUT_VERSION,
          Long.toString(before.layoutVersion()),
          Long.toString(after.layoutVersion()));
    }
    if (rank(after.mode()) < rank(before.mode())) {
      compare(changes, RowguardKey.MODE, code(before.mode()), code(after.mode()));
    }
    Guards guardsBefore = Guards.of(current, conf);
    Guards guardsAfter = Guards.of(restored, conf);
    if (guardsBefore.hasObserver() && !guardsAfter.hasObserver()) {
      changes.add("without=" + Guards.OBSERVER);
    }
    if (guardsBefore.hasPolicy() && !guardsAfter.hasPolicy()) {
      changes.add("without=" + Guards.POLICY);
    }
    if (changes.length() == 0) {
      return null;
    }
    RuleViolation violation =
        RuleViolation.of(
            Rule.RESTORE_WEAKENS,
            "Restoring the snapshot would replace the table's declaration by an older one. "
                + MessageText.where(current.getTableName(), Rule.RESTORE_WEAKENS)
                + " snapshot="
                + MessageText.text(snapshot)
                + " "
                + changes
                + ". Clone the snapshot into another table instead, or restore it by force and"
                + " alter the table afterwards.");
    return before.mode() == Mode.WARN ? violation.asWarning() : violation;
  }

  private static void compare(StringJoiner changes, RowguardKey key, String before, String after) {
    if (!Objects.equals(before, after)) {
      changes.add(
          key.key() + "=" + MessageText.text(before) + " restored=" + MessageText.text(after));
    }
  }

  private static String code(Mode mode) {
    return mode.name().toLowerCase(Locale.ROOT);
  }

  /** Higher guards more. */
  private static int rank(Mode mode) {
    switch (mode) {
      case OFF:
        return 0;
      case WARN:
        return 1;
      default:
        return 2;
    }
  }
}
