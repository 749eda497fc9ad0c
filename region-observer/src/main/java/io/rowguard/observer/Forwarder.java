package io.rowguard.observer;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HConstants.OperationStatusCode;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.regionserver.OperationStatus;

/**
 * Stores what a batch holds of bare keys under their salted rows, and sets the status of each.
 * Thread-safe.
 *
 * <p>It runs when the batch is over and its row locks are gone, but with the region's close lock
 * still held: so every wait has an end, {@code rowguard.salt.timeout.ms}. The bare rows of a batch
 * travel through HBase's own client, each row as one action, together where {@link RowSender} can.
 * A row that comes from far and one that belongs into the same region go the same way.
 */
final class Forwarder {
  private final RowSender sender;
  private final TableName table;
  private final WriteMetrics metrics;
  private final SampleLog log;

  Forwarder(RowSender sender, TableName table, WriteMetrics metrics, SampleLog log) {
    this.sender = sender;
    this.table = table;
    this.metrics = metrics;
    this.log = log;
  }

  /**
   * Forwards the bare rows of a batch and makes their statuses final.
   *
   * @throws IOException when a row failed and nobody would read its status
   */
  void forward(MiniBatchOperationInProgress<Mutation> batch, RegionInfo region) throws IOException {
    List<SaltedRow> rows = bareRows(batch);
    if (rows.isEmpty()) {
      return;
    }
    List<Row> actions = new ArrayList<>(rows.size());
    for (SaltedRow row : rows) {
      actions.add(row.action());
    }
    Object[] results = new Object[rows.size()];
    IOException failure = sender.write(actions, results);
    OperationStatus failed = null;
    for (int i = 0; i < results.length; i++) {
      Throwable error = RowSender.errorOf(results[i], failure);
      OperationStatus status = error == null ? OperationStatus.SUCCESS : statusOf(error);
      for (int place : rows.get(i).places) {
        batch.setOperationStatus(place, status);
      }
      metrics.forwarded(rows.get(i).places.size(), error == null);
      failed = error == null ? failed : status;
    }
    if (failed != null && BatchKind.of(batch, region) != BatchKind.ROW_BY_ROW) {
      throw exceptionOf(failed);
    }
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

    /** The sender wants Puts first, then Deletes, then RowMutations. */
    int turn() {
      if (mutations.size() > 1) {
        return 2;
      }
      return mutations.get(0) instanceof Put ? 0 : 1;
    }
  }

  /** The rows, in the order that the sender wants. */
  private static List<SaltedRow> bareRows(MiniBatchOperationInProgress<Mutation> batch)
      throws IOException {
    Map<ByteBuffer, SaltedRow> byRow = new LinkedHashMap<>();
    for (int i = 0; i < batch.size(); i++) {
      OperationStatus status = batch.getOperationStatus(i);
      if (status instanceof ForwardStatus) {
        byte[] row = ((ForwardStatus) status).saltedRow();
        byRow
            .computeIfAbsent(ByteBuffer.wrap(row), key -> new SaltedRow(row))
            .add(i, batch.getOperation(i));
      }
    }
    List<SaltedRow> rows = new ArrayList<>(byRow.values());
    rows.sort(Comparator.comparingInt(SaltedRow::turn));
    return rows;
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

  private static IOException exceptionOf(OperationStatus status) {
    return status.getOperationStatusCode() == OperationStatusCode.STORE_TOO_BUSY
        ? new RegionTooBusyException(status.getExceptionMsg())
        : new DoNotRetryIOException(status.getExceptionMsg());
  }
}
