package io.rowguard.benchmarks.relayout;

import io.rowguard.benchmarks.Quantiles;
import io.rowguard.client.SaltedTable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;

/**
 * Clients that send Gets and puts of any ids at fixed times, whatever the servers do: an operation
 * that has to wait for the one before it has been waited for, too.
 */
final class PacedClients implements AutoCloseable {
  private static final int OF_EACH_KIND = 4;

  /** Each client's time from one operation to the next. */
  private static final long GAP_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private final ExecutorService threads = Executors.newFixedThreadPool(2 * OF_EACH_KIND);
  private final List<Future<?>> all = new ArrayList<>();
  private volatile boolean isOver;
  private volatile Times times;

  /** How long operations took, in milliseconds. */
  static final class Times {
    private final List<Double> gets = new ArrayList<>();
    private final List<Double> puts = new ArrayList<>();

    private synchronized void add(boolean isGet, double millis) {
      (isGet ? gets : puts).add(millis);
    }

    synchronized Quantiles gets() {
      return Quantiles.of(gets.stream().mapToDouble(each -> each).toArray());
    }

    synchronized Quantiles puts() {
      return Quantiles.of(puts.stream().mapToDouble(each -> each).toArray());
    }
  }

  /** An operation on an id. */
  private interface Operation {
    void on(Table table, byte[] id) throws IOException;
  }

  private PacedClients() {}

  /** Starts them, on ids from 0 to a number, exclusive. */
  static PacedClients start(Connection connection, TableName name, long ids) {
    PacedClients clients = new PacedClients();
    byte[] value = new byte[StoredIds.VALUE_BYTES];
    for (int i = 0; i < OF_EACH_KIND; i++) {
      clients.add(connection, name, ids, true, (table, id) -> table.get(new Get(id)));
      clients.add(
          connection,
          name,
          ids,
          false,
          (table, id) ->
              table.put(
                  new Put(id).addColumn(ChangingTable.FAMILY, ChangingTable.QUALIFIER, value)));
    }
    return clients;
  }

  private void add(
      Connection connection, TableName name, long ids, boolean isGet, Operation operation) {
    all.add(
        threads.submit(
            () -> {
              try (Table table = SaltedTable.open(connection, name)) {
                long due = System.nanoTime();
                while (!isOver) {
                  TimeUnit.NANOSECONDS.sleep(due - System.nanoTime());
                  byte[] id = ChangingTable.id(ThreadLocalRandom.current().nextLong(ids));
                  operation.on(table, id);
                  Times current = times;
                  if (current != null) {
                    current.add(isGet, (System.nanoTime() - due) / 1e6);
                  }
                  due += GAP_NANOS;
                }
              }
              return null;
            }));
  }

  /** Measures for some time. */
  Times measure(long seconds) throws InterruptedException, ExecutionException {
    Times measured = new Times();
    times = measured;
    TimeUnit.SECONDS.sleep(seconds);
    times = null;
    for (Future<?> each : all) {
      if (each.isDone()) {
        each.get(); // throws why it has ended
      }
    }
    return measured;
  }

  @Override
  public void close() {
    isOver = true;
    threads.shutdownNow();
  }
}
