package io.rowguard.master;

import io.rowguard.config.Guards;
import io.rowguard.config.Relayout.Phase;
import io.rowguard.config.RowguardKey;
import io.rowguard.config.TableConfig;
import io.rowguard.layout.AddedSteps;
import io.rowguard.layout.LayoutChange;
import io.rowguard.layout.RowkeyLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BiFunction;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;

/**
 * Judges an alter as a step of a relayout. A pure function of two descriptors.
 *
 * <p>Each alter that touches the layout, the previous one, the phase or the generation of a table
 * in relayout is one of {@link RelayoutStep}, and carries the version that comes next: so a step
 * that was judged, or proved, before another one is refused ({@code testing/relayout-model},
 * FINISH_AFTER_BACK). Outside of a relayout the master counts by itself: {@link #numbered}.
 */
final class RelayoutCheck {
  /**
   * By how much the version rises with an alter by force in a relayout: as with no step, but for
   * the one that is known by its form. So it is told from a step that has been overtaken. It is
   * also more than a region allows for that has reopened, or has not.
   */
  private static final long UNLIKE_A_STEP = 2;

  private final TableDescriptor current;
  private final TableDescriptor changed;
  private final Configuration conf;
  private final LayoutKeys before;
  private final LayoutKeys after;
  private final List<String> touched;

  private RelayoutCheck(TableDescriptor current, TableDescriptor changed, Configuration conf) {
    this.current = current;
    this.changed = changed;
    this.conf = conf;
    this.before = LayoutKeys.of(current, conf);
    this.after = LayoutKeys.of(changed, conf);
    this.touched = before.differences(after);
  }

  /**
   * An alter of a table.
   *
   * @param current the descriptor before the change
   * @param changed the descriptor after it
   */
  static RelayoutCheck of(TableDescriptor current, TableDescriptor changed, Configuration conf) {
    return new RelayoutCheck(current, changed, conf);
  }

  /** A table that would begin in a relayout. */
  static RuleViolation created(TableName table) {
    return RuleViolation.of(
        Rule.RELAYOUT_STEP,
        "A table cannot begin in the middle of a change of its layout. "
            + MessageText.where(table, Rule.RELAYOUT_STEP)
            + ". Create it without "
            + RowguardKey.LAYOUT_PREVIOUS.key()
            + ", "
            + RowguardKey.LAYOUT_PHASE.key()
            + " and "
            + RowguardKey.LAYOUT_GENERATION.key()
            + ".");
  }

  /** Whether the table is in a relayout before the alter or after it. */
  boolean isConcerned() {
    return before.isInRelayout() || after.isInRelayout();
  }

  /**
   * The steps that the layout of a table in no relayout has after the alter and had not before;
   * null where something else of it, or nothing, is changed.
   */
  AddedSteps addedSteps() {
    return ofLayouts(AddedSteps::of, null);
  }

  /**
   * Whether the layout of a table in no relayout becomes one under which all rows stay where they
   * are, since writers choose, or choose among more.
   */
  boolean keepsAllRows() {
    return ofLayouts(
        (old, now) -> !old.parts().equals(now.parts()) && LayoutChange.keepsAllRows(old, now),
        false);
  }

  /** The relation of the layouts before and after the alter, if a relayout has no part in it. */
  private <T> T ofLayouts(BiFunction<RowkeyLayout, RowkeyLayout, T> relation, T otherwise) {
    TableConfig old = TableConfig.of(current, conf);
    TableConfig now = TableConfig.of(changed, conf);
    return !isConcerned() && !touched.isEmpty() && old.hasLayout() && now.hasLayout()
        ? relation.apply(old.layout(), now.layout())
        : otherwise;
  }

  /** The declaration of the table before the alter. */
  LayoutKeys before() {
    return before;
  }

  /** The step that the alter is; null where it is none, or carries another version than it must. */
  RelayoutStep step() {
    RelayoutStep shape = shape();
    if (shape == null || after.version() != next()) {
      return null;
    }
    boolean begins = shape == RelayoutStep.START || shape == RelayoutStep.BACK;
    long generation = begins ? after.version() : before.generation();
    boolean ends = after.isWithoutRelayout();
    return ends || after.generation() == generation ? shape : null;
  }

