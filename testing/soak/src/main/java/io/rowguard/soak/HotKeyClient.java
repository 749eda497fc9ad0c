package io.rowguard.soak;

import io.rowguard.checker.Operation;
import io.rowguard.checker.RowState;
import io.rowguard.checker.RowState.Column;
import io.rowguard.soak.SoakTable.Kind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A client of a table's hot keys: mutations of all sorts, alone and in batches, and gets. Each
 * mutation is sent once, so that its answer says what became of it. For one thread.
 */
final class HotKeyClient {
  private static final AtomicLong NUMBERS = new AtomicLong();
  private static final int ACTIONS_OF_BATCH = 4;

  private final SoakTable table;
  private final Table exact;
  private final Table patient;
  private final Retries retries;
  private final Random random;
  private final List<String> keys;
  private String last = "none";

  /** Sends an operation and notes its answer. */
  private interface Call {
    void run() throws IOException;
  }

  /**
   * A client.
   *
   * @param exact of a connection that sends once
   * @param patient of a connection that tries again, for reads
   */
  HotKeyClient(SoakTable table, Table exact, Table patient, Retries retries, long seed) {
    this.table = table;
    this.exact = exact;
    this.patient = patient;
    this.retries = retries;
    this.random = new Random(seed);
    this.keys = new ArrayList<>(table.hot().keySet());
  }

  /** One operation. */
  void next() throws IOException, InterruptedException {
    String key = keys.get(random.nextInt(keys.size()));
    byte[] row = Bytes.toBytes(key);
    // In salt mode servers send puts and deletes on, and refuse what reads before it writes.
    int kinds = table.kind() == Kind.BARE ? 8 : 15;
    switch (random.nextInt(kinds)) {
      case 0, 1, 2 -> get(key, row);
      case 3, 4, 5 -> put(key, row);
      case 6 -> delete(key, row);
      case 7 -> batch();
      case 8, 9 -> putIf(key, row);
      case 10, 11 -> increment(key, row);
      case 12 -> append(key, row);
      default -> several(key, row);
    }
    TimeUnit.MILLISECONDS.sleep(random.nextInt(20));
  }

  private void get(String key, byte[] row) throws IOException, InterruptedException {
    retries.send(
        "get of " + table.name() + " " + key,
        () -> {
          Operation operation = Operation.read("get").startedAt(System.nanoTime());
          RowState seen = RowState.of(patient.get(new Get(row)).getNoVersionMap());
          table.add(key, operation.saw(seen).endedAt(System.nanoTime()));
          if (seen.get(Column.C1) != null) {
            last = seen.get(Column.C1);
          }
        });
  }

  private void put(String key, byte[] row) throws IOException, InterruptedException {
    String value = value();
    Operation operation = Operation.mutation("put").put(Column.C1, value);
    send(key, operation, () -> exact.put(put(row, value)));
  }

  private void delete(String key, byte[] row) throws IOException, InterruptedException {
    send(key, Operation.mutation("delete").clearRow(), () -> exact.delete(new Delete(row)));
  }

  private void append(String key, byte[] row) throws IOException, InterruptedException {
    String value = "," + value();
    Operation operation = Operation.mutation("append").append(Column.S, value);
    Append append =
        new Append(row).addColumn(Column.S.family(), Column.S.qualifier(), Bytes.toBytes(value));
    send(
        key,
        operation,
        () -> {
          byte[] all = exact.append(append).getValue(Column.S.family(), Column.S.qualifier());
          operation.answered(Column.S, RowState.text(Column.S, all));
        });
  }

  /** Several mutations of the row, all or none. */
  private void several(String key, byte[] row) throws IOException, InterruptedException {
    String value = value();
    Operation operation = Operation.mutation("several").put(Column.C1, value);
    Mutation second;
    if (random.nextBoolean()) {
      operation.put(Column.C2, value);
      second =
          new Put(row).addColumn(Column.C2.family(), Column.C2.qualifier(), Bytes.toBytes(value));
    } else {
      operation.clear(Column.C2);
      second = new Delete(row).addColumns(Column.C2.family(), Column.C2.qualifier());
    }
    RowMutations mutations = RowMutations.of(List.of(put(row, value), second));
    send(key, operation, () -> exact.mutateRow(mutations));
  }

