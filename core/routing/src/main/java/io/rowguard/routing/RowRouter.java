package io.rowguard.routing;

import io.rowguard.layout.KnownLayouts;
import io.rowguard.layout.LayoutChange;
import io.rowguard.layout.RowkeyLayout;
import io.rowguard.layout.Verdict;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * Answers, of the rows of one table, where each lives and how to reach it: the one place for what
 * servers and clients have to agree on. Immutable and thread-safe.
 *
 * <p>A table has one layout, or two while its layout changes. Of those the <em>primary</em> one is
 * that whose rows take the writes: the former layout while the change is prepared, the new one from
 * then on. {@code MutationSteps} of {@code testing/relayout-model} is the specification of {@link
 * #route} while the layout changes, and a test there holds the two together.
 */
public final class RowRouter {
  private final RowkeyLayout primary;

  /** Null unless the layout changes. */
  private final LayoutChange change;

  private final boolean moving;
  private final boolean salting;

  private RowRouter(RowkeyLayout primary, LayoutChange change, boolean moving, boolean salting) {
    this.primary = primary;
    this.change = change;
    this.moving = moving;
    this.salting = salting;
  }

  /** The rows of a table with one layout, whose bare keys live nowhere. */
  public static RowRouter of(RowkeyLayout layout) {
    return new RowRouter(layout, null, false, false);
  }

  /**
   * The rows of a table whose layout changes, and whose bare keys live nowhere.
   *
   * @param moving whether rows move; false while the change is prepared
   */
  public static RowRouter of(LayoutChange change, boolean moving) {
    return new RowRouter(moving ? change.to() : change.from(), change, moving, false);
  }

  /** The same rows, where a bare key stands for its row under the primary layout. */
  public RowRouter salting() {
    return new RowRouter(primary, change, moving, true);
  }

  /** The layout of the rows that take the writes. */
  public RowkeyLayout primary() {
    return primary;
  }

  /**
   * The way to the row that a request names. Allocates nothing for {@link Route.Kind#HERE}, and for
   * {@link Route.Kind#NOWHERE} unless bare keys are salted.
   *
   * @param row kept by the route, so not to be changed
   */
  public Route route(byte[] row) {
    if (change == null) {
      Verdict verdict = primary.check(row, 0, row.length);
      return verdict == Verdict.CONFORMS ? Route.HERE : ofNoLayout(row, verdict);
    }
    switch (change.place(row)) {
      case SAME:
        return Route.HERE;
      case OLD:
        return moving ? Route.atNew(row, change) : Route.HERE;
      case NEW:
        return Route.afterPull(row, change);
      default:
        return ofNoLayout(row, primary.check(row, 0, row.length));
    }
  }

  /**
   * The way to the row that an edit names which arrives by replication: to the row that takes the
   * writes of its bare key, where another cluster has named it by its own layout. Rows of the
   * table's layouts, and all others, go as {@link #route} says.
   *
   * <p>{@code ReplicaWrites} of {@code testing/relayout-model} is its specification.
   *
   * @param row kept by the route, so not to be changed
   * @param known the layouts in which edits arrive, those of the table among them, whose lengths
   *     are as all of them allow
   */
  public Route routeArriving(byte[] row, KnownLayouts known) {
    Route route = route(row);
    byte[] bareKey = route.isRow() ? null : known.stripIfRow(row);
    return bareKey == null ? route : Route.ofBareKey(primary.complete(bareKey), route.verdict());
  }

  private Route ofNoLayout(byte[] row, Verdict verdict) {
    byte[] salted = salting ? primary.completeIfBare(row) : null;
    return salted == null ? Route.nowhere(verdict) : Route.ofBareKey(salted, verdict);
  }

  /**
   * The row of the same bare key under the other layout, for callers who have heard from its region
   * that it does not take the writes at present; null where there is none.
   *
   * @param row of a layout of the table
   */
  public byte[] counterpart(byte[] row) {
    if (change == null) {
      return null;
    }
    switch (change.place(row)) {
      case OLD:
        return change.toNew(row);
      case NEW:
        return change.toOld(row);
      default:
        return null;
    }
  }

  /**
   * Whether a reader who names a row means the rows of that bare key: it is one, and either fits no
   * layout, or is an old row of a table without a salt from which rows move away. A row that lives
   * under its own name is no bare key.
   */
  public boolean isBareKey(byte[] row) {
    if (change == null) {
      return !primary.check(row).conforms() && primary.completeIfBare(row) != null;
    }
    switch (change.place(row)) {
      case NONE:
        return change.to().completeIfBare(row) != null;
      case OLD:
        return moving && !change.from().hasDerivedSegments();
      default:
        return false;
    }
  }

  /**
   * The rows that a reader of one bare key reads, in this order, until one of them shows something.
   * While the layout changes: the new row; the old one; and the new one once more, since it may
   * have come there in between. One row where the two layouts have the same for the key.
   *
   * @throws IllegalArgumentException when the bytes are no bare key of the table
   */
  public List<byte[]> rowsToRead(byte[] bareKey) {
    if (change == null) {
      return Collections.singletonList(primary.complete(bareKey));
    }
    byte[] newRow = change.to().complete(bareKey);
    byte[] oldRow = change.from().complete(bareKey);
    return Arrays.equals(newRow, oldRow)
        ? Collections.singletonList(newRow)
        : Arrays.asList(newRow, oldRow, newRow);
  }
}