  /** The step that it is by its layouts and its phase, whatever the numbers say; null for none. */
  private RelayoutStep shape() {
    if (touched.isEmpty()) {
      return null;
    }
    boolean sameLayout = Objects.equals(after.layout(), before.layout());
    boolean samePrevious = Objects.equals(after.previous(), before.previous());
    if (!before.isInRelayout()) {
      boolean starts =
          before.layout() != null
              && after.layout() != null
              && !sameLayout
              && before.layout().equals(after.previous())
              && after.isIn(Phase.PREPARED);
      return starts ? RelayoutStep.START : null;
    }
    boolean restored = before.previous().equals(after.layout());
    if (before.isIn(Phase.PREPARED)) {
      if (sameLayout && samePrevious && after.isIn(Phase.MOVING)) {
        return RelayoutStep.MOVE;
      }
      return restored && after.isWithoutRelayout() ? RelayoutStep.GIVE_UP : null;
    }
    if (sameLayout && after.isWithoutRelayout()) {
      return RelayoutStep.FINISH;
    }
    boolean exchanged = restored && Objects.equals(before.layout(), after.previous());
    return exchanged && after.isIn(Phase.MOVING) ? RelayoutStep.BACK : null;
  }

  /** The mistakes of the alter, as far as it needs no look at data; empty when there is none. */
  List<RuleViolation> violations() {
    List<RuleViolation> violations = new ArrayList<>();
    if (!isConcerned()) {
      if (after.hasVersion() && !isNamedRight()) {
        violations.add(wrongVersion());
      }
      return violations;
    }
    if (!touched.isEmpty() || after.version() != before.version()) {
      if (after.version() != next()) {
        violations.add(wrongVersion());
      } else if (step() == null) {
        violations.add(noStep());
      }
    }
    List<String> unsettled = unsettled();
    if (!unsettled.isEmpty()) {
      violations.add(unsettled(unsettled));
    }
    if (after.isInRelayout() && !Guards.of(changed, conf).hasObserver()) {
      boolean missedBefore = before.isInRelayout() && !Guards.of(current, conf).hasObserver();
      violations.add(missedBefore ? unguarded().asWarning() : unguarded());
    }
    return violations;
  }

  /**
   * The same once more when the alter has the table's lock, against what is stored then: others may
   * have altered the table since it was judged. Null if it was not altered; never by force.
   *
   * @param stored the descriptor that is stored now
   * @param changed the descriptor that is to replace it, {@link #numbered}
   */
  static RuleViolation underLock(
      TableDescriptor stored, TableDescriptor changed, Configuration conf) {
    RelayoutCheck check = of(stored, changed, conf);
    long version = check.after.version();
    boolean counted = !check.isConcerned() && version == check.next();
    boolean forced = version == check.before.version() + UNLIKE_A_STEP;
    return counted || forced || version == check.required() ? null : check.wrongVersion();
  }

  /**
   * The descriptor with the version that it is stored with. Outside of a relayout an alter need not
   * name one, but may raise it by one.
   *
   * @param changed the descriptor that is to be stored otherwise
   */
  TableDescriptor numbered(TableDescriptor changed) {
    long version = required();
    boolean counted = !isConcerned() && isNamedRight() && after.version() > version;
    if (version == 0 || counted || after.version() == version) {
      return changed;
    }
    return TableDescriptorBuilder.newBuilder(changed)
        .setValue(RowguardKey.LAYOUT_VERSION.key(), Long.toString(version))
        .build();
  }

  /**
   * The version that the alter is stored with, if it names none:
   *
   * <ul>
   *   <li>layouts untouched: the one that is stored
   *   <li>a step of a relayout: the one that comes next for it
   *   <li>another change in a relayout, which needs force, new steps of a layout, or more rows to
   *       choose from: {@link #UNLIKE_A_STEP} more. Regions then refuse clients that plan without
   *       what is new and do not look where the new rows are
   *   <li>another layout outside of a relayout: one more, but 0 for a table that has no version yet
   * </ul>
   */
  private long required() {
    if (touched.isEmpty()) {
      return before.version();
    }
    if (step() != null) {
      return next();
    }
    if (isConcerned() || addedSteps() != null || keepsAllRows()) {
      return before.version() + UNLIKE_A_STEP;
    }
    return before.version() == 0 ? 0 : before.version() + 1;
  }

