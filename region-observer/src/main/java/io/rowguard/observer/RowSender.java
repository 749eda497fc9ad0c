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
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.RetriesExhaustedException;
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
  // By name, since HBase 3.0 does not have the class.
  private static final String OPERATION_TIMEOUT = "OperationTimeoutExceededException";

  private final Connection connection;
  private final TableName table;
  private final ForwardThreads threads;
  private final int timeoutMillis;
  private final LocationRefresher locations;

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
    this.locations = new LocationRefresher(connection, table, threads, log);
  }

  /**
   * Writes rows, each of which carries a priority.
   *
   * <p>Not every priority in a batch counts. HBase's client of 2.x sends its parts with the highest
   * of the Puts that came before them in it, and does not ask other actions ({@code
   * AsyncProcess.submitAll}); that of 3.0 sends each with the highest of its own Puts and Deletes
   * ({@code AsyncBatchRpcRetryingCaller}). So Puts travel together, and Deletes after them; what is
   * left is written row by row, some of them side by side.
   *
   * @param actions one per row: first Puts, then Deletes, then RowMutations
   * @param results is filled with what became of each action, as far as it is known
   * @return what became of those of which nothing is known, null where all went well
   */
  IOException write(List<Row> actions, Object[] results) {
    try {
      threads.call(
          () -> {
            IOException failure = null;
            try {
              writeAll(actions, results);
            } catch (IOException e) {
              failure = e;
            }
            if (!ExceptionUtil.isInterrupt(failure)) {
              locations.refresh(rowsToRefresh(actions, results, failure));
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

  private void writeAll(List<Row> actions, Object[] results)
      throws IOException, InterruptedException {
    int together = 0;
    if (actions.get(0) instanceof Put) {
      while (together < actions.size() && !(actions.get(together) instanceof RowMutations)) {
        together++;
      }
    }
    if (together == actions.size()) {
      writeTogether(actions, results);
    } else {
      writeApart(actions, together, results);
    }
  }

  private void writeTogether(List<Row> actions, Object[] results)
      throws IOException, InterruptedException {
    try (Table target = open(threads.senders())) {
      target.batch(actions, results);
    } catch (RetriesExhaustedException e) {
      for (Object result : results) {
        if (result instanceof IOException && ExceptionUtil.isInterrupt((IOException) result)) {
          throw (IOException) result; // HBase 3.0 takes it for the failure of one row
        }
      }
      throw e;
    }
  }

  /**
   * Writes the first rows together, and at the same time the others one by one. Some of those at a
   * time: one batch must not take all senders, nor a server's priority handlers.
   */
  private void writeApart(List<Row> actions, int together, Object[] results)
      throws IOException, InterruptedException {
    locate(actions.subList(together, actions.size()));
    AtomicInteger next = new AtomicInteger(together);
    AtomicBoolean over = new AtomicBoolean();
    List<Future<?>> writers = new ArrayList<>(ROWS_AT_ONCE);
    for (int i = 0; i < Math.min(ROWS_AT_ONCE, actions.size() - together); i++) {
      writers.add(
          threads
              .senders()
              .submit(
                  () -> {
                    int row = next.getAndIncrement();
                    while (row < actions.size() && !over.get()) {
                      results[row] = write(actions.get(row));
                      row = next.getAndIncrement();
                    }
                  }));
    }
    try {
      IOException failure =
          together == 0 ? null : writeFirst(actions.subList(0, together), results);
      for (Future<?> writer : writers) {
        writer.get();
      }
      if (failure != null) {
        throw failure;
      }
    } catch (ExecutionException e) {
      throw ForwardThreads.failureOf(e);
    } finally {
      // No interrupt: on HBase 2 a region of this server is written in the sender's own thread, and
      // would be left between its write-ahead log and its memstore.
      over.set(true);
    }
  }

  /** Answers what failed for some of the rows, or null. */
  private IOException writeFirst(List<Row> actions, Object[] results)
      throws IOException, InterruptedException {
    Object[] first = new Object[actions.size()];
    try {
      writeTogether(actions, first);
      return null;
    } catch (RetriesExhaustedException e) {
      return e;
    } finally {
      System.arraycopy(first, 0, results, 0, first.length);
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
   * @throws IOException when it cannot be read in time; clients retry unless it is final
   */
  Result get(Get get) throws IOException {
    try {
      return threads.call(
          () -> {
            try (Table target = open(threads.senders())) {
              return target.get(get);
            } catch (IOException e) {
              if (!isFinal(e) && LocationRefresher.mayBeElsewhere(e)) {
                locations.refresh(Collections.singletonList(get.getRow()));
              }
              throw e;
            }
          },
          timeoutMillis);
    } catch (DoNotRetryIOException e) {
      throw isFinal(e) ? e : new IOException(e);
    }
  }

  private List<byte[]> rowsToRefresh(List<Row> actions, Object[] results, IOException failure) {
    List<byte[]> rows = new ArrayList<>();
    for (int i = 0; i < results.length; i++) {
      Throwable error = errorOf(results[i], failure);
      if (error != null && !isFinal(error) && LocationRefresher.mayBeElsewhere(error)) {
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
  static Throwable errorOf(Object result, IOException failure) {
    if (result instanceof Throwable) {
      return reasonOf((Throwable) result);
    }
    if (result != null) {
      return null;
    }
    return failure != null ? reasonOf(failure) : new IOException("The client has no answer.");
  }

  /** What the last try failed with; HBase 3.0 wraps also what it did not try again. */
  private static Throwable reasonOf(Throwable error) {
    return error instanceof RetriesExhaustedException && error.getCause() != null
        ? reasonOf(error.getCause())
        : error;
  }

  /**
   * Whether it is of no use to try again: the other region says so, and not this server's client,
   * which gives up by itself, or whose connection is closed while the server stops.
   */
  boolean isFinal(Throwable failure) {
    Throwable error = reasonOf(failure);
    return error instanceof DoNotRetryIOException
        && !error.getClass().getSimpleName().equals(OPERATION_TIMEOUT)
        && !(error instanceof ServerTooBusyException)
        && !(error instanceof StoppedRpcClientException)
        && !(error instanceof NoServerForRegionException)
        && !connection.isClosed();
  }
}
