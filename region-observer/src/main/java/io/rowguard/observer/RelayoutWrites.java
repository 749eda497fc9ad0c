package io.rowguard.observer;

import io.rowguard.config.LayoutVersion;
import io.rowguard.config.Mode;
import io.rowguard.config.OtherPlaceException;
import io.rowguard.config.TableConfig;
import io.rowguard.layout.LayoutChange;
import io.rowguard.layout.RowText;
import io.rowguard.observer.relayout.Leftovers;
import io.rowguard.observer.relayout.OwnEdits;
import io.rowguard.observer.relayout.Pulled;
import io.rowguard.observer.relayout.Puller;
import io.rowguard.observer.relayout.RequestPulls;
import io.rowguard.observer.relayout.RequestRows;
import io.rowguard.routing.Route;
import io.rowguard.routing.RowRouter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.regionserver.OperationStatus;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * What becomes of writes to a table whose layout changes: new rows are pulled before they are
 * written, old ones are closed. {@code MutationSteps} of {@code testing/relayout-model} is its
 * specification. One per region instance; thread-safe.
 *
 * <p>Rows are pulled in the first hook that has them, where no row lock is held; what came of it is
 * a {@link PullMark} on the mutation, by which it is judged under the lock.
 */
final class RelayoutWrites {
  private final String context;
  private final RegionInfo region;

  /** For messages. */
  private final LayoutChange change;

  private final RowRouter router;
  private final boolean forwarding;
  private final int timeoutMillis;
  private final Puller puller;
  private final Leftovers leftovers;
  private final OwnEdits own;
  private final RequestPulls requestPulls;
  private final SampleLog log;
  private final PullMark mark = new PullMark();

  RelayoutWrites(
      RegionInfo region,
      TableConfig config,
      Puller puller,
      Leftovers leftovers,
      OwnEdits own,
      RequestPulls requestPulls,
      SampleLog log) {
    this.context = "table=" + region.getTable();
    this.region = region;
    this.change = config.relayout().change();
    this.router = config.router();
    this.forwarding = config.mode() == Mode.SALT;
    this.timeoutMillis = config.saltTimeoutMillis();
    this.puller = puller;
    this.leftovers = leftovers;
    this.own = own;
    this.requestPulls = requestPulls;
    this.log = log;
  }

  /** Whether the region itself makes an edit to move a row. */
  boolean isOwn(Mutation mutation) {
    return own.isOwn(mutation);
  }

  /**
   * Pulls the row of a mutation, unless that has been done.
   *
   * @param inABatch whether another coprocessor writes it in the middle of a batch, under its locks
   */
  void before(Mutation mutation, BooleanSupplier inABatch) throws IOException {
    byte[] row = mutation.getRow();
    if (!own.isOwn(mutation) && !mark.isPulled(mutation) && isNewHere(row)) {
      boolean known = puller.isPulled(row);
      boolean locked = !known && (requestPulls.isInMultiRowCall() || inABatch.getAsBoolean());
      mark(mutation, locked ? pulledBefore(row) : known ? Pulled.UNMOVED : pulled(row));
    }
  }

  /** A mutation may be written if its row is pulled, and no earlier pull has left what hides it. */
  private void mark(Mutation mutation, Pulled pulled) throws IOException {
    String hidden = pulled.isPulled() ? leftovers.inTheWay(mutation) : null;
    mark.set(mutation, hidden == null ? pulled : Pulled.failed(hidden));
  }

  private void markAll(List<Mutation> mutations, Pulled pulled) throws IOException {
    for (Mutation mutation : mutations) {
      mark(mutation, pulled);
    }
  }

  /**
   * The same for a conditional write, whose condition looks at the row.
   *
   * @param mutations what it does
   * @throws IOException when the condition cannot be evaluated here, or not now
   */
  void before(CheckAndMutate conditional, List<Mutation> mutations) throws IOException {
    byte[] row = conditional.getRow();
    if (isNewHere(row)) {
      Pulled pulled = pulled(row);
      requirePulled(row, pulled);
      markAll(mutations, pulled);
    } else {
      requireOpen(row);
    }
  }

