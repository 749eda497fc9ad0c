package io.rowguard.observer;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.NoServerForRegionException;
import org.apache.hadoop.hbase.client.OperationTimeoutExceededException;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.ipc.ServerTooBusyException;
import org.apache.hadoop.hbase.ipc.StoppedRpcClientException;
import org.apache.hadoop.hbase.util.ExceptionUtil;

/**
 * Writes and reads rows of a table through HBase's own client, from a server, within a time limit.
 * Thread-safe.
 */
final class RowSender {
  private static final int ROWS_AT_ONCE = 8;

  private final Connection connection;
  private final TableName table;
  private final ForwardThreads threads;
  private final int timeoutMillis;
  private final LocationRefresher regions;

  /**
   * @param connection the server's own; not closed here
   */
  RowSender(
      Connection connection,
      TableName table,
      ForwardThreads threads,
      int timeoutMillis,
      SampleLog log) {
    this.connection = connection;
    this.table = table;
    this.threads = threads;
    this.timeoutMillis = timeoutMillis;
    this.regions = new LocationRefresher(connection, table, threads, log);
  }

  /**
   * Writes rows, each of which carries a priority.
   *
   * <p>HBase's client sends the parts of a batch with the highest priority of the Puts that came
   * before them in it, and does not ask other actions ({@code AsyncProcess.submitAll}). So a batch
   * must begin with a Put; what does not is written row by row, some of them side by side.
   *
   * @param actions one per row: Puts, Deletes, RowMutations; a Put first, if there is one
   * @param told is filled with what became of each action, as far as it is known
   * @return what became of those of which nothing is known, null where all went well
   */
  IOException write(List<Row> actions, Object[] told) {
    try {
      threads.call(
          () -> {
            IOException failure = null;
            try {
              if (actions.get(0) instanceof Put) {
                writeTogether(actions, told);
              } else {
                writeOneByOne(actions, told);
              }
            } catch (IOException e) {
              failure = e;
            }
            if (!ExceptionUtil.isInterrupt(failure)) {
              regions.lookAgain(rowsToLookFor(actions, told, failure));
            }
            if (failure != null) {
              throw failure;
            }
            return null;
          },
          timeoutMillis);
      return null;
    } catch (IOException e) {
      return e;
    }
  }

  private void writeTogether(List<Row> actions, Object[] told)
      throws IOException, InterruptedException {
    try (Table target = open(threads.senders())) {
      target.batch(actions, told);
    }
  }

  /** Some at a time: one batch must not take all senders, nor a server's priority handlers. */
  private void writeOneByOne(List<Row> actions, Object[] told)
      throws IOException, InterruptedException {
    locate(actions);
    AtomicInteger next = new AtomicInteger();
    AtomicBoolean over = new AtomicBoolean();
    List<Future<?>> writers = new ArrayList<>(ROWS_AT_ONCE);
    for (int i = 0; i < Math.min(ROWS_AT_ONCE, actions.size()); i++) {
      writers.add(
          threads
              .senders()
              .submit(
                  () -> {
                    int row = next.getAndIncrement();
                    while (row < actions.size() && !over.get()) {
                      told[row] = write(actions.get(row));
                      row = next.getAndIncrement();
                    }
                  }));
    }
    try {
      for (Future<?> writer : writers) {
        writer.get();
      }
    } catch (ExecutionException e) {
      throw new IOException(e.getCause());
    } finally {
      // No interrupt: a region of this server is written in the sender's own thread, and would be
      // left between its write-ahead log and its memstore.
      over.set(true);
    }
  }

  /** Here, where it can be interrupted, since the client may search for a region for minutes. */
  private void locate(List<Row> actions) throws IOException {
    try (RegionLocator locator = connection.getRegionLocator(table)) {
      for (Row action : actions) {
        locator.getRegionLocation(action.getRow());
      }
    }
  }

  /** Writes a row; answers what became of it, as a batch does. */
  private Object write(Row action) {
    // The client hands several mutations on to a thread, for which no sender must wait.
    try (Table target = open(threads.callers())) {
      if (action instanceof Delete) {
        target.delete((Delete) action);
        return Result.EMPTY_RESULT;
      }
      return target.mutateRow((RowMutations) action);
    } catch (RetriesExhaustedWithDetailsException e) {
      return e.getCause(0);
    } catch (IOException e) {
      return e;
    }
  }

  /**
   * Reads a row.
   *
   * @throws IOException when it cannot be read in time; clients retry unless it is hopeless
   */
  Result get(Get get) throws IOException {
    try {
      return threads.call(
          () -> {
            try (Table target = open(threads.senders())) {
              return target.get(get);
            } catch (IOException e) {
              if (!isHopeless(e) && LocationRefresher.mayBeElsewhere(e)) {
                regions.lookAgain(Collections.singletonList(get.getRow()));
              }
              throw e;
            }
          },
          timeoutMillis);
    } catch (DoNotRetryIOException e) {
      throw isHopeless(e) ? e : new IOException(e);
    }
  }

  private List<byte[]> rowsToLookFor(List<Row> actions, Object[] told, IOException failure) {
    List<byte[]> rows = new ArrayList<>();
    for (int i = 0; i < told.length; i++) {
      Throwable error = errorOf(told[i], failure);
      if (error != null && !isHopeless(error) && LocationRefresher.mayBeElsewhere(error)) {
        rows.add(actions.get(i).getRow());
      }
    }
    return rows;
  }

  /** Gives the client less time than the caller, so that it can say what it found. */
  private Table open(ExecutorService pool) {
    int ownTimeout = Math.max(1, timeoutMillis - timeoutMillis / 10);
    return connection
        .getTableBuilder(table, pool)
        .setOperationTimeout(ownTimeout)
        .setRpcTimeout(ownTimeout)
        .setReadRpcTimeout(ownTimeout)
        .setWriteRpcTimeout(ownTimeout)
        .build();
  }

  /** Null for success. What the client has not answered for did not succeed. */
  static Throwable errorOf(Object told, IOException failure) {
    if (told instanceof Throwable) {
      return (Throwable) told;
    }
    if (told != null) {
      return null;
    }
    return failure != null ? failure : new IOException("The client said nothing.");
  }

  /**
   * Whether it is of no use to try again: the other region says so, and not this server's client,
   * which gives up by itself, or whose connection is closed while the server stops.
   */
  boolean isHopeless(Throwable error) {
    return error instanceof DoNotRetryIOException
        && !(error instanceof OperationTimeoutExceededException)
        && !(error instanceof ServerTooBusyException)
        && !(error instanceof StoppedRpcClientException)
        && !(error instanceof NoServerForRegionException)
        && !connection.isClosed();
  }
}
