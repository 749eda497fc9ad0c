package io.rowguard.benchmarks.relayout;

import io.rowguard.benchmarks.Benchmark;
import io.rowguard.benchmarks.BenchmarkCluster;
import io.rowguard.benchmarks.MarkdownTable;
import io.rowguard.client.SaltedTable;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;

/**
 * How long a key cannot be written while its table's regions reopen for the steps of a change, in a
 * table of 64 regions: a writer and a reader per region, one key each. The measure beside it is an
 * alter of something else, which reopens all regions too.
 */
public final class RelayoutGap implements Benchmark {
  private static final int SERVERS = 2;
  private static final int KEYS = ChangingTable.BUCKETS_AFTER;
  private static final int ROUNDS = 5;

  /** Made by name. */
  public RelayoutGap() {}

  @Override
  public void run(PrintStream out) throws Exception {
    Map<Step, Blocks> blocks = new EnumMap<>(Step.class);
    for (int round = 0; round <= ROUNDS; round++) {
      try (BenchmarkCluster cluster = BenchmarkCluster.ofServers(SERVERS)) {
        Connection connection = cluster.connection();
        ChangingTable table =
            ChangingTable.create(
                connection, "gap", ChangingTable.BUCKETS_BEFORE, DataBlockEncoding.NONE);
        List<byte[]> ids = oneOfEachRegion();
        try (Traffic traffic = new Traffic(connection, table, ids)) {
          for (Step step : Step.values()) {
            if (step == Step.FINISH) {
              table.touch(ids, table.version() - 1);
            }
            Blocks measured = new Blocks();
            traffic.during(step, table, measured);
            if (round > 0) { // the first is to warm up
              blocks.computeIfAbsent(step, each -> new Blocks()).add(measured);
            }
          }
        }
      }
    }
    MarkdownTable report =
        new MarkdownTable(
            "step",
            "longest put of a key: median, ms",
            "worst, ms",
            "longest Get of a key: median, ms",
            "worst, ms");
    blocks.forEach(
        (step, of) ->
            report.add(
                List.of(
                    step.words,
                    text(of.puts, KEYS * ROUNDS / 2),
                    text(of.puts, KEYS * ROUNDS - 1),
                    text(of.gets, KEYS * ROUNDS / 2),
                    text(of.gets, KEYS * ROUNDS - 1))));
    report.print(out);
  }

  private static String text(List<Integer> millis, int place) {
    return String.format(
        Locale.ROOT, "%,d", millis.stream().sorted().skip(place).findFirst().get());
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

  /** The alters of the table; each reopens all regions. */
  private enum Step {
    OTHER("an alter of something else"),
    PREPARED("prepared"),
    MOVING("moving"),
    FINISH("finish");

    private final String words;

    Step(String words) {
      this.words = words;
    }

    void take(ChangingTable table) throws IOException {
      switch (this) {
        case OTHER:
          table.comment();
          break;
        case PREPARED:
          table.prepare();
          break;
        case MOVING:
          table.move();
          break;
        default:
          table.finish();
          break;
      }
    }
  }

  /** The longest of each key and round, in milliseconds. */
  private static final class Blocks {
    private final List<Integer> puts = new ArrayList<>();
    private final List<Integer> gets = new ArrayList<>();

    void add(Blocks others) {
      puts.addAll(others.puts);
      gets.addAll(others.gets);
    }
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

    void during(Step step, ChangingTable table, Blocks blocks) throws Exception {
      Thread.sleep(2_000);
      for (int i = 0; i < KEYS; i++) {
        longestPut.set(i, 0);
        longestGet.set(i, 0);
      }
      step.take(table);
      Thread.sleep(2_000);
      for (int i = 0; i < KEYS; i++) {
        blocks.puts.add(longestPut.get(i));
        blocks.gets.add(longestGet.get(i));
      }
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