  private void putIf(String key, byte[] row) throws IOException, InterruptedException {
    String value = value();
    String expected = last;
    Operation operation =
        Operation.mutation("check").onlyIf(Column.C1, expected).put(Column.C1, value);
    CheckAndMutate check =
        CheckAndMutate.newBuilder(row)
            .ifEquals(Column.C1.family(), Column.C1.qualifier(), Bytes.toBytes(expected))
            .build(put(row, value));
    send(key, operation, () -> operation.wasDone(exact.checkAndMutate(check).isSuccess()));
  }

  private void increment(String key, byte[] row) throws IOException, InterruptedException {
    Operation operation = Operation.mutation("increment").add(Column.N, 1);
    Increment increment = new Increment(row).addColumn(Column.N.family(), Column.N.qualifier(), 1);
    send(
        key,
        operation,
        () -> {
          byte[] sum = exact.increment(increment).getValue(Column.N.family(), Column.N.qualifier());
          operation.answered(Column.N, RowState.text(Column.N, sum));
        });
  }

  private void send(String key, Operation operation, Call call)
      throws IOException, InterruptedException {
    operation.startedAt(System.nanoTime());
    try {
      call.run();
    } catch (IOException e) {
      failed(key, operation, e);
      rest();
      return;
    }
    table.add(key, operation.endedAt(endOfMillisecond()));
  }

  /** Puts, deletes and gets of different keys at once, of which each has its answer. */
  void batch() throws IOException, InterruptedException {
    List<String> some = new ArrayList<>(keys);
    Collections.shuffle(some, random);
    List<Row> actions = new ArrayList<>();
    List<Operation> operations = new ArrayList<>();
    for (String key : some.subList(0, ACTIONS_OF_BATCH)) {
      byte[] row = Bytes.toBytes(key);
      String value = value();
      switch (random.nextInt(4)) {
        case 0 -> {
          actions.add(new Get(row));
          operations.add(Operation.read("get in a batch"));
        }
        case 1 -> {
          actions.add(new Delete(row));
          operations.add(Operation.mutation("delete in a batch").clearRow());
        }
        default -> {
          actions.add(put(row, value));
          operations.add(Operation.mutation("put in a batch").put(Column.C1, value));
        }
      }
    }
    long start = System.nanoTime();
    operations.forEach(operation -> operation.startedAt(start));
    Object[] filled = new Object[ACTIONS_OF_BATCH];
    IOException error = null;
    try {
      exact.batch(actions, filled);
    } catch (IOException e) {
      error = e;
    }
    // HBase 2 may fill it for a while after its time is over.
    Object[] answers = filled.clone();
    long end = endOfMillisecond();
    for (int i = 0; i < answers.length; i++) {
      Operation operation = operations.get(i);
      if (answers[i] instanceof Result result) {
        if (operation.isObservation()) {
          operation.saw(RowState.of(result.getNoVersionMap()));
        }
        table.add(some.get(i), operation.endedAt(end));
      } else if (error == null) {
        throw new IOException("A batch of " + table.name() + " ended without " + operation);
      } else if (!operation.isObservation()) {
        // The error of the batch is another action's, and says nothing of one without an answer.
        failed(
            some.get(i),
            operation,
            answers[i] instanceof Throwable e ? e : new IOException("No answer. " + error));
      }
    }
    if (error != null) {
      rest();
    }
  }

  /** Notes a mutation without an answer, unless its error says that nothing was done. */
  private void failed(String key, Operation operation, Throwable e) throws IOException {
    WriteOutcome outcome = WriteOutcome.of(e, table.kind() == Kind.BARE);
    if (outcome == WriteOutcome.REFUSED) {
      throw new IOException("A row of " + table.name() + " was refused: " + operation, e);
    }
    if (outcome == WriteOutcome.UNKNOWN) {
      table.add(key, operation);
    }
  }

  /** Waits for a moment, and finds regions anew. */
  private void rest() throws IOException, InterruptedException {
    exact.getRegionLocator().clearRegionLocationCache();
    TimeUnit.MILLISECONDS.sleep(200);
  }

  /** HBase orders by milliseconds, so an operation ends with the one in which it was answered. */
  private static long endOfMillisecond() {
    long now = System.currentTimeMillis();
    while (System.currentTimeMillis() == now) {
      LockSupport.parkNanos(100_000);
    }
    return System.nanoTime();
  }

  private static String value() {
    return "v" + NUMBERS.incrementAndGet();
  }

  private static Put put(byte[] row, String value) {
    return new Put(row).addColumn(Column.C1.family(), Column.C1.qualifier(), Bytes.toBytes(value));
  }
}
