package io.rowguard.observer.decide;

import io.rowguard.config.Acceptance;
import io.rowguard.config.LayoutStamp;
import io.rowguard.config.Mode;
import io.rowguard.config.OtherRowException;
import io.rowguard.config.TableConfig;
import io.rowguard.layout.RowText;
import io.rowguard.layout.RowkeyLayout;
import io.rowguard.observer.metrics.SampleLog;
import io.rowguard.observer.metrics.WriteMetrics;
import io.rowguard.observer.request.CurrentRequest;
import io.rowguard.routing.Route;
import io.rowguard.routing.RowRouter;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;

/**
 * Judges single writes to one table whose mode is not off. Thread-safe; allocates nothing for a row
 * that conforms.
 */
public final class WriteCheck {
  private static final String TOGETHER =
      "A write of several rows at once with a bare key among them is not salted: the salted row may"
          + " lie in another region. For rows of one entity group io.rowguard.client.RowGroup sends"
          + " salted rows.";

  private final String context;

  /** Null where the configuration is wrong. */
  private final RowRouter router;

  /** The layout that takes the writes; null likewise. */
  private final RowkeyLayout layout;

  private final TableConfig config;
  private final String wrongConfiguration;
  private final WriteMetrics metrics;
  private final SampleLog log;

  /** Null unless the layout changes. */
  private final MovingRows moving;

  /**
   * @param moving null unless the layout changes
   */
  public WriteCheck(
      String table, TableConfig config, MovingRows moving, WriteMetrics metrics, SampleLog log) {
    this.context = "table=" + table;
    this.config = config;
    this.moving = moving;
    this.router = config.router();
    this.layout = router == null ? null : router.primary();
    this.wrongConfiguration =
        config.isWrong() ? config.problemMessage(table, "all its writes are refused") : null;
    this.metrics = metrics;
    this.log = log;
  }

  /** Decides on a write. Counts it unless it conforms: see {@link #conforming}. */
  Decision judge(Mutation mutation) {
    if (wrongConfiguration != null) {
      return judgeByWrongConfiguration(mutation);
    }
    byte[] row = mutation.getRow();
    Route route = route(mutation);
    if (route.isRow()) {
      return route.kind() == Route.Kind.HERE
          ? Decision.WRITE
          : moving.judge(mutation, route, isReplicated(mutation));
    }
    if (LayoutStamp.ahead(mutation, config.layoutVersion()) > 0) {
      return Decision.refuse(
          Refusal.busy(
              "The table's layout has changed and this region has not reopened yet, try again. "
                  + context));
    }
    if (isOfFormerRow(mutation)) {
      return Decision.refuse(refusalOfFormerRow(row));
    }
    byte[] saltedRow = saltedRow(mutation, route);
    if (saltedRow != null) {
      String obstacle = SaltObstacles.obstacle(mutation);
      return obstacle == null
          ? Decision.forward(saltedRow, () -> refusalOfBareKey(TOGETHER, row, saltedRow))
          : Decision.refuse(refusalOfBareKey(obstacle, row, saltedRow));
    }
    boolean refused = isRefusing() && isHeldToLayout(mutation);
    metrics.violation(route.verdict(), refused);
    if (!refused) {
      log.sample(() -> "Let through. " + layout.explain(row).message(context));
      return Decision.ALLOW;
    }
    return Decision.refuse(logged(layout.explain(row).message(context)));
  }

  private Route route(Mutation mutation) {
    return config.knownLayouts() != null && isReplicated(mutation)
        ? router.routeArriving(mutation.getRow(), config.knownLayouts())
        : router.route(mutation.getRow());
  }

  /** Counts so many writes that conform, a batch at once: one by one it would show. */
  void conforming(int writes) {
    if (writes == 0) {
      return;
    }
    if (config.mode() == Mode.SALT && CurrentRequest.isForwarded()) {
      metrics.forwardsArrived(writes);
    } else {
      metrics.conforming(writes);
    }
  }

  /**
   * Why a conditional write is refused whatever its condition gives, or null. Counts refusals only:
   * what goes on is counted as a batch.
   */
  public Refusal refusal(CheckAndMutate checkAndMutate) {
    byte[] row = checkAndMutate.getRow();
    Route route = wrongConfiguration == null ? router.route(row) : null;
    if (route != null && route.isRow()) {
      return null;
    }
    for (Mutation mutation : mutations(checkAndMutate)) {
      if (route != null && isOfFormerRow(mutation)) {
        return refusalOfFormerRow(row);
      }
      if (route != null && !isRefusing()) {
        return null;
      }
      byte[] saltedRow = route == null ? null : saltedRow(mutation, route);
      if (saltedRow != null) {
        return refusalOfBareKey(
            "A conditional write of a bare key is not salted: its condition would be asked of a"
                + " row that is never stored.",
            row,
            saltedRow);
      }
      if (route == null || isHeldToLayout(mutation)) {
        Decision decision = judge(mutation);
        return decision.kind() == Decision.Kind.REFUSE ? decision.refusal() : null;
      }
    }
    return null;
  }