  /** What is not in this region HBase refuses. */
  private boolean isNewHere(byte[] row) {
    return router.route(row).kind() == Route.Kind.AFTER_PULL && region.containsRow(row);
  }

  private void requireOpen(byte[] row) throws IOException {
    Route route = router.route(row);
    if (isAtOther(route)) {
      throw refusalOfOther(row, route.otherRow()).exception();
    }
  }

  /** Whether it is the row of a layout while that of another one takes the writes. */
  private static boolean isAtOther(Route route) {
    return route.kind() == Route.Kind.AT && route.isRow();
  }

  /** The last that is asked before a condition is evaluated, under the row's lock. */
  void afterRowLock(CheckAndMutate conditional, List<Mutation> mutations) throws IOException {
    if (!mutations.isEmpty() && !mark.isPulled(mutations.get(0))) {
      byte[] row = conditional.getRow();
      if (isNewHere(row)) {
        Pulled pulled = pulledBefore(row);
        requirePulled(row, pulled);
        markAll(mutations, pulled);
      } else {
        requireOpen(row);
      }
    }
  }

  /**
   * Pulls what a call of {@code MultiRowMutationEndpoint} writes or looks at, if it is one. From
   * then on it may hold row locks, until {@link #afterEndpoint}.
   *
   * @param service the full name of what is called
   */
  void beforeEndpoint(String service, Supplier<byte[]> request) throws IOException {
    if (!service.equals(RequestRows.MULTI_ROW_SERVICE)) {
      return;
    }
    TreeSet<byte[]> unpulled = new TreeSet<>(Bytes.BYTES_COMPARATOR);
    for (byte[] row : RequestRows.ofMultiRowCall(request.get())) {
      requireOpen(row);
      if (isNewHere(row)) {
        unpulled.add(row);
      }
    }
    if (!unpulled.isEmpty()) {
      List<byte[]> together = new ArrayList<>(unpulled);
      List<Pulled> pulled = pull(together);
      for (int i = 0; i < pulled.size(); i++) {
        requirePulled(together.get(i), pulled.get(i));
      }
    }
    requestPulls.enterMultiRowCall();
  }

  /** The call of an endpoint is over. HBase says so unless another coprocessor's hook fails. */
  void afterEndpoint() {
    requestPulls.leave();
  }

  private void requirePulled(byte[] row, Pulled pulled) throws IOException {
    if (!pulled.isPulled()) {
      throw (pulled.outcome() == Pulled.Outcome.NOT_YET
              ? refusalOfOther(row, router.route(row).otherRow())
              : refusalOfUnpulled(row, pulled.words()))
          .exception();
    }
  }

  private Pulled pulled(byte[] row) throws IOException {
    if (puller.isPulled(row)) {
      return Pulled.UNMOVED;
    }
    Pulled known = requestPulls.get(this, row);
    if (known == null) {
      List<byte[]> rows = together(row);
      known = pull(rows).get(rows.indexOf(row));
    }
    return known;
  }

  private Pulled pulledBefore(byte[] row) {
    Pulled known = puller.isPulled(row) ? Pulled.UNMOVED : requestPulls.get(this, row);
    return known == null
        ? Pulled.failed("Its place is not known, and cannot be asked for under its lock.")
        : known;
  }

  private List<Pulled> pull(List<byte[]> rows) throws IOException {
    List<Pulled> pulled = puller.pull(rows, CurrentRequest.millisLeft(timeoutMillis), false);
    requestPulls.put(this, rows, pulled);
    return pulled;
  }

