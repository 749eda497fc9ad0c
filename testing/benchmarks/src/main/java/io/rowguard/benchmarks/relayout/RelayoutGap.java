package io.rowguard.benchmarks.relayout;

import io.rowguard.benchmarks.Benchmark;
import io.rowguard.benchmarks.BenchmarkCluster;
import io.rowguard.benchmarks.MarkdownTable;
import io.rowguard.client.SaltedTable;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;

/**
 * How long a key cannot be written while its table's regions reopen for the steps of a change, in a
 * table of 64 regions: a writer and a reader per region, one key each. The measure beside it is how
 * long the same key could not be read, which is its region's reopening, and what a plain alter of
 * the table does to writers.
 */
public final class RelayoutGap implements Benchmark {
  private static final int SERVERS = 2;
  private static final int KEYS = ChangingTable.BUCKETS_AFTER;
  private static final int ROUNDS = 5;

  /** Made by name. */
  public RelayoutGap() {}

  @Override
  public void run(PrintStream out) throws Exception {
    MarkdownTable report =
        new MarkdownTable(
            "step",
            "longest put of a key: median, ms",
            "worst, ms",
            "longest Get of a key: median, ms",
            "worst, ms");
    for (int round = 1; round <= ROUNDS; round++) {
      try (BenchmarkCluster cluster = BenchmarkCluster.ofServers(SERVERS)) {
        Connection connection = cluster.connection();
        ChangingTable table = ChangingTable.create(connection, "gap", ChangingTable.BUCKETS_BEFORE);
        List<byte[]> ids = oneOfEachRegion();
        try (Traffic traffic = new Traffic(connection, table, ids)) {
          traffic.during(report, round + ": prepared", table::prepare);
          traffic.during(report, round + ": moving", table::move);
          table.touch(ids, table.version() - 1);
          traffic.during(report, round + ": finish", table::finish);
        }
      }
    }
    report.print(out);
  }

  /** An id of each new bucket. */
  private static List<byte[]> oneOfEachRegion() {
    byte[][] ids = new byte[KEYS][];
    int found = 0;
    for (long number = 0; found < KEYS; number++) {
      byte[] id = ChangingTable.id(number);
      byte[] row = ChangingTable.layout(ChangingTable.BUCKETS_AFTER).complete(id);
      int bucket = (row[0] - '0') * 10 + row[1] - '0';
      if (ids[bucket] == null) {
        ids[bucket] = id;
        found++;
      }
    }
    return List.of(ids);
  }

  private interface Step {
    void take() throws IOException;
  }

  /** Puts and Gets of all keys, without a pause. */
  private static final class Traffic implements AutoCloseable {
    private final ExecutorService threads = Executors.newFixedThreadPool(2 * KEYS);
    private final AtomicBoolean over = new AtomicBoolean();
    private final AtomicIntegerArray longestPut = new AtomicIntegerArray(KEYS);
    private final AtomicIntegerArray longestGet = new AtomicIntegerArray(KEYS);
    private final List<Future<?>> all = new ArrayList<>();

    Traffic(Connection connection, ChangingTable table, List<byte[]> ids) {
      for (int i = 0; i < KEYS; i++) {
        int key = i;
        byte[] id = ids.get(i);
        all.add(
            threads.submit(
                () -> {
                  try (SaltedTable salted = SaltedTable.open(connection, table.name())) {
                    while (!over.get()) {
                      long began = System.nanoTime();
                      salted.put(
                          new Put(id).addColumn(ChangingTable.FAMILY, ChangingTable.QUALIFIER, id));
                      took(longestPut, key, began);
                    }
                  }
                  return null;
                }));
        all.add(
            threads.submit(
                () -> {
                  try (SaltedTable salted = SaltedTable.open(connection, table.name())) {
                    while (!over.get()) {
                      long began = System.nanoTime();
                      salted.get(new Get(id));
                      took(longestGet, key, began);
                      Thread.sleep(1);
                    }
                  }
                  return null;
                }));
      }
    }

    private static void took(AtomicIntegerArray longest, int key, long began) {
      int millis = (int) ((System.nanoTime() - began) / 1_000_000);
      longest.accumulateAndGet(key, millis, Math::max);
    }

    void during(MarkdownTable report, String name, Step step) throws Exception {
      Thread.sleep(2_000);
      for (int i = 0; i < KEYS; i++) {
        longestPut.set(i, 0);
        longestGet.set(i, 0);
      }
      step.take();
      Thread.sleep(2_000);
      int[] puts = sorted(longestPut);
      int[] gets = sorted(longestGet);
      report.add(
          List.of(
              name,
              text(puts[KEYS / 2]),
              text(puts[KEYS - 1]),
              text(gets[KEYS / 2]),
              text(gets[KEYS - 1])));
    }

    private static int[] sorted(AtomicIntegerArray millis) {
      int[] all = new int[KEYS];
      for (int i = 0; i < KEYS; i++) {
        all[i] = millis.get(i);
      }
      Arrays.sort(all);
      return all;
    }

    private static String text(int millis) {
      return String.format(Locale.ROOT, "%,d", millis);
    }

    @Override
    public void close() throws ExecutionException {
      over.set(true);
      try {
        for (Future<?> each : all) {
          each.get();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("interrupted", e);
      } finally {
        threads.shutdownNow();
      }
    }
  }
}
