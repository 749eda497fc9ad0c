package io.rowguard.observer;

import io.rowguard.config.OtherPlaceException;
import io.rowguard.config.RowguardKey;
import io.rowguard.config.TableConfig;
import io.rowguard.layout.LayoutChange;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HConstants.OperationStatusCode;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.regionserver.OperationStatus;

/**
 * Stores what a batch holds of bare keys under their salted rows, and sets the status of each.
 * Thread-safe.
 *
 * <p>It runs when the batch is over and its row locks are gone, but with the region's close lock
 * still held: so every wait has an end, {@code rowguard.salt.timeout.ms} after the request began. A
 * row that comes from far and one that belongs into the same region go the same way.
 *
 * <p>What is under way on a server is bounded by {@code rowguard.salt.max.bytes}: beyond that a
 * batch is sent back at once, for its client to try again later.
 */
final class Forwarder {
  /** Of so many failures in a batch each row has its own: HBase adds a stack trace to each. */
  private static final int MOST_STATUSES = 32;

  private final RowSender sender;
  private final ServerForwards forwards;
  private final TableName table;
  private final int timeoutMillis;
  private final long mostBytes;
  private final WriteMetrics metrics;
  private final SampleLog log;

  /** Null unless the layout changes. */
  private final LayoutChange change;

  Forwarder(
      RowSender sender,
      ServerForwards forwards,
      TableName table,
      TableConfig config,
      WriteMetrics metrics,
      SampleLog log) {
    this.sender = sender;
    this.forwards = forwards;
    this.table = table;
    this.timeoutMillis = config.saltTimeoutMillis();
    this.mostBytes = config.saltMaxBytes();
    this.metrics = metrics;
    this.log = log;
    this.change = config.relayout() == null ? null : config.relayout().change();
  }

  /**
   * Sends a batch back before anything of it is stored, where its bare rows could not be forwarded
   * now.
   *
   * @param rows how many bare rows it has
   * @throws RegionTooBusyException for the client to try again later
   */
  void requireRoom(int rows) throws RegionTooBusyException {
    if (!forwards.hasRoom(mostBytes)) {
      throw noRoom(rows);
    }
    if (CurrentRequest.millisLeft(timeoutMillis) <= 0) {
      throw noTime(rows);
    }
  }

  private RegionTooBusyException noRoom(int rows) {
    return busy(
        rows,
        "Too much is being forwarded from this server, try again later. table="
            + table
            + " "
            + RowguardKey.SALT_MAX_BYTES.key()
            + "="
            + mostBytes);
  }

  private RegionTooBusyException noTime(int rows) {
    return busy(
        rows,
        "What this request wrote before has taken its time, try again. table="
            + table
            + " "
            + RowguardKey.SALT_TIMEOUT.key()
            + "="
            + timeoutMillis);
  }

  private RegionTooBusyException busy(int rows, String message) {
    metrics.forwardsBusy(rows);
    log.sample(() -> message);
    return Failures.busy(message);
  }

  /**
   * Forwards the bare rows of a batch and makes their statuses final.
   *
   * @throws IOException when a row failed and nobody would read its status, or so many did that the
   *     answer would be large; then the whole batch is to be tried again
   */
  void forward(MiniBatchOperationInProgress<Mutation> batch, RegionInfo region) throws IOException {
    long bytes = 0;
    int bare = 0;
    for (int i = 0; i < batch.size(); i++) {
      if (batch.getOperationStatus(i) instanceof ForwardStatus) {
        bytes += batch.getOperation(i).heapSize();
        bare++;
      }
    }
    if (bare == 0) {
      return;
    }
    long millis = CurrentRequest.millisLeft(timeoutMillis);
    if (millis <= 0) {
      throw noTime(bare);
    }
    if (!forwards.take(bytes, mostBytes)) {
      throw noRoom(bare);
    }
    List<SaltedRow> rows = new ArrayList<>(bare);
    List<Throwable> failures = send(() -> SaltedRow.of(batch), rows, millis, bytes);
    sendElsewhere(rows, failures);
    int retryable = 0;
    OperationStatus failed = null;
    for (int i = 0; i < rows.size(); i++) {
      Throwable error = failures.get(i);
      OperationStatus status = error == null ? OperationStatus.SUCCESS : statusOf(error);
      for (int place : rows.get(i).places()) {
        batch.setOperationStatus(place, status);
      }
      metrics.forwarded(rows.get(i).places().size(), error == null);
      if (error != null) {
        failed = status;
        retryable += isBusy(status) ? 1 : 0;
      }
    }
    if (failed == null) {
      return;
    }
    if (BatchKind.of(batch, region) != BatchKind.ROW_BY_ROW) {
      throw exceptionOf(failed);
    }
    if (retryable > MOST_STATUSES) {
      throw Failures.busy(
          "Many rows of bare keys could not be stored under their salted rows, try again. table="
              + table
              + " rows="
              + retryable
              + " last=\""
              + failed.getExceptionMsg()
              + "\"");
    }
  }