  /**
   * Why a row is refused that another coprocessor adds to a mutation which is to be written, or
   * null. Counts refusals only: what goes on is counted by {@link #addedRowStored}.
   */
  Refusal refusalOfAdded(Mutation added, Mutation mutation) throws IOException {
    // With a wrong configuration nothing is written that it could go with, but replicated edits.
    if (wrongConfiguration != null) {
      return null;
    }
    byte[] row = added.getRow();
    Route route = router.route(row);
    if (route.isRow()) {
      return route.kind() == Route.Kind.HERE ? null : moving.refusalOfAdded(added, route);
    }
    if (!isRefusedIfAdded(added, mutation, route)) {
      return null;
    }
    if (route.kind() == Route.Kind.AT) {
      return refusalOfBareKey(
          "Another coprocessor adds the row of a bare key to a batch of writes, so the batch is"
              + " refused: such a row is not salted.",
          row,
          route.otherRow());
    }
    metrics.violation(route.verdict(), true);
    return logged(
        "Another coprocessor adds a row that does not fit to a batch of writes, so the batch is"
            + " refused. Rows of another kind need a table of their own: with Phoenix, a global"
            + " index and no local one. "
            + layout.explain(row).message(context));
  }

  /** Counts a row that another coprocessor has added to a mutation, and that is stored with it. */
  void addedRowStored(Mutation added, Mutation mutation) {
    if (wrongConfiguration != null) {
      return;
    }
    byte[] row = added.getRow();
    Route route = router.route(row);
    if (route.isRow()) {
      metrics.conforming(1);
      return;
    }
    metrics.violation(route.verdict(), false);
    boolean tooLate = isRefusedIfAdded(added, mutation, route);
    log.sample(
        () ->
            (tooLate
                    ? "Let through, since another coprocessor added it after this one to a batch"
                        + " without a write-ahead log. "
                    : "Let through. ")
                + layout.explain(row).message(context));
  }

  /** Such a row counts as replicated where the mutation is that it goes with. */
  private boolean isRefusedIfAdded(Mutation added, Mutation mutation, Route route) {
    if (!isRefusing() || route.isRow()) {
      return false;
    }
    return isReplicated(mutation)
        ? config.replication() == Acceptance.ENFORCE
        : saltedRow(added, route) != null || isHeldToLayout(added);
  }

  /**
   * Whether a write of a row that fits no layout was planned with the version before the region's,
   * when the row was an old one: the change has come to its end since.
   */
  private boolean isOfFormerRow(Mutation mutation) {
    return LayoutStamp.ahead(mutation, config.layoutVersion()) < 0;
  }

  private Refusal refusalOfFormerRow(byte[] row) {
    return Refusal.otherRow(
        OtherRowException.message(
            context
                + " row=\""
                + RowText.abbreviated(row)
                + "\". The change of the layout has ended since this write was planned."));
  }

  private Refusal refusalOfBareKey(String obstacle, byte[] row, byte[] saltedRow) {
    metrics.bareKeyRejected();
    return logged(SaltObstacles.refusal(obstacle, context, row, saltedRow, layout));
  }

  /**
   * The row that the mutation of a bare key has to be stored under, or of a row as another cluster
   * names it; null when it has to be judged as it is. Replicated edits are taken as they come
   * unless they are held to the layout.
   */
  private byte[] saltedRow(Mutation mutation, Route route) {
    boolean salting = !isReplicated(mutation) || config.replication() == Acceptance.ENFORCE;
    return salting && route.kind() == Route.Kind.AT ? route.otherRow() : null;
  }

  private Refusal logged(String refusal) {
    log.sample(() -> "Refused. " + refusal);
    return Refusal.of(refusal);
  }

  private Decision judgeByWrongConfiguration(Mutation mutation) {
    // A refused edit would stall the peer until the table is mended, maybe for days.
    if (isReplicated(mutation) && config.replication() == Acceptance.ACCEPT) {
      return Decision.ALLOW;
    }
    metrics.wrongConfiguration();
    log.sample(() -> wrongConfiguration);
    return Decision.refuse(Refusal.of(wrongConfiguration));
  }

  private boolean isRefusing() {
    return config.mode() == Mode.REJECT || config.mode() == Mode.SALT;
  }

  private boolean isHeldToLayout(Mutation mutation) {
    if (isReplicated(mutation)) {
      return config.replication() == Acceptance.ENFORCE;
    }
    return !(mutation instanceof Delete) || config.deletes() == Acceptance.ENFORCE;
  }

  /** Edits that arrive by replication carry the clusters they have been on. */
  static boolean isReplicated(Mutation mutation) {
    return !mutation.getClusterIds().isEmpty();
  }

  /** The mutations of a conditional write. */
  public static List<Mutation> mutations(CheckAndMutate conditional) {
    Row action = conditional.getAction();
    return action instanceof RowMutations
        ? ((RowMutations) action).getMutations()
        : Collections.singletonList((Mutation) action);
  }
}