  /**
   * A row and others that the request is about to write. HBase sorts what it writes together, so
   * the rows before this one have been seen.
   */
  private List<byte[]> together(byte[] row) {
    TreeSet<byte[]> rows = new TreeSet<>(Bytes.BYTES_COMPARATOR);
    for (byte[] other : RequestRows.written(region)) {
      if (Bytes.compareTo(other, row) > 0 && isNewHere(other)) {
        rows.add(other);
      }
    }
    List<byte[]> together = new ArrayList<>(Math.min(rows.size() + 1, Puller.MOST_ROWS));
    together.add(row);
    for (byte[] other : rows) {
      if (together.size() == Puller.MOST_ROWS) {
        break;
      }
      together.add(other);
    }
    return together;
  }

  /** The rows of this request have been seen: each mutation carries what came of its pull. */
  void writing() {
    requestPulls.forget();
  }

  /**
   * What becomes of a mutation, not one of the region itself: null when it is to be written where
   * it is, or the status that keeps HBase from it.
   *
   * @param route of its row, which is of one layout only
   * @param replicated whether it arrives by replication
   */
  OperationStatus judge(Mutation mutation, Route route, boolean replicated) {
    if (route.kind() == Route.Kind.AFTER_PULL) {
      if (mark.isPulled(mutation)) {
        return null;
      }
      if (!mark.isNotYet(mutation)) {
        return refusalOfUnpulled(mutation.getRow(), PullMark.why(mutation));
      }
    }
    return toOther(mutation, route.otherRow(), replicated);
  }

  /** Whether {@link #judge} will have a mutation forwarded, or refuse it. */
  boolean isElsewhere(Mutation mutation) {
    return !own.isOwn(mutation)
        && (mark.isNotYet(mutation) || isAtOther(router.route(mutation.getRow())));
  }

  /**
   * Of replicated edits nobody reads a refusal, so they go on in any mode. SaltedTable, which says
   * its version, finds the other row itself: what is forwarded has the timestamps of this server,
   * and could undo what others do to the row before it arrives.
   */
  private OperationStatus toOther(Mutation mutation, byte[] otherRow, boolean replicated) {
    RefusedStatus refused =
        replicated
            ? refusalOfUnpulled(mutation.getRow(), "It is replicated to a closed place.")
            : refusalOfOther(mutation.getRow(), otherRow);
    boolean isForwarded = forwarding && LayoutVersion.of(mutation) < 0;
    return (isForwarded || replicated)
            && !CurrentRequest.isForwarded()
            && BareWrites.obstacle(mutation) == null
        ? new ForwardStatus(otherRow, refused)
        : refused;
  }

  /** Why a row cannot be written that another coprocessor adds to a batch; null if it can be. */
  RefusedStatus refusalOfAdded(Mutation added) throws IOException {
    byte[] row = added.getRow();
    Route route = router.route(row);
    if (isAtOther(route)) {
      return refusalOfOther(row, route.otherRow());
    }
    if (route.kind() != Route.Kind.AFTER_PULL) {
      return null;
    }
    String why =
        puller.isPulled(row)
            ? leftovers.inTheWay(added)
            : "Another coprocessor adds it to a batch of writes.";
    return why == null ? null : refusalOfUnpulled(row, why);
  }

  private RefusedStatus refusalOfOther(byte[] row, byte[] otherRow) {
    RefusedStatus refused =
        RefusedStatus.otherPlace(
            OtherPlaceException.message(
                context
                    + " row=\""
                    + RowText.abbreviated(row)
                    + "\" otherRow=\""
                    + RowText.abbreviated(otherRow)
                    + "\". Write to that one, or through io.rowguard.client.SaltedTable. Layouts: "
                    + change));
    log.sample(() -> "Refused. " + refused.getExceptionMsg());
    return refused;
  }

  private RefusedStatus refusalOfUnpulled(byte[] row, String why) {
    RefusedStatus refused =
        RefusedStatus.busy(
            "What another layout's row holds has not been moved here yet, try again. "
                + context
                + " row=\""
                + RowText.abbreviated(row)
                + "\" why=\""
                + (why == null ? "Nothing has been asked for." : why)
                + "\"");
    log.sample(refused::getExceptionMsg);
    return refused;
  }
}
