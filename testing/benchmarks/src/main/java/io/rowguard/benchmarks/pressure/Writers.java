package io.rowguard.benchmarks.pressure;

import io.rowguard.layout.RowkeyLayout;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.RetriesExhaustedException;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Threads that write batches of rows with new ids from anywhere, and a ledger of what was
 * acknowledged.
 */
final class Writers implements AutoCloseable {
  private static final byte[] FAMILY = {'f'};
  private static final byte[] QUALIFIER = {'q'};
  private static final int VALUE_BYTES = 1_000;
  private static final int ROWS_OF_A_BATCH = 200;
  private static final int SCAN_CACHING = 10_000;

  private static final int PATIENT_RETRIES = 60;
  private static final int PATIENT_MILLIS = 600_000;

  private final Connection connection;
  private final TableName name;
  private final RowkeyLayout layout;
  private final boolean bare;
  private final byte[] value = new byte[VALUE_BYTES];
  private final List<Thread> threads = new ArrayList<>();
  private final Set<Long> sent = ConcurrentHashMap.newKeySet();
  private final Set<Long> acknowledged = ConcurrentHashMap.newKeySet();
  private final LongAdder failed = new LongAdder();
  private final AtomicLong longest = new AtomicLong();
  private volatile boolean over;

  /**
   * @param bare whether keys are written without their salt
   */
  Writers(Connection connection, TableName name, RowkeyLayout layout, boolean bare, int count) {
    this.connection = connection;
    this.name = name;
    this.layout = layout;
    this.bare = bare;
    new Random(1).nextBytes(value);
    for (int i = 0; i < count; i++) {
      Random random = new Random(i + 2);
      Thread thread = new Thread(() -> write(random), "writer-" + i);
      thread.setDaemon(true);
      threads.add(thread);
      thread.start();
    }
  }

  private void write(Random random) {
    try (Table table = connection.getTable(name)) {
      while (!over) {
        long[] ids = random.longs(ROWS_OF_A_BATCH, 0, 10_000_000_000L).distinct().toArray();
        List<Put> puts = new ArrayList<>(ids.length);
        for (long id : ids) {
          sent.add(id);
          puts.add(new Put(bare ? key(id) : salted(id)).addColumn(FAMILY, QUALIFIER, value));
        }
        Object[] results = new Object[ids.length];
        long began = System.nanoTime();
        try {
          table.batch(puts, results);
        } catch (RetriesExhaustedException e) {
          failed.add(Arrays.stream(results).filter(each -> !(each instanceof Result)).count());
        }
        longest.accumulateAndGet(System.nanoTime() - began, Math::max);
        for (int i = 0; i < ids.length; i++) {
          if (results[i] instanceof Result) {
            acknowledged.add(ids[i]);
          }
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the soak ends
    } catch (IOException e) {
      throw new IllegalStateException("a writer gave up", e);
    }
  }

  private static byte[] key(long id) {
    return Bytes.toBytes(String.format(Locale.ROOT, "%010d", id));
  }

  private byte[] salted(long id) {
    return layout.complete(key(id));
  }

  /** How many rows have been acknowledged. */
  long count() {
    return acknowledged.size();
  }

  /** How many rows clients have given up. */
  long failed() {
    return failed.sum();
  }

  /** The longest that a batch took since this was last asked, in seconds. */
  double longestSeconds() {
    return longest.getAndSet(0) / 1e9;
  }

  /** Whether some writer has ended before it should. */
  boolean isOneGone() {
    return !over && threads.stream().anyMatch(thread -> !thread.isAlive());
  }

  /** Ends all writers, after the batches that they are at. */
  @Override
  public void close() {
    over = true;
    try {
      for (Thread thread : threads) {
        thread.join(TimeUnit.MINUTES.toMillis(5));
        if (thread.isAlive()) {
          throw new IllegalStateException(thread + " does not end");
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The mistakes of the table, in words; empty when all is well. */
  List<String> wrongs() throws IOException {
    TreeSet<byte[]> missing = new TreeSet<>(Bytes.BYTES_COMPARATOR);
    acknowledged.forEach(id -> missing.add(salted(id)));
    ConcurrentSkipListSet<byte[]> wanted = new ConcurrentSkipListSet<>(Bytes.BYTES_COMPARATOR);
    sent.forEach(id -> wanted.add(salted(id)));
    long strange = 0;
    String example = "";
    Scan scan = new Scan().setCaching(SCAN_CACHING).setFilter(new FirstKeyOnlyFilter());
    try (Connection patient = ConnectionFactory.createConnection(patient());
        Table table = patient.getTable(name);
        ResultScanner scanner = table.getScanner(scan)) {
      for (Result result : scanner) {
        missing.remove(result.getRow());
        if (!wanted.remove(result.getRow())) {
          strange++;
          example = Bytes.toStringBinary(result.getRow());
        }
      }
    }
    List<String> wrongs = new ArrayList<>();
    if (!missing.isEmpty()) {
      wrongs.add(missing.size() + " lost, such as " + Bytes.toStringBinary(missing.first()));
    }
    if (strange > 0) {
      wrongs.add(strange + " rows that were not written so, such as " + example);
    }
    return wrongs;
  }

  /**
   * A server may still die, of a pause of the machine say; its regions are to be read all the same.
   */
  private Configuration patient() {
    Configuration conf = new Configuration(connection.getConfiguration());
    conf.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, PATIENT_RETRIES);
    conf.setInt(HConstants.HBASE_CLIENT_SCANNER_TIMEOUT_PERIOD, PATIENT_MILLIS);
    return conf;
  }
}
