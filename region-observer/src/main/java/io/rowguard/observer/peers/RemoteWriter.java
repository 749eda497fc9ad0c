package io.rowguard.observer.peers;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.util.FutureUtils;

/**
 * Writes rows to another server, through HBase's client. Thread-safe; waits for nothing.
 *
 * <p>The client sends what goes to one server with the highest priority of its Puts and Deletes
 * ({@code AsyncBatchRpcRetryingCaller}) and does not ask RowMutations, but where they are sent
 * alone: so these go one by one, some of them at a time, so that they never take all of a server's
 * priority handlers.
 */
final class RemoteWriter implements PeerQueue.Writer {
  private static final int ROWS_AT_ONCE = 8;

  /** A second or so, for a region that moves; then it is for the clients to wait, not for us. */
  private static final int ATTEMPTS = 5;

  private final AsyncConnection connection;
  private final TableName table;
  private final Executor sending;

  /**
   * @param sending where rows of several mutations are sent when others have been answered
   */
  RemoteWriter(AsyncConnection connection, TableName table, Executor sending) {
    this.connection = connection;
    this.table = table;
    this.sending = sending;
  }

  /** Opens the table for calls that end before a wait of so long is over. Callers log failures. */
  static AsyncTable<AdvancedScanResultConsumer> open(
      AsyncConnection connection, TableName table, long millis) {
    long own = Math.max(1, millis - millis / 10);
    return connection
        .getTableBuilder(table)
        .setOperationTimeout(own, TimeUnit.MILLISECONDS)
        .setRpcTimeout(own, TimeUnit.MILLISECONDS)
        .setReadRpcTimeout(own, TimeUnit.MILLISECONDS)
        .setWriteRpcTimeout(own, TimeUnit.MILLISECONDS)
        .setMaxAttempts(ATTEMPTS)
        .setStartLogErrorsCnt(Integer.MAX_VALUE)
        .build();
  }

  @Override
  public void write(List<ForwardedRow> rows, PeerQueue.Transfer transfer) {
    long nanos = 0;
    List<ForwardedRow> single = new ArrayList<>(rows.size());
    List<Mutation> mutations = new ArrayList<>(rows.size());
    Queue<ForwardedRow> several = new ConcurrentLinkedQueue<>();
    for (ForwardedRow row : rows) {
      nanos = Math.max(nanos, row.batch().nanosLeft());
      if (row.action() instanceof Mutation) {
        single.add(row);
        mutations.add((Mutation) row.action());
      } else {
        several.add(row);
      }
    }
    AsyncTable<?> target = open(connection, table, TimeUnit.NANOSECONDS.toMillis(nanos));
    if (!single.isEmpty()) {
      List<CompletableFuture<Object>> answers = target.batch(mutations);
      for (int i = 0; i < answers.size(); i++) {
        ForwardedRow row = single.get(i);
        FutureUtils.addListener(answers.get(i), (result, error) -> transfer.ended(row, error));
      }
    }
    for (int i = 0; i < ROWS_AT_ONCE; i++) {
      writeNext(target, several, transfer);
    }
  }

  private void writeNext(
      AsyncTable<?> target, Queue<ForwardedRow> several, PeerQueue.Transfer transfer) {
    ForwardedRow row = several.poll();
    if (row != null) {
      FutureUtils.addListener(
          target.mutateRow((RowMutations) row.action()),
          (result, error) -> {
            transfer.ended(row, error);
            writeNext(target, several, transfer);
          },
          sending);
    }
  }
}
