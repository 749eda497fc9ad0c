package io.rowguard.observer;

import io.rowguard.config.RowguardKey;
import io.rowguard.config.TableConfig;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HConstants.OperationStatusCode;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.regionserver.OperationStatus;
import org.apache.hadoop.hbase.util.Bytes;

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
    List<Throwable> failures = send(batch, rows, millis, bytes);
    int retryable = 0;
    OperationStatus failed = null;
    for (int i = 0; i < rows.size(); i++) {
      Throwable error = failures.get(i);
      OperationStatus status = error == null ? OperationStatus.SUCCESS : statusOf(error);
      for (int place : rows.get(i).places) {
        batch.setOperationStatus(place, status);
      }
      metrics.forwarded(rows.get(i).places.size(), error == null);
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
  private List<Throwable> send(
      MiniBatchOperationInProgress<Mutation> batch, List<SaltedRow> rows, long millis, long bytes)
      throws IOException {
    metrics.forwardBytes(bytes);
    ForwardedBatch forwarded;
    try {
      rows.addAll(bareRows(batch));
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

  /** What a batch holds of one salted row. */
  private static final class SaltedRow {
    private final byte[] row;
    private final List<Integer> places = new ArrayList<>(1);
    private final List<Mutation> mutations = new ArrayList<>(1);

    SaltedRow(byte[] row) {
      this.row = row;
    }

    void add(int place, Mutation mutation) throws IOException {
      places.add(place);
      mutations.add(BareWrites.salted(mutation, row));
    }

    /** Several mutations of one row stay together and in order. */
    Row action() throws IOException {
      return mutations.size() == 1 ? mutations.get(0) : RowMutations.of(mutations);
    }
  }

  /** The rows, in their order. */
  private static List<SaltedRow> bareRows(MiniBatchOperationInProgress<Mutation> batch)
      throws IOException {
    Map<byte[], SaltedRow> byRow = new TreeMap<>(Bytes.BYTES_COMPARATOR);
    for (int i = 0; i < batch.size(); i++) {
      OperationStatus status = batch.getOperationStatus(i);
      if (status instanceof ForwardStatus) {
        byte[] row = ((ForwardStatus) status).saltedRow();
        byRow.computeIfAbsent(row, SaltedRow::new).add(i, batch.getOperation(i));
      }
    }
    return new ArrayList<>(byRow.values());
  }

  private OperationStatus statusOf(Throwable error) {
    boolean isFinal = sender.isFinal(error);
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
