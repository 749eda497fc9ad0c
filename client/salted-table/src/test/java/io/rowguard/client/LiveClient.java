package io.rowguard.client;

import io.rowguard.checker.Operation;
import io.rowguard.checker.RowState;
import io.rowguard.checker.RowState.Column;
import io.rowguard.client.LiveTable.Kind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Common part of all clients of {@link LiveTraffic}: they choose keys, send, and write down what
 * came of it. For one thread.
 */
abstract class LiveClient {
  private static final List<String> HOT = LiveTable.hot();
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(100);

  final LiveTraffic traffic;
  final Random random;
  private final Runnable forgetLocations;

  /**
   * @param forgetLocations where regions are, as far as what sends once knows
   */
  LiveClient(LiveTraffic traffic, long seed, Runnable forgetLocations) {
    this.traffic = traffic;
    this.random = new Random(seed);
    this.forgetLocations = forgetLocations;
  }

  /** A call whose error says something about what became of an operation. */
  interface Call {
    /** Sends, and writes the answer into the operation. */
    void run() throws IOException, InterruptedException;
  }

  /** Sends actions once; gives for each its answer or its error. */
  interface BatchCall {
    Object[] send(List<Row> actions) throws IOException, InterruptedException;
  }

  boolean oneIn(int n) {
    return random.nextInt(n) == 0;
  }

  /** A hot key, some more often than others. */
  String key() {
    int bound = oneIn(2) ? HOT.size() : HOT.size() / 5;
    return HOT.get(random.nextInt(bound));
  }

  /** Some hot keys. */
  Set<String> keys() {
    Set<String> keys = new TreeSet<>();
    for (int i = 0; i < 6; i++) {
      keys.add(key());
    }
    return keys;
  }

  String key(Kind kind) {
    String key = key();
    while (LiveTable.kindOf(key) != kind) {
      key = key();
    }
    return key;
  }

  /** One that no other operation writes. */
  String value() {
    return (char) ('a' + random.nextInt(26)) + "-" + traffic.number();
  }

  /** A put, which the operation has then. */
  Put put(String key, Operation operation) {
    Put put = new Put(bytes(key));
    List<Column> columns = List.of(Column.C1, Column.C2);
    for (Column column : oneIn(3) ? columns : List.of(columns.get(random.nextInt(2)))) {
      String value = value();
      operation.put(column, value);
      put.addColumn(column.family(), column.qualifier(), bytes(value));
    }
    return put;
  }

  /** Whether servers may send a write on. */
  boolean forwards() {
    return traffic.table().forwards();
  }

  static byte[] bytes(String text) {
    return Bytes.toBytes(text);
  }

  /**
   * Carries out a mutation: sends it until it is answered, or has failed in a way that leaves open
   * whether it was carried out.
   *
   * @param forwards whether a server may send it on
   */
  void mutate(String key, Operation operation, boolean forwards, Call call)
      throws IOException, InterruptedException {
    long start = System.nanoTime();
    operation.startedAt(start);
    for (int tries = 1; ; tries++) {
      try {
        call.run();
        long end = endOfMillisecond();
        traffic.histories().of(key).add(operation.endedAt(end));
        traffic.count(operation.name(), end - start);
        return;
      } catch (IOException e) {
        Failure failure = Failure.of(e, forwards);
        failed(key, operation, failure, e);
        if (failure == Failure.UNKNOWN) {
          traffic.histories().of(key).add(operation);
          return;
        }
      }
      if (!goesOn(key, operation, tries)) {
        return;
      }
    }
  }

