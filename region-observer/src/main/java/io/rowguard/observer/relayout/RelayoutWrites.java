package io.rowguard.observer.relayout;

import io.rowguard.config.LayoutStamp;
import io.rowguard.config.Mode;
import io.rowguard.config.OtherRowException;
import io.rowguard.config.TableConfig;
import io.rowguard.layout.LayoutChange;
import io.rowguard.layout.RowText;
import io.rowguard.observer.decide.Decision;
import io.rowguard.observer.decide.MovingRows;
import io.rowguard.observer.decide.Refusal;
import io.rowguard.observer.decide.SaltObstacles;
import io.rowguard.observer.metrics.SampleLog;
import io.rowguard.observer.request.CurrentRequest;
import io.rowguard.observer.request.InternalMutations;
import io.rowguard.observer.request.OpenBatches;
import io.rowguard.observer.request.PullMark;
import io.rowguard.observer.request.RegionFeature;
import io.rowguard.observer.request.RequestRows;
import io.rowguard.routing.Route;
import io.rowguard.routing.RowRouter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Writes to a table whose layout changes: new rows are pulled before they are written, old ones are
 * closed. {@code MutationSteps} of {@code testing/relayout-model} is its specification. One per
 * region instance; thread-safe.
 *
 * <p>Rows are pulled in the first hook that has them, where no row lock is held. A {@link PullMark}
 * on the mutation says what came of it, and the mutation is judged by that under the lock.
 */
public final class RelayoutWrites implements RegionFeature, MovingRows {
  private final String context;
  private final RegionInfo region;

  /** Named in messages. */
  private final LayoutChange change;

  private final RowRouter router;
  private final boolean forwarding;
  private final int timeoutMillis;
  private final Puller puller;
  private final Leftovers leftovers;
  private final InternalMutations own;
  private final OpenBatches open;

  /** The durability of mutations that say none. */
  private final Durability ofTable;

  private final SampleLog log;
  private final PullMark mark = new PullMark();

  public RelayoutWrites(
      HRegion region,
      TableConfig config,
      Puller puller,
      Leftovers leftovers,
      InternalMutations own,
      OpenBatches open,
      SampleLog log) {
    this.region = region.getRegionInfo();
    this.context = "table=" + this.region.getTable();
    this.change = config.relayout().change();
    this.router = config.router();
    this.forwarding = config.mode() == Mode.SALT;
    this.timeoutMillis = config.saltTimeoutMillis();
    this.puller = puller;
    this.leftovers = leftovers;
    this.own = own;
    this.open = open;
    this.ofTable = region.getTableDescriptor().getDurability();
    this.log = log;
  }

  /** Pulls the row of a mutation, unless that has been done. */
  @Override
  public void before(Mutation mutation) throws IOException {
    byte[] row = mutation.getRow();
    if (!own.isOwn(mutation) && !mark.isPulled(mutation) && isNewHere(row)) {
      boolean known = puller.isPulled(row);
      boolean locked = !known && (RequestPulls.isInMultiRowCall() || open.isUnderWay());
      mark(mutation, locked ? pulledBefore(row) : known ? Pulled.UNMOVED : pulled(row));
    }
  }

  /** A mutation may be written if its row is pulled, and no earlier pull has left what hides it. */
  private void mark(Mutation mutation, Pulled pulled) throws IOException {
    String hidden = pulled.isPulled() ? leftovers.inTheWay(mutation) : null;
    if (hidden != null) {
      mark.failed(mutation, hidden);
    } else if (pulled.isPulled()) {
      mark.pulled(mutation);
    } else if (pulled.outcome() == Pulled.Outcome.NOT_YET) {
      mark.notYet(mutation);
    } else {
      mark.failed(mutation, pulled.words());
    }
  }

  private void markAll(List<Mutation> mutations, Pulled pulled) throws IOException {
    for (Mutation mutation : mutations) {
      mark(mutation, pulled);
    }
  }

  /**
   * Pulls the row of a conditional write, whose condition looks at it.
   *
   * @throws IOException when the condition cannot be evaluated here, or not now
   */
  @Override
  public void before(CheckAndMutate conditional, List<Mutation> mutations) throws IOException {
    byte[] row = conditional.getRow();
    if (isNewHere(row)) {
      Pulled pulled = pulled(row);
      requirePulled(row, pulled);
      markAll(mutations, pulled);
    } else {
      requireOpen(row);
    }
  }

  /** HBase refuses rows of other regions. */
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