  /** Fills in the rows; answers what became of them. The bytes are given back when all is over. */
  private List<Throwable> send(Made made, List<SaltedRow> rows, long millis, long bytes)
      throws IOException {
    metrics.forwardBytes(bytes);
    ForwardedBatch forwarded;
    try {
      rows.addAll(made.rows());
      List<Row> actions = new ArrayList<>(rows.size());
      for (SaltedRow row : rows) {
        actions.add(row.action());
      }
      forwarded =
          new ForwardedBatch(
              actions,
              bytes,
              TimeUnit.MILLISECONDS.toNanos(millis),
              over -> {
                forwards.over(over);
                give(bytes);
              });
    } catch (Throwable e) {
      give(bytes);
      throw e;
    }
    return sender.write(forwarded);
  }

  private void give(long bytes) {
    forwards.give(bytes);
    metrics.forwardBytes(-bytes);
  }

  /** Makes what is to be sent. */
  private interface Made {
    List<SaltedRow> rows() throws IOException;
  }

  /**
   * Sends rows once more whose region knows a later or an earlier step of a change of the layout,
   * and so takes the writes of their bare keys at their other place.
   *
   * @param failures of each row, null where it is stored; to be changed
   */
  private void sendElsewhere(List<SaltedRow> rows, List<Throwable> failures) throws IOException {
    List<Integer> again = new ArrayList<>();
    List<SaltedRow> others = new ArrayList<>();
    long bytes = 0;
    for (int i = 0; change != null && i < rows.size(); i++) {
      if (OtherPlaceException.isReasonOf(failures.get(i))) {
        byte[] row = rows.get(i).row();
        boolean old = change.place(row) == LayoutChange.Place.OLD;
        again.add(i);
        others.add(rows.get(i).at(old ? change.toNew(row) : change.toOld(row)));
        bytes += rows.get(i).heapSize();
      }
    }
    long millis = CurrentRequest.millisLeft(timeoutMillis);
    if (again.isEmpty() || millis <= 0 || !forwards.take(bytes, Long.MAX_VALUE)) {
      return;
    }
    List<Throwable> failed = send(() -> others, new ArrayList<>(), millis, bytes);
    for (int i = 0; i < again.size(); i++) {
      failures.set(again.get(i), failed.get(i));
    }
  }

  private OperationStatus statusOf(Throwable error) {
    // Regions between two steps of a change of the layout: one of the two places will take it.
    boolean isFinal = sender.isFinal(error) && !OtherPlaceException.isReasonOf(error);
    String message =
        "The row of a bare key could not be stored under its salted row"
            + (isFinal ? ": " : ", try again: ")
            + HookGuard.firstLine(error);
    log.sample(() -> "Forward failed. table=" + table + " " + message);
    return new OperationStatus(
        isFinal ? OperationStatusCode.SANITY_CHECK_FAILURE : OperationStatusCode.STORE_TOO_BUSY,
        message);
  }

  private static boolean isBusy(OperationStatus status) {
    return status.getOperationStatusCode() == OperationStatusCode.STORE_TOO_BUSY;
  }

  private static IOException exceptionOf(OperationStatus status) {
    return isBusy(status)
        ? Failures.busy(status.getExceptionMsg())
        : new DoNotRetryIOException(status.getExceptionMsg());
  }
}
