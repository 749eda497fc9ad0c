package io.rowguard.master;

import io.rowguard.config.Mode;
import io.rowguard.config.RowguardKey;
import io.rowguard.config.TableConfig;
import io.rowguard.layout.LayoutSyntaxException;
import io.rowguard.layout.RowkeyLayout;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.TableDescriptor;

/**
 * The declarations of a table before and after an alter, and what the difference means for rows.
 */
final class DeclarationChange {
  private final TableName table;
  private final TableConfig before;
  private final TableConfig after;

  DeclarationChange(TableName table, TableConfig before, TableConfig after) {
    this.table = table;
    this.before = before;
    this.after = after;
  }

  /**
   * An alter that leaves the regions open, which go on with what they had until each opens next. In
   * mode warn it only warns, in mode off all is well.
   *
   * @return null where nothing is altered by which rows are judged and found
   */
  static RuleViolation notReopened(
      TableDescriptor current, TableDescriptor changed, Configuration conf) {
    List<String> keys = LayoutKeys.of(current, conf).differences(LayoutKeys.of(changed, conf));
    for (RowguardKey key : Arrays.asList(RowguardKey.GROUP, RowguardKey.MODE)) {
      if (!Objects.equals(current.getValue(key.key()), changed.getValue(key.key()))) {
        keys.add(key.key());
      }
    }
    Mode mode = TableConfig.of(changed, conf).mode();
    if (keys.isEmpty() || mode == Mode.OFF) {
      return null;
    }
    RuleViolation violation =
        RuleViolation.of(
            Rule.REGIONS_STAY_OPEN,
            "The regions are not to be opened again, so each would go by the former declaration"
                + " until it happens to be. "
                + MessageText.where(changed.getTableName(), Rule.REGIONS_STAY_OPEN)
                + " touched="
                + keys
                + ". Give the alter without REOPEN_REGIONS => 'false'.");
    return mode == Mode.WARN ? violation.asWarning() : violation;
  }

  boolean keepsGroup() {
    return Objects.equals(after.declaredGroup(), before.declaredGroup());
  }

  /** Whether the layout or the group is another. */
  boolean isOfLayout() {
    return !Objects.equals(after.declaredLayout(), before.declaredLayout()) || !keepsGroup();
  }

  boolean turnsSaltOn() {
    return after.mode() == Mode.SALT
        && (before.mode() != Mode.SALT || before.declaredLayout() == null);
  }

  /**
   * Whether rows may be looked for at other places than before, where a wrong configuration hides
   * whether they are. The master's can be wrong alone, and the servers go by the new declaration at
   * once.
   */
  boolean mayMoveRows() {
    boolean refuses = after.mode() == Mode.REJECT || after.mode() == Mode.SALT;
    return refuses
        && after.declaredLayout() != null
        && isReadable(before.declaredLayout())
        && (isOfLayout() || turnsSaltOn());
  }

  private static boolean isReadable(String layout) {
    try {
      return layout == null || RowkeyLayout.parse(layout) != null;
    } catch (LayoutSyntaxException e) {
      return false; // and another layout mends it
    }
  }

  /** Steps that move no row. */
  RuleViolation stepsAdded() {
    String message =
        "The layout gets more buckets from a value on that no stored row reaches. A row"
            + " that is written from there on before all regions have reopened gets its former place,"
            + " where no reader looks for it. "
            + MessageText.where(table, Rule.STEPS_ADDED)
            + " layout="
            + MessageText.text(before.declaredLayout())
            + " newLayout="
            + MessageText.text(after.declaredLayout())
            + ". Where such rows may have been written meanwhile, rowguard audit names them.";
    return RuleViolation.of(Rule.STEPS_ADDED, message);
  }

  /**
   * Another layout or group for rows that are there.
   *
   * @param data what shows that there are some
   * @param moving what shows that added steps would move one; null where none are added
   */
  RuleViolation layoutChanged(String data, String moving) {
    String message =
        "The layout or the entity group of a table that holds data is changed while rows that"
            + " do not conform are refused. "
            + MessageText.where(table, Rule.LAYOUT_CHANGED)
            + " layout="
            + MessageText.text(before.declaredLayout())
            + " newLayout="
            + MessageText.text(after.declaredLayout())
            + " group="
            + MessageText.text(before.declaredGroup())
            + " newGroup="
            + MessageText.text(after.declaredGroup())
            + " data=\""
            + data
            + "\""
            + (moving == null ? withoutMoving() : " moving=\"" + moving + "\"" + byRelayout());
    return RuleViolation.of(Rule.LAYOUT_CHANGED, message);
  }

  private String withoutMoving() {
    if (after.mode() == Mode.SALT) {
      return ". Another salt, hash or number of buckets: rowguard relayout. Where every stored row"
          + " fits the new layout too: by force; with "
          + RowguardKey.MODE.key()
          + "=warn bare keys would be stored bare.";
    }
    boolean hasSameKeys =
        before.hasLayout()
            && before.layout().bare().parts().equals(after.layout().bare().parts())
            && keepsGroup();
    if (hasSameKeys) {
      return ". Readers would look for rows where they are not stored. To move the rows while the"
          + " table is in use: "
          + relayoutPlan();
    }
    return ". Set "
        + RowguardKey.MODE.key()
        + "=warn in the same change: rows are counted, not refused; go back when the metrics stay"
        + " at zero.";
  }

  private String byRelayout() {
    return ". A step that is added has to be above all rows that are stored, and the master reads"
        + " for "
        + RelayoutPrecondition.MILLIS / 1000
        + " s at most to see that. Else change the layout of the table while it is in use: "
        + relayoutPlan();
  }

  private String relayoutPlan() {
    return "rowguard relayout plan "
        + table.getNameAsString()
        + " --to '"
        + after.declaredLayout()
        + "'.";
  }

  /**
   * Salt mode for rows that are there.
   *
   * @param data what shows that there are some
   */
  RuleViolation saltTurnedOn(String data) {
    String message =
        "Salt mode is turned on for a table that holds data: rows that were stored bare before"
            + " would vanish from point reads. "
            + MessageText.where(table, Rule.SALT_TURNED_ON)
            + " data=\""
            + data
            + "\". Migrate first: have rowguard relayout salt the rows, and then force this; or create"
            + " another table in salt mode and copy the rows into it.";
    return RuleViolation.of(Rule.SALT_TURNED_ON, message);
  }
}
