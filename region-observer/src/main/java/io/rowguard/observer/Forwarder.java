package io.rowguard.observer;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HConstants.OperationStatusCode;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.OperationTimeoutExceededException;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.ipc.ServerTooBusyException;
import org.apache.hadoop.hbase.ipc.StoppedRpcClientException;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.regionserver.OperationStatus;
import org.apache.hadoop.hbase.util.ExceptionUtil;

/**
 * Stores what a batch holds of bare keys under their salted rows, and tells HBase what became of
 * each. Thread-safe.
 *
 * <p>It runs when the batch is over and its row locks are gone, but with the region's close lock
 * still held: so every wait has an end, {@code rowguard.salt.timeout.ms}. All bare rows of a batch
 * travel together, through HBase's own client, each row as one action. A row that comes from far
 * and one that belongs into the same region go the same way.
 */
final class Forwarder {
  private final Connection connection;
  private final TableName table;
  private final ForwardThreads threads;
  private final int timeoutMillis;
  private final WriteMetrics metrics;
  private final SampleLog log;

  /**
   * @param connection the server's own; not closed here
   */
  Forwarder(
      Connection connection,
      TableName table,
      ForwardThreads threads,
      int timeoutMillis,
      WriteMetrics metrics,
      SampleLog log) {
    this.connection = connection;
    this.table = table;
    this.threads = threads;
    this.timeoutMillis = timeoutMillis;
    this.metrics = metrics;
    this.log = log;
  }

  /**
   * Forwards the bare rows of a batch and makes their statuses final.
   *
   * @throws IOException when a row failed and nobody would read its status
   */
  void forward(MiniBatchOperationInProgress<Mutation> batch, RegionInfo region) throws IOException {
    Map<ByteBuffer, List<Integer>> placesByRow = bareRows(batch);
    if (placesByRow.isEmpty()) {
      return;
    }
    Object[] told = new Object[placesByRow.size()];
    IOException failure = send(actions(batch, placesByRow), told);
    int action = 0;
    for (List<Integer> places : placesByRow.values()) {
      Throwable error = errorOf(told[action++], failure);
      OperationStatus status = error == null ? OperationStatus.SUCCESS : failed(error);
      for (int place : places) {
        batch.setOperationStatus(place, status);
      }
      metrics.forwarded(places.size(), error == null);
      if (error != null && BatchKind.of(batch, region) != BatchKind.ROW_BY_ROW) {
        throw exceptionOf(status);
      }
    }
  }

  private static Map<ByteBuffer, List<Integer>> bareRows(
      MiniBatchOperationInProgress<Mutation> batch) {
    Map<ByteBuffer, List<Integer>> placesByRow = new LinkedHashMap<>();
    for (int i = 0; i < batch.size(); i++) {
      OperationStatus status = batch.getOperationStatus(i);
      if (status instanceof ForwardStatus) {
        placesByRow
            .computeIfAbsent(
                ByteBuffer.wrap(((ForwardStatus) status).saltedRow()), row -> new ArrayList<>(1))
            .add(i);
      }
    }
    return placesByRow;
  }

  /** One action per row; several mutations of one row stay together and in order. */
  private static List<Row> actions(
      MiniBatchOperationInProgress<Mutation> batch, Map<ByteBuffer, List<Integer>> placesByRow)
      throws IOException {
    List<Row> actions = new ArrayList<>(placesByRow.size());
    for (Map.Entry<ByteBuffer, List<Integer>> row : placesByRow.entrySet()) {
      List<Mutation> mutations = new ArrayList<>(row.getValue().size());
      for (int place : row.getValue()) {
        mutations.add(BareWrites.salted(batch.getOperation(place), row.getKey().array()));
      }
      actions.add(mutations.size() == 1 ? mutations.get(0) : RowMutations.of(mutations));
    }
    return actions;
  }

  /**
   * Sends them.
   *
   * @param told is filled with what became of each action, as far as it is known
   * @return what became of those of which nothing is known, null where all went well
   */
  private IOException send(List<Row> actions, Object[] told) {
    try {
      threads.call(
          () -> {
            try (Table target = open()) {
              target.batch(actions, told);
            } catch (IOException e) {
              lookAgain(actions, told, e);
              throw e;
            }
            return null;
          },
          timeoutMillis);
      return null;
    } catch (IOException e) {
      return e;
    }
  }

