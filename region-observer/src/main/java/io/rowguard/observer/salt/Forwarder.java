package io.rowguard.observer.salt;

import io.rowguard.config.OtherRowException;
import io.rowguard.config.RowguardKey;
import io.rowguard.config.TableConfig;
import io.rowguard.layout.FailureText;
import io.rowguard.observer.decide.DecidedStatus;
import io.rowguard.observer.decide.Delivery;
import io.rowguard.observer.decide.Refusal;
import io.rowguard.observer.metrics.SampleLog;
import io.rowguard.observer.metrics.WriteMetrics;
import io.rowguard.observer.peers.TablePeers;
import io.rowguard.observer.request.BatchKind;
import io.rowguard.observer.request.CurrentRequest;
import io.rowguard.routing.RowRouter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.regionserver.OperationStatus;

/**
 * Stores the bare rows of a batch under their salted rows, and sets the status of each.
 * Thread-safe.
 *
 * <p>It runs when the batch is over and its row locks are gone, but with the region's close lock
 * still held: so every wait has an end, {@code rowguard.salt.timeout.ms} after the request began. A
 * row that comes from far and one that belongs into the same region go the same way.
 *
 * <p>What is under way on a server is bounded by {@code rowguard.salt.max.bytes}: what does not fit
 * is sent back at once, for its client to try again later. A large batch goes in portions, and a
 * row that is larger than the bound when nothing else is under way.
 */
public final class Forwarder implements Delivery {
  /** Limit of failures with a status each in one batch: HBase adds a stack trace to each. */
  private static final int MOST_STATUSES = 32;

  /** Part of the bound that a portion of a large batch takes at most, unless it is one row. */
  private static final int PORTIONS = 8;

  private final TablePeers peers;
  private final TableName table;
  private final int timeoutMillis;
  private final long mostBytes;
  private final WriteMetrics metrics;
  private final SampleLog log;
  private final RowRouter router;

  public Forwarder(
      TablePeers peers, TableName table, TableConfig config, WriteMetrics metrics, SampleLog log) {
    this.peers = peers;
    this.table = table;
    this.timeoutMillis = config.saltTimeoutMillis();
    this.mostBytes = config.saltMaxBytes();
    this.metrics = metrics;
    this.log = log;
    this.router = config.router();
  }

  @Override
  public void requireRoom(int rows) throws RegionTooBusyException {
    if (!peers.hasRoom()) {
      throw Refusal.busyException(noRoom(rows));
    }
    if (CurrentRequest.millisLeft(timeoutMillis) <= 0) {
      throw Refusal.busyException(noTime(rows));
    }
  }

  private String noRoom(int rows) {
    metrics.forwardsBusy(rows);
    return logged(
        "Too much is being forwarded from this server, try again later. table="
            + table
            + " "
            + RowguardKey.SALT_MAX_BYTES.key()
            + "="
            + mostBytes);
  }

  private String noTime(int rows) {
    metrics.forwardsLate(rows);
    return logged(
        "Earlier writes of this request have taken its time, try again. table="
            + table
            + " "
            + RowguardKey.SALT_TIMEOUT.key()
            + "="
            + timeoutMillis);
  }

  private String logged(String message) {
    log.sample(() -> message);
    return message;
  }

  /**
   * Forwards the bare rows of a batch and makes their statuses final.
   *
   * @throws IOException when nothing could be sent; or a row failed and its status would not be
   *     read, or so many did that the answer would be large. Then the whole batch is to be tried
   *     again
   */
  @Override
  public void deliver(MiniBatchOperationInProgress<Mutation> batch, RegionInfo region)
      throws IOException {
    List<SaltedRow> rows = SaltedRow.of(batch);
    if (rows.isEmpty()) {
      return;
    }
    long until =
        System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(CurrentRequest.millisLeft(timeoutMillis));
    List<Throwable> failures = send(rows, until);
    if (failures.get(0) instanceof Unsent) {
      throw Refusal.busyException(failures.get(0).getMessage());
    }
    sendElsewhere(rows, failures, until);
    int retryable = 0;
    Refusal failed = null;
    for (int i = 0; i < rows.size(); i++) {
      Throwable error = failures.get(i);
      Refusal refusal = error == null ? null : refusalOf(error);
      OperationStatus status =
          refusal == null ? OperationStatus.SUCCESS : DecidedStatus.ofRefused(refusal);
      for (int index : rows.get(i).indexes()) {
        batch.setOperationStatus(index, status);
      }
      if (!(error instanceof Unsent)) {
        metrics.forwarded(rows.get(i).indexes().size(), error == null);
      }
      if (refusal != null) {
        failed = refusal;
        retryable += refusal.isBusy() ? 1 : 0;
      }
    }
    if (failed == null) {
      return;
    }
    if (BatchKind.of(batch, region) != BatchKind.ROW_BY_ROW) {
      throw failed.exception();
    }
    if (retryable > MOST_STATUSES) {
      throw Refusal.busyException(
          "Many rows of bare keys could not be stored under their salted rows, try again. table="
              + table
              + " rows="
              + retryable
              + " last=\""
              + failed.message()
              + "\"");
    }
  }

