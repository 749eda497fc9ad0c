package io.rowguard.demo;

import io.rowguard.client.SaltedTable;
import io.rowguard.workload.ServerMessage;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A writer and a reader that never stop until they are told to: the writer puts numbers into random
 * rows, by bare keys and without knowing of salts; the reader gets and scans random rows through
 * {@link SaltedTable}, and compares with what was written.
 */
final class PlacesTraffic {
  private static final int ROWS_OF_A_SCAN = 10;
  private static final int GETS_PER_SCAN = 50;

  private final Connection connection;
  private final TableName name;
  private final List<byte[]> keys;
  // By the place of the key: the number of the last put that was begun, and of that which was
  // taken.
  private final AtomicLongArray tried;
  private final AtomicLongArray taken;
  private final AtomicLong writes = new AtomicLong();
  private final AtomicLong reads = new AtomicLong();
  private final AtomicLong longestWriteMillis = new AtomicLong();
  private final AtomicReference<String> refusal = new AtomicReference<>();
  private final AtomicReference<String> mistake = new AtomicReference<>();
  private final Thread writer = new Thread(this::write, "demo-writer");
  private final Thread reader = new Thread(this::read, "demo-reader");
  private volatile boolean isOver;

  private PlacesTraffic(Connection connection, TableName name, List<byte[]> keys) {
    this.connection = connection;
    this.name = name;
    this.keys = keys;
    this.tried = new AtomicLongArray(keys.size());
    this.taken = new AtomicLongArray(keys.size());
  }

  /**
   * Starts both.
   *
   * @param keys the bare keys of all rows, in byte order
   */
  static PlacesTraffic start(Connection connection, TableName name, List<byte[]> keys) {
    PlacesTraffic traffic = new PlacesTraffic(connection, name, keys);
    traffic.writer.setDaemon(true);
    traffic.reader.setDaemon(true);
    traffic.writer.start();
    traffic.reader.start();
    return traffic;
  }

  private void write() {
    SplittableRandom random = new SplittableRandom(1);
    try (Table table = connection.getTable(name)) {
      for (long number = 1; !isOver; number++) {
        int place = random.nextInt(keys.size());
        tried.set(place, number);
        long began = System.nanoTime();
        table.put(SaltedPlaces.seen(keys.get(place), number));
        long millis = (System.nanoTime() - began) / 1_000_000;
        longestWriteMillis.accumulateAndGet(millis, Math::max);
        taken.set(place, number);
        writes.incrementAndGet();
      }
    } catch (IOException | RuntimeException e) {
      refusal.set(ServerMessage.of(e));
    }
  }

  private void read() {
    SplittableRandom random = new SplittableRandom(2);
    try (Table table = SaltedTable.open(connection, name)) {
      for (long number = 1; !isOver && mistake.get() == null; number++) {
        int place = random.nextInt(keys.size());
        if (number % GETS_PER_SCAN == 0) {
          scan(table, place);
        } else {
          get(table, place);
        }
        reads.incrementAndGet();
      }
    } catch (IOException | RuntimeException e) {
      mistake.set(ServerMessage.of(e));
    }
  }

  private void get(Table table, int place) throws IOException {
    long least = taken.get(place);
    check(place, least, table.get(new Get(keys.get(place))));
  }

  /** The rows from a key on: these, in this order, and no other. */
  private void scan(Table table, int from) throws IOException {
    int to = Math.min(keys.size(), from + ROWS_OF_A_SCAN);
    long[] least = new long[to - from];
    for (int place = from; place < to; place++) {
      least[place - from] = taken.get(place);
    }
    Scan scan = new Scan().withStartRow(keys.get(from)).setLimit(least.length);
    try (ResultScanner scanner = table.getScanner(scan)) {
      for (int place = from; place < to; place++) {
        Result result = scanner.next();
        check(place, least[place - from], result == null ? Result.EMPTY_RESULT : result);
      }
    }
  }

  /** Whether a row is as it may be: written once at least, and not before it was. */
  private void check(int place, long least, Result result) {
    byte[] key = keys.get(place);
    boolean isRight =
        Arrays.equals(key, result.getRow())
            && Arrays.equals(Places.document(key), Places.document(result))
            && ReadPlaces.seen(result) >= least
            && ReadPlaces.seen(result) <= tried.get(place);
    if (!isRight) {
      mistake.compareAndSet(
          null, Bytes.toStringBinary(key) + " after write " + least + " was read as " + result);
    }
  }

  long writes() {
    return writes.get();
  }

  long reads() {
    return reads.get();
  }

  /** The longest that one write took. */
  long longestWriteMillis() {
    return longestWriteMillis.get();
  }

  /** Why a write failed for good; null when none did. */
  String refusal() {
    return refusal.get();
  }

  /** The wrong reading; null for none. */
  String mistake() {
    return mistake.get();
  }

  /** Whether a scan of the table, after the end, has found the last write of each row. */
  boolean isLastWritten(ReadPlaces read) {
    return read.seen().size() == keys.size()
        && IntStream.range(0, keys.size()).allMatch(i -> read.seen().get(i) == taken.get(i));
  }

  /** Ends both, when what they do at the moment is done. */
  void stop() throws InterruptedException {
    isOver = true;
    writer.join();
    reader.join();
  }
}