  private boolean isNamedRight() {
    return after.version() == before.version() || after.version() == next();
  }

  /** The version that the alter must carry, if it touches the layouts. */
  private long next() {
    RelayoutStep shape = shape();
    return before.version() + (shape == null ? 1 : shape.versions());
  }

  /** The keys that must stay as they are for as long as rows move, since they say a row's place. */
  private List<String> unsettled() {
    List<String> keys = new ArrayList<>();
    for (RowguardKey key : new RowguardKey[] {RowguardKey.GROUP, RowguardKey.ROW_MAX_LENGTH}) {
      if (!Objects.equals(current.getValue(key.key()), changed.getValue(key.key()))) {
        keys.add(key.key());
      }
    }
    if (!touched.isEmpty() && current.getRegionReplication() != changed.getRegionReplication()) {
      keys.add(TableDescriptorBuilder.REGION_REPLICATION);
    }
    return keys;
  }

  private RuleViolation wrongVersion() {
    return RuleViolation.of(
        Rule.RELAYOUT_VERSION,
        "The version of the table's layouts is not the one that comes next: the table has been"
            + " altered meanwhile, or the alter does not count. "
            + MessageText.where(changed.getTableName(), Rule.RELAYOUT_VERSION)
            + " stored="
            + before.version()
            + " found="
            + (after.hasVersion() ? Long.toString(after.version()) : "none")
            + " next="
            + next()
            + " touched="
            + touched
            + ". See what the table declares now (rowguard relayout status "
            + changed.getTableName().getNameAsString()
            + "), and take the step from there.");
  }

  private RuleViolation noStep() {
    return RuleViolation.of(
        Rule.RELAYOUT_STEP,
        "The alter is no step of a relayout. "
            + MessageText.where(changed.getTableName(), Rule.RELAYOUT_STEP)
            + " touched="
            + touched
            + " stored: "
            + before
            + "; found: "
            + after
            + ". "
            + ways()
            + " The command rowguard relayout takes each step as it must be.");
  }

  private String ways() {
    long next = before.version() + 1;
    long back = before.version() + RelayoutStep.BACK.versions();
    String version = RowguardKey.LAYOUT_VERSION.key() + "=";
    String generation = RowguardKey.LAYOUT_GENERATION.key() + "=";
    String phase = RowguardKey.LAYOUT_PHASE.key();
    String without =
        " without "
            + RowguardKey.LAYOUT_PREVIOUS.key()
            + ", "
            + phase
            + " and "
            + RowguardKey.LAYOUT_GENERATION.key();
    if (!before.isInRelayout()) {
      return "A relayout begins with another "
          + RowguardKey.LAYOUT.key()
          + ", the one that is stored as "
          + RowguardKey.LAYOUT_PREVIOUS.key()
          + ", "
          + phase
          + "=prepared, "
          + generation
          + next
          + " and "
          + version
          + next
          + ".";
    }
    if (before.isIn(Phase.PREPARED)) {
      return "It goes on with "
          + phase
          + "=moving, or is given up with the previous layout as "
          + RowguardKey.LAYOUT.key()
          + without
          + "; either with "
          + version
          + next
          + ".";
    }
    return "It ends with the same layout"
        + without
        + " and with "
        + version
        + next
        + ", or goes back with the two layouts exchanged, "
        + generation
        + back
        + " and "
        + version
        + back
        + ".";
  }

  private RuleViolation unsettled(List<String> keys) {
    return RuleViolation.of(
        Rule.RELAYOUT_STEP,
        "While the table's layout changes, what else says where a row belongs must stay as it is. "
            + MessageText.where(changed.getTableName(), Rule.RELAYOUT_STEP)
            + " touched="
            + keys
            + ". Change it before the relayout starts or after it has ended.");
  }

  private RuleViolation unguarded() {
    return RuleViolation.of(
        Rule.RELAYOUT_UNGUARDED,
        "A table whose layout changes would have no observer, without which rows are written beside"
            + " those that move, and lost. "
            + MessageText.where(changed.getTableName(), Rule.RELAYOUT_UNGUARDED)
            + ". Keep the coprocessor "
            + Guards.OBSERVER
            + " until the relayout has ended.");
  }
}
