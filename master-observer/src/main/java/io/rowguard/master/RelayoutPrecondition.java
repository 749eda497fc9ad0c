package io.rowguard.master;

import io.rowguard.config.Relayout.Phase;
import io.rowguard.relayout.PolledRegion;
import io.rowguard.relayout.RegionPoll;
import io.rowguard.relayout.RelayoutRequest;
import io.rowguard.relayout.RelayoutResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.TableName;

/**
 * The conditions on all regions of a table before a step of its relayout, as they say themselves.
 *
 * <ul>
 *   <li>START and BACK: each is of the version that is stored, so that no two regions are ever more
 *       than one step apart.
 *   <li>MOVE: the same, and none has a row of the new layout only. A stray one would hide the row
 *       that is to move there. It is looked for when all regions are prepared, since no other one
 *       can be written then.
 *   <li>FINISH: the same, and none has a row of the old layout only, nor anything else in the way.
 *   <li>GIVE_UP needs nothing: whether a region is prepared or not, the old rows are home.
 * </ul>
 *
 * <p>A region that has counted none says so again at once. So it is the operator's tool that waits
 * for counts that take long, and the master that has them confirmed.
 */
final class RelayoutPrecondition {
  /**
   * The longest wait for the regions, in milliseconds: a client waits for the alter, and so does
   * one of the master's handlers.
   */
  static final int MILLIS = 20_000;

  private static final int MOST_NAMED = 3;

  private final TableName table;
  private final LayoutKeys stored;
  private final Function<RelayoutRequest, List<PolledRegion>> poll;

  /**
   * @param stored what the table declares before the step
   * @param poll all regions of the table, as {@link RegionPoll#toTheEnd}
   */
  RelayoutPrecondition(
      TableName table, LayoutKeys stored, Function<RelayoutRequest, List<PolledRegion>> poll) {
    this.table = table;
    this.stored = stored;
    this.poll = poll;
  }

  /**
   * Why a step may not be taken yet, or null.
   *
   * @param disabled whether the table is disabled: no region is of any version then
   * @param allOpen whether all of its regions are open, so that they can be asked
   * @param data what shows that it holds data, as {@link StoredData#find}; asked only where the
   *     table is disabled
   */
  RuleViolation violation(
      RelayoutStep step, boolean disabled, boolean allOpen, Supplier<String> data) {
    boolean counts = step == RelayoutStep.MOVE || step == RelayoutStep.FINISH;
    if (step == RelayoutStep.GIVE_UP) {
      return null;
    }
    if (disabled) {
      String found = counts ? data.get() : null;
      return found == null
          ? null
          : unproved(step, "the table is disabled, so its regions cannot count: " + found);
    }
    if (!allOpen) {
      return unproved(step, "not all regions are open");
    }
    List<PolledRegion> polled =
        poll.apply(counts ? RelayoutRequest.count(stored.generation()) : RelayoutRequest.state());
    String found = found(polled, step);
    return found == null ? null : unproved(step, found);
  }

  private String found(List<PolledRegion> polled, RelayoutStep step) {
    List<String> found = new ArrayList<>();
    for (PolledRegion each : polled) {
      String wrong = each.response() == null ? each.failure() : wrong(each.response(), step);
      if (wrong != null) {
        found.add(MessageText.range(each.region()) + " " + MessageText.plain(wrong));
      }
    }
    if (found.isEmpty()) {
      return null;
    }
    StringJoiner named = new StringJoiner("; ");
    found.stream().limit(MOST_NAMED).forEach(named::add);
    return found.size() + " of " + polled.size() + " regions: " + named;
  }

  /** The mistake in a response, or null. */
  private String wrong(RelayoutResponse response, RelayoutStep step) {
    if (response.version() != stored.version()) {
      return "is of version " + response.version();
    }
    boolean right =
        response.generation() == stored.generation()
            && response.isMoving() == stored.isIn(Phase.MOVING);
    if (!right) {
      return "is of generation "
          + response.generation()
          + ", "
          + (response.isMoving() ? "moving" : "not moving");
    }
    if (response.misplacedRows() > 0) {
      return "has at least "
          + response.misplacedRows()
          + " rows that only the "
          + (step == RelayoutStep.MOVE ? "new" : "old")
          + " layout has";
    }
    return response.inTheWay();
  }

  private RuleViolation unproved(RelayoutStep step, String found) {
    return RuleViolation.of(
        Rule.RELAYOUT_UNPROVED,
        "It is not proved that the next step of the relayout is safe. "
            + MessageText.where(table, Rule.RELAYOUT_UNPROVED)
            + " step=\""
            + step.text()
            + "\" version="
            + stored.version()
            + " generation="
            + stored.generation()
            + " found=\""
            + found
            + "\". "
            + wayOut(step));
  }

  private String wayOut(RelayoutStep step) {
    String command = "rowguard relayout ";
    switch (step) {
      case MOVE:
        return "Every region must be prepared, and have no row that only the new layout has: delete"
            + " such rows once the relayout is given up, or wait; "
            + command
            + "start names them.";
      case FINISH:
        return "Every region must have counted its old rows and have none: "
            + command
            + "run moves what is left, "
            + command
            + "finish counts as long as it takes.";
      default:
        return "Every region must have reopened since the last alter, with a Rowguard that knows"
            + " relayout, and say so; "
            + command
            + "status shows them.";
    }
  }
}