  /** Judges conditional writes of other coprocessors, which come past {@link #before}. */
  @Override
  public void afterRowLock(CheckAndMutate conditional, List<Mutation> mutations)
      throws IOException {
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
   */
  @Override
  public void beforeEndpoint(String service, Supplier<byte[]> request) throws IOException {
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
    RequestPulls.enterMultiRowCall();
  }

  @Override
  public void afterEndpoint() {
    RequestPulls.leave();
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
    Pulled known = RequestPulls.get(this, row);
    if (known == null) {
      List<byte[]> rows = together(row);
      known = pull(rows).get(rows.indexOf(row));
    }
    return known;
  }

  private Pulled pulledBefore(byte[] row) {
    Pulled known = puller.isPulled(row) ? Pulled.UNMOVED : RequestPulls.get(this, row);
    return known == null
        ? Pulled.failed("It is not known to be pulled, and cannot be asked for under its lock.")
        : known;
  }

  private List<Pulled> pull(List<byte[]> rows) throws IOException {
    List<Pulled> pulled = puller.pull(rows, CurrentRequest.millisLeft(timeoutMillis), false);
    RequestPulls.put(this, rows, pulled);
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

  /** Forgets the pulls of this request: each mutation carries what came of its own. */
  @Override
  public void beforeBatch() {
    RequestPulls.forget();
  }

  /**
   * Has what a batch writes without a write-ahead log go there after all, so that {@code
   * preWALAppend} comes, where added rows are judged: one that is not could have another's cells
   * removed. HBase asks each mutation when it has asked the coprocessors, but syncs by what they
   * said before ({@code HRegion.BatchOperation#buildWALEdits}): nothing waits for it.
   */
  @Override
  public void judged(MiniBatchOperationInProgress<Mutation> batch) {
    for (int i = 0; i < batch.size(); i++) {
      Mutation mutation = batch.getOperation(i);
      Durability durability = mutation.getDurability();
      boolean skips =
          (durability == Durability.USE_DEFAULT ? ofTable : durability) == Durability.SKIP_WAL;
      if (skips && OpenBatches.isNotRun(batch, i)) {
        mutation.setDurability(Durability.ASYNC_WAL);
      }
    }
  }

  @Override
  public Decision judge(Mutation mutation, Route route, boolean replicated) {
    if (route.kind() == Route.Kind.AFTER_PULL) {
      if (mark.isPulled(mutation)) {
        return Decision.WRITE;
      }
      if (!mark.isNotYet(mutation)) {
        return Decision.refuse(refusalOfUnpulled(mutation.getRow(), PullMark.why(mutation)));
      }
    }
    return toOther(mutation, route.otherRow(), replicated);
  }

  /** Whether {@link #judge} will have a mutation forwarded, or refuse it. */
  @Override
  public boolean isElsewhere(Mutation mutation) {
    return !own.isOwn(mutation)
        && (mark.isNotYet(mutation) || isAtOther(router.route(mutation.getRow())));
  }

  /**
   * Forwards a mutation to the row that takes the writes, or refuses it. Replication ignores
   * refusals per row, so its edits go on in any mode. SaltedTable, which says its version, finds
   * the other row itself: what is forwarded has the timestamps of this server, and could undo what
   * others do to the row before it arrives.
   */
  private Decision toOther(Mutation mutation, byte[] otherRow, boolean replicated) {
    Supplier<Refusal> refusal =
        () ->
            replicated
                ? refusalOfUnpulled(mutation.getRow(), "It is replicated to a closed row.")
                : refusalOfOther(mutation.getRow(), otherRow);
    boolean isForwarded = forwarding && LayoutStamp.isRaw(mutation);
    return (isForwarded || replicated)
            && !CurrentRequest.isForwarded()
            && SaltObstacles.obstacle(mutation) == null
        ? Decision.forward(otherRow, refusal)
        : Decision.refuse(refusal.get());
  }

  @Override
  public Refusal refusalOfAdded(Mutation added, Route route) throws IOException {
    byte[] row = added.getRow();
    if (isAtOther(route)) {
      return refusalOfOther(row, route.otherRow());
    }
    String why =
        puller.isPulled(row)
            ? leftovers.inTheWay(added)
            : "Another coprocessor adds it to a batch of writes.";
    return why == null ? null : refusalOfUnpulled(row, why);
  }

  private Refusal refusalOfOther(byte[] row, byte[] otherRow) {
    Refusal refusal =
        Refusal.otherRow(
            OtherRowException.message(
                context
                    + " row=\""
                    + RowText.abbreviated(row)
                    + "\" otherRow=\""
                    + RowText.abbreviated(otherRow)
                    + "\". Write to that one, or through io.rowguard.client.SaltedTable. Layouts: "
                    + change));
    log.sample(() -> "Refused. " + refusal.message());
    return refusal;
  }

  private Refusal refusalOfUnpulled(byte[] row, String why) {
    Refusal refusal =
        Refusal.busy(
            "The row of the other layout has not been moved here yet, try again. "
                + context
                + " row=\""
                + RowText.abbreviated(row)
                + "\" why=\""
                + (why == null ? "Nothing has been asked for." : why)
                + "\"");
    log.sample(refusal::message);
    return refusal;
  }
}