  /** Reason why a row was not sent: there was no room or no time for it. It is counted already. */
  private static final class Unsent extends IOException {
    private static final long serialVersionUID = 1L;

    Unsent(String message) {
      super(message);
    }
  }

  /**
   * Sends rows in portions, one after the other: each finds room as easily as a small batch does.
   *
   * @param until when it is to be over, as {@link System#nanoTime} has it
   * @return why each row was not stored, null where it was; once a row is {@link Unsent}, all that
   *     follow are
   */
  private List<Throwable> send(List<SaltedRow> rows, long until) throws IOException {
    List<Throwable> failures = new ArrayList<>(rows.size());
    while (failures.size() < rows.size()) {
      List<SaltedRow> left = rows.subList(failures.size(), rows.size());
      int size = 0;
      long bytes = 0;
      do {
        bytes += left.get(size).heapSize();
        size++;
      } while (size < left.size() && bytes + left.get(size).heapSize() <= mostBytes / PORTIONS);
      long nanos = until - System.nanoTime();
      if (nanos > 0 && peers.take(bytes)) {
        failures.addAll(send(left.subList(0, size), bytes, nanos));
      } else {
        int mutations = left.stream().mapToInt(row -> row.indexes().size()).sum();
        Unsent unsent = new Unsent(nanos > 0 ? noRoom(mutations) : noTime(mutations));
        failures.addAll(Collections.nCopies(left.size(), unsent));
      }
    }
    return failures;
  }

  /** Sends rows whose bytes are taken; they are given back when all is over. */
  private List<Throwable> send(List<SaltedRow> rows, long bytes, long nanos) throws IOException {
    List<Row> actions = new ArrayList<>(rows.size());
    try {
      for (SaltedRow row : rows) {
        actions.add(row.action());
      }
    } catch (Throwable e) {
      peers.give(bytes);
      throw e;
    }
    return peers.write(actions, bytes, nanos);
  }

  /**
   * Sends rows once more whose region knows a later or an earlier step of a change of the layout,
   * and so takes the writes of their bare keys at their other place.
   *
   * @param failures of each row, null where it is stored; to be changed
   */
  private void sendElsewhere(List<SaltedRow> rows, List<Throwable> failures, long until)
      throws IOException {
    List<Integer> again = new ArrayList<>();
    List<SaltedRow> others = new ArrayList<>();
    for (int i = 0; i < rows.size(); i++) {
      byte[] other =
          OtherRowException.isReasonOf(failures.get(i))
              ? router.counterpart(rows.get(i).row())
              : null;
      if (other != null) {
        again.add(i);
        others.add(rows.get(i).at(other));
      }
    }
    List<Throwable> failed = send(others, until);
    for (int i = 0; i < again.size(); i++) {
      failures.set(again.get(i), failed.get(i));
    }
  }

  private Refusal refusalOf(Throwable error) {
    // Regions between two steps of a change of the layout: one of the two places will take it.
    boolean isFinal = peers.isFinal(error) && !OtherRowException.isReasonOf(error);
    String message =
        "The row of a bare key could not be stored under its salted row"
            + (isFinal ? ": " : ", try again: ")
            + (error instanceof Unsent
                ? error.getMessage()
                : FailureText.abbreviated(error, Refusal.LONGEST_ERROR));
    log.sample(() -> "Forward failed. table=" + table + " " + message);
    return isFinal ? Refusal.of(message) : Refusal.busy(message);
  }
}