  /** Carries out operations on different keys; what was not done is sent again. */
  void batch(
      String name, Map<String, Operation> operations, Map<String, Row> actions, BatchCall call)
      throws IOException, InterruptedException {
    long start = System.nanoTime();
    operations.values().forEach(operation -> operation.startedAt(start));
    for (int tries = 1; !actions.isEmpty(); tries++) {
      List<String> keys = new ArrayList<>(actions.keySet());
      Object[] results = call.send(new ArrayList<>(actions.values()));
      for (int i = 0; i < results.length; i++) {
        if (isOver(keys.get(i), operations.get(keys.get(i)), results[i])) {
          actions.remove(keys.get(i));
        }
      }
      if (!actions.isEmpty()) {
        String key = actions.keySet().iterator().next();
        if (!goesOn(key, operations.get(key), tries)) {
          return;
        }
      }
    }
    traffic.count(name, System.nanoTime() - start);
  }

  /** Whether the result of one action ends it, as its history says then. */
  private boolean isOver(String key, Operation operation, Object result) {
    long end = endOfMillisecond();
    if (result instanceof Throwable error) {
      Failure failure = Failure.of(error, forwards());
      failed(key, operation, failure, error);
      if (failure != Failure.UNKNOWN) {
        return false;
      }
      if (!operation.isObservation()) {
        traffic.histories().of(key).add(operation);
      }
      return true;
    }
    if (result instanceof CheckAndMutateResult check) {
      operation.wasDone(check.isSuccess());
      if (check.isSuccess() && check.getResult() != null) {
        answered(operation, check.getResult());
      }
    } else if (operation.isObservation()) {
      operation.saw(RowState.of(((Result) result).getNoVersionMap()));
    } else if (result instanceof Result answer) {
      answered(operation, answer);
    } else {
      throw new AssertionError("Neither result nor error of " + operation + ": " + result);
    }
    traffic.histories().of(key).add(operation.endedAt(end));
    return true;
  }

  /** Writes the values of counters and appended texts into the operation. */
  static void answered(Operation operation, Result result) {
    for (Column column : operation.written()) {
      byte[] value = result.getValue(column.family(), column.qualifier());
      if (value != null && (column == Column.N || column == Column.S)) {
        operation.answered(column, RowState.text(column, value));
      }
    }
  }

  /**
   * When a mutation is over, as {@link System#nanoTime} has it: not before its millisecond is,
   * since HBase hides what is put after a delete, but in the same one.
   */
  static long endOfMillisecond() {
    long now = System.currentTimeMillis();
    while (System.currentTimeMillis() == now) {
      LockSupport.parkNanos(100_000);
    }
    return System.nanoTime();
  }

  /** Writes down what only a client that computes salted rows may be told. */
  void failed(String key, Operation operation, Failure failure, Throwable e) {
    Throwable root = root(e);
    String words = ("" + root.getMessage()).replaceAll("[0-9a-f]{2,}|\\d", "#");
    int end = Math.min(words.length(), 90);
    traffic.note(failure + " " + root.getClass().getSimpleName() + ": " + words.substring(0, end));
    if (failure == Failure.REFUSED && !(this instanceof RawClient)) {
      traffic.histories().wrong(operation + " of " + key + " was refused: " + e);
    }
  }

  /** Whether something that failed without doing anything is to be sent again, after a pause. */
  boolean goesOn(String key, Operation operation, int tries)
      throws IOException, InterruptedException {
    if (traffic.isOver()) {
      return false;
    }
    if (System.nanoTime() - operation.start() > PATIENCE_NANOS) {
      throw new AssertionError("Nothing takes " + operation + " of " + key);
    }
    if (tries % 8 == 0) {
      forgetLocations.run();
    }
    TimeUnit.MILLISECONDS.sleep(Math.min(10 * tries, 100));
    return true;
  }

  /** Carries out a read, through a connection that tries again by itself. */
  void read(String key, Operation operation, Call call) throws IOException, InterruptedException {
    long start = System.nanoTime();
    operation.startedAt(start);
    call.run();
    long end = System.nanoTime();
    traffic.histories().of(key).add(operation.endedAt(end));
    traffic.count(operation.name(), end - start);
  }

  static Throwable root(Throwable error) {
    Throwable root = error;
    while (root.getCause() != null && root.getCause() != root) {
      root = root.getCause();
    }
    return root;
  }
}