  /**
   * Reads a row of this table.
   *
   * @throws IOException when it cannot be read in time; clients retry unless it is hopeless
   */
  Result get(Get get) throws IOException {
    try {
      return threads.call(
          () -> {
            try (Table target = open()) {
              return target.get(get);
            } catch (IOException e) {
              if (mayBeElsewhere(e)) {
                lookAgain(get.getRow());
              }
              throw e;
            }
          },
          timeoutMillis);
    } catch (DoNotRetryIOException e) {
      throw isHopeless(e) ? e : new IOException(e);
    }
  }

  /**
   * One row is enough: others that belong elsewhere fail again, and each failure costs one look.
   */
  private void lookAgain(List<Row> actions, Object[] told, IOException failure) {
    for (int i = 0; i < told.length; i++) {
      Throwable error = errorOf(told[i], failure);
      if (error != null && mayBeElsewhere(error)) {
        lookAgain(actions.get(i).getRow());
        return;
      }
    }
  }

  private static boolean mayBeElsewhere(Throwable error) {
    return !isHopeless(error) && !ExceptionUtil.isInterrupt(error);
  }

  /**
   * Has the server's connection look into {@code hbase:meta} for the region of a row, so that the
   * next try goes there. The caller's time limit holds for it too.
   *
   * <p>HBase's client does so by itself, unless a server says that the region has moved: it is
   * believed, even where two servers say so of each other, as they do for two minutes after the
   * region moved forth and back and was then split or merged.
   */
  private void lookAgain(byte[] row) {
    try (RegionLocator locator = connection.getRegionLocator(table)) {
      locator.getRegionLocation(row, true);
    } catch (IOException e) {
      log.sample(
          () -> "The region of a salted row could not be looked up. table=" + table + " why=" + e);
    }
  }

  /** Gives the client less time than the caller, so that it can say what it found. */
  private Table open() {
    int ownTimeout = Math.max(1, timeoutMillis - timeoutMillis / 10);
    return connection
        .getTableBuilder(table, threads.senders())
        .setOperationTimeout(ownTimeout)
        .setRpcTimeout(ownTimeout)
        .setReadRpcTimeout(ownTimeout)
        .setWriteRpcTimeout(ownTimeout)
        .build();
  }

  /** Null for success. What the client has not answered for did not succeed. */
  private static Throwable errorOf(Object told, IOException failure) {
    if (told instanceof Throwable) {
      return (Throwable) told;
    }
    if (told != null) {
      return null;
    }
    return failure != null ? failure : new IOException("The client said nothing.");
  }

  private OperationStatus failed(Throwable error) {
    boolean hopeless = isHopeless(error);
    String message =
        "A bare row could not be stored under its salted row"
            + (hopeless ? ": " : ", try again: ")
            + firstLine(error);
    log.sample(() -> "Forward failed. table=" + table + " " + message);
    return new OperationStatus(
        hopeless ? OperationStatusCode.SANITY_CHECK_FAILURE : OperationStatusCode.STORE_TOO_BUSY,
        message);
  }

  private static boolean isHopeless(Throwable error) {
    return error instanceof DoNotRetryIOException && !isOfTheClient(error);
  }

  /** What HBase's client gives up by itself is not to be retried there, but may be here. */
  private static boolean isOfTheClient(Throwable error) {
    return error instanceof OperationTimeoutExceededException
        || error instanceof ServerTooBusyException
        || error instanceof StoppedRpcClientException;
  }

  private static IOException exceptionOf(OperationStatus status) {
    return status.getOperationStatusCode() == OperationStatusCode.STORE_TOO_BUSY
        ? new RegionTooBusyException(status.getExceptionMsg())
        : new DoNotRetryIOException(status.getExceptionMsg());
  }

  /** HBase appends the stack trace of the server where it happened. */
  private static String firstLine(Throwable error) {
    String text = String.valueOf(error);
    int end = text.indexOf('\n');
    return end < 0 ? text : text.substring(0, end);
  }
}
