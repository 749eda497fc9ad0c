package io.rowguard.client;

import io.rowguard.checker.Operation;
import io.rowguard.client.LiveTable.Kind;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.hbase.client.Table;
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

  LiveClient(LiveTraffic traffic, long seed) {
    this.traffic = traffic;
    this.random = new Random(seed);
  }

  /** A call whose error says something about what became of an operation. */
  interface Call {
    /** Sends, and writes the answer into the operation. */
    void run() throws IOException, InterruptedException;
  }

  boolean oneIn(int n) {
    return random.nextInt(n) == 0;
  }

  /** A hot key, some more often than others. */
  String key() {
    int bound = oneIn(2) ? HOT.size() : HOT.size() / 5;
    return HOT.get(random.nextInt(bound));
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

  static byte[] bytes(String text) {
    return Bytes.toBytes(text);
  }

  /**
   * Carries out a mutation: sends it until it is answered, or has failed in a way that leaves open
   * whether it was carried out.
   *
   * @param forwards whether a server may send it on
   */
  void mutate(String key, Operation operation, Table table, boolean forwards, Call call)
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
      if (!goesOn(key, operation, table, tries)) {
        return;
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

  /** Writes down what must not be seen by the user of a SaltedTable. */
  void failed(String key, Operation operation, Failure failure, Throwable e) {
    Throwable root = root(e);
    String words = ("" + root.getMessage()).replaceAll("[0-9a-f]{2,}|\\d", "#");
    int end = Math.min(words.length(), 90);
    traffic.note(failure + " " + root.getClass().getSimpleName() + ": " + words.substring(0, end));
    if (failure == Failure.REFUSED && this instanceof SaltedClient) {
      traffic.histories().wrong(operation + " of " + key + " was refused: " + e);
    }
  }

  /** Whether something that failed without doing anything is to be sent again, after a pause. */
  boolean goesOn(String key, Operation operation, Table table, int tries)
      throws IOException, InterruptedException {
    if (traffic.isOver()) {
      return false;
    }
    if (System.nanoTime() - operation.start() > PATIENCE_NANOS) {
      throw new AssertionError("Nothing takes " + operation + " of " + key);
    }
    if (tries % 8 == 0) {
      table.getRegionLocator().clearRegionLocationCache();
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
