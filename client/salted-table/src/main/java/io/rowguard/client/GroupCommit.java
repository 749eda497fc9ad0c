package io.rowguard.client;

import io.rowguard.config.GroupEndpoint;
import io.rowguard.layout.RowText;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.exceptions.UnknownProtocolException;
import org.apache.hadoop.ipc.RemoteException;

/**
 * One commit of a {@link GroupTransaction}: planned with the layouts of the moment, and again with
 * those that came meanwhile, as long as it is known that nothing was carried out. For one thread.
 */
final class GroupCommit {
  private final GroupTable table;
  private final byte[] key;
  private final List<RowCondition> conditions;
  private final List<Mutation> mutations;

  /** Null for no receipts. */
  private final CommitReceipt.Place receipts;

  GroupCommit(
      GroupTable table,
      byte[] key,
      List<RowCondition> conditions,
      List<Mutation> mutations,
      CommitReceipt.Place receipts) {
    this.table = table;
    this.key = key;
    this.conditions = conditions;
    this.mutations = mutations;
    this.receipts = receipts;
  }

  /** Carries it out; see {@link GroupTransaction#commit}. */
  boolean run() throws IOException {
    LayoutRetry retry = table.retry();
    TableLayouts plan = table.layouts().now();
    boolean onOtherRows = false;
    while (true) {
      try {
        return send(plan, onOtherRows);
      } catch (CommitUnknownException e) {
        throw e;
      } catch (IOException e) {
        onOtherRows = !onOtherRows && plan.isChanging() && LayoutRetry.isOtherRow(e);
        if (!onOtherRows) {
          plan = retry.next(plan, e);
        }
      }
    }
  }

  /**
   * @param onOtherRows whether rows of the layout that is not the primary one are said to take the
   *     writes
   * @throws IOException which is no CommitUnknownException when nothing was carried out
   */
  private boolean send(TableLayouts plan, boolean onOtherRows) throws IOException {
    CommitReceipt receipt = receipts == null ? null : receipts.next();
    MultiRowRequest request = request(plan, onOtherRows, receipt);
    table.requireOneRegion(key, request.rows());
    try {
      boolean processed = MultiRowEndpoint.mutateRows(table.stored(), request);
      // The conditions of one that HBase's client has sent twice may fail for what it did itself.
      boolean isExact = processed || request.sends() == 1;
      return isExact ? processed : settle(receipt, null);
    } catch (IOException e) {
      boolean isRefused = request.sends() == 1 && isFinal(e);
      if (isRefused || request.abandon()) {
        throw withWayOut(e);
      }
      if (settle(receipt, e)) {
        return true;
      }
      throw e;
    }
  }

  private MultiRowRequest request(TableLayouts plan, boolean onOtherRows, CommitReceipt receipt)
      throws IOException {
    List<RowCondition> conditionsOfAll = new ArrayList<>(conditions);
    List<Mutation> mutationsOfAll = new ArrayList<>(mutations);
    if (receipt != null) {
      receipts.requireTime(plan.timesToLive());
      conditionsOfAll.add(receipt.condition());
      mutationsOfAll.add(receipt.put());
    }
    MultiRowRequest request = new MultiRowRequest();
    for (Mutation mutation : mutationsOfAll) {
      if (receipt != null) {
        receipts.requireKept(mutation);
      }
      byte[] row = row(plan, onOtherRows, mutation.getRow());
      request.add(plan.actions().on(row, mutation));
    }
    for (RowCondition condition : conditionsOfAll) {
      byte[] row = row(plan, onOtherRows, condition.row());
      request.add(row, condition.on(row));
    }
    return request;
  }

  private byte[] row(TableLayouts plan, boolean onOtherRows, byte[] bareKey)
      throws DoNotRetryIOException {
    table.requireInGroup(plan, key, bareKey);
    byte[] primary = plan.primaryRow(bareKey);
    byte[] other = onOtherRows ? plan.counterpart(primary) : null;
    return other == null ? primary : other;
  }

  /**
   * Whether the server refused what was sent, so that HBase's client does not try again. HBase 2's
   * client throws the same class by itself when the first answer was lost: before it sends again,
   * where the table is disabled or the connection closed by then ({@code
   * RegionServerCallable#prepare}).
   */
  private static boolean isFinal(IOException failure) {
    return has(failure, DoNotRetryIOException.class) && has(failure, RemoteException.class);
  }

  /** Whether a failure is of a class, or one of its nearest causes. */
  private static boolean has(IOException failure, Class<? extends IOException> type) {
    Throwable cause = failure;
    for (int depth = 0; cause != null && depth < 10; depth++) {
      if (type.isInstance(cause)) {
        return true;
      }
      cause = cause.getCause();
    }
    return false;
  }

  private IOException withWayOut(IOException failure) {
    return has(failure, UnknownProtocolException.class)
        ? (IOException)
            new DoNotRetryIOException(
                    "The table does not load HBase's endpoint that writes several rows as one."
                        + " table="
                        + table.name()
                        + ". Load it: "
                        + GroupEndpoint.alter(table.name())
                        + ", or name the class in hbase.coprocessor.user.region.classes.")
                .initCause(failure)
        : failure;
  }

  /**
   * Whether it was carried out, by its receipt.
   *
   * @param failure null where the servers have answered that a condition does not hold
   */
  private boolean settle(CommitReceipt receipt, IOException failure) throws CommitUnknownException {
    String what =
        "An answer was lost, and the transaction may have been carried out or not. table="
            + table.name()
            + " group=\""
            + RowText.abbreviated(key)
            + "\".";
    boolean isInterruption = LayoutRetry.isInterruption(failure);
    if (isInterruption) {
      Thread.currentThread().interrupt();
    }
    if (receipt == null) {
      throw new CommitUnknownException(
          what
              + " Read its rows to see, and give it a receipt (GroupTransaction.receipt), by which"
              + " commit finds out.",
          null,
          failure);
    }
    String later = what + " " + receipt + ". Settle the receipt of this exception later.";
    if (isInterruption) {
      throw new CommitUnknownException(later, receipt, failure);
    }
    try {
      return receipt.settle();
    } catch (IOException e) {
      CommitUnknownException unknown =
          new CommitUnknownException(later, receipt, failure == null ? e : failure);
      if (failure != null) {
        unknown.addSuppressed(e);
      }
      throw unknown;
    }
  }
}
