package io.rowguard.benchmarks.relayout;

import io.rowguard.benchmarks.Benchmark;
import io.rowguard.benchmarks.BenchmarkCluster;
import io.rowguard.benchmarks.MarkdownTable;
import io.rowguard.benchmarks.Quantiles;
import io.rowguard.client.SaltedTable;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.ToDoubleFunction;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.regionserver.HRegion;

/**
 * The loss of a table's clients while it goes from 16 to 64 buckets, against one that has had 64
 * all the time: before, in the middle, when one half of the rows has moved, when all have, just
 * after the end, and later. Both tables take turns; each round has ids of its own, so that in the
 * middle half of what it writes is to be pulled. All of it twice: with HBase's default encoding of
 * blocks, and with the one by which it searches a block by halves.
 */
public final class RelayoutCost implements Benchmark {
  private static final int SERVERS = 2;
  private static final int ROUNDS = 11;
  private static final int WARM_UP_ROUNDS = 2;
  private static final int CLIENTS = 32;
  private static final int IDS_A_ROUND = 16_000;
  private static final int SINGLE_IDS = 3_000;
  private static final int BATCH = 100;
  private static final int CACHING = 1_000;
  private static final int VALUE_BYTES = 100;
  private static final long SEED = 1;

  /** The operation that is measured. */
  private enum Work {
    SCAN("ordered scan of the whole table"),
    GETS("Gets, one by one"),
    PUTS_ONE_BY_ONE("puts, one by one"),
    PUTS("puts, batches of 100");

    private final String words;

    Work(String words) {
      this.words = words;
    }
  }

  /** When. */
  private enum Time {
    BEFORE,
    MIDDLE,
    /** All have moved, and the layout they came from is there still. */
    MOVED,
    /** By a client that looked for rows under both layouts, and does for a minute more. */
    AFTER,
    /** By one that opens the table now. */
    LATER
  }

  private final Random random = new Random(SEED);
  private final byte[] value = new byte[VALUE_BYTES];

  /** Made by name. */
  public RelayoutCost() {}

  @Override
  public void run(PrintStream out) throws Exception {
    random.nextBytes(value);
    ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
    try (BenchmarkCluster cluster = BenchmarkCluster.ofServers(SERVERS)) {
      for (DataBlockEncoding encoding :
          List.of(DataBlockEncoding.NONE, DataBlockEncoding.ROW_INDEX_V1)) {
        out.println("### `DATA_BLOCK_ENCODING => '" + encoding + "'`");
        out.println();
        measure(cluster, threads, encoding).print(out);
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private MarkdownTable measure(
      BenchmarkCluster cluster, ExecutorService threads, DataBlockEncoding encoding)
      throws Exception {
    Connection connection = cluster.connection();
    ChangingTable steady =
        ChangingTable.create(connection, "steady", ChangingTable.BUCKETS_AFTER, encoding);
    ChangingTable changing =
        ChangingTable.create(connection, "changing", ChangingTable.BUCKETS_BEFORE, encoding);
    List<List<byte[]>> ids = ChangingTable.rounds(ROUNDS + WARM_UP_ROUNDS, IDS_A_ROUND, random);
    MarkdownTable report =
        new MarkdownTable(
            "", "table that changes, µs a row", "steady table", "throughput", "quartiles");
    try (SaltedTable still = SaltedTable.open(connection, steady.name());
        SaltedTable moved = SaltedTable.open(connection, changing.name())) {
      for (List<byte[]> slice : ids) {
        puts(threads, still, slice, BATCH);
        puts(threads, moved, slice, BATCH);
      }
      flush(cluster, steady, changing);
      report(report, Time.BEFORE, race(threads, still, moved, ids));
      flush(cluster, steady, changing);
      changing.prepare();
      long generation = changing.version();
      changing.move();
      for (List<byte[]> slice : ids) {
        changing.touch(slice.subList(0, slice.size() / 2), generation);
      }
      ids.forEach(slice -> Collections.shuffle(slice, random));
      report(report, Time.MIDDLE, race(threads, still, moved, ids));
      for (List<byte[]> slice : ids) {
        changing.touch(slice, generation);
      }
      changing.comment(); // else each row is known, one by one
      changing.count(generation);
      report(report, Time.MOVED, race(threads, still, moved, ids));
      changing.finish();
      flush(cluster, steady, changing);
      for (ChangingTable table : List.of(steady, changing)) {
        cluster.regions(table.name()).forEach(RelayoutCost::compact);
      }
      report(report, Time.AFTER, race(threads, still, moved, ids));
      try (SaltedTable anew = SaltedTable.open(connection, changing.name())) {
        report(report, Time.LATER, race(threads, still, anew, ids));
      }
    }
    steady.delete();
    changing.delete();
    return report;
  }

  private static void flush(BenchmarkCluster cluster, ChangingTable... tables) throws IOException {
    for (ChangingTable table : tables) {
      for (HRegion region : cluster.regions(table.name())) {
        region.flush(true);
      }
    }
  }

  private static void compact(HRegion region) {
    try {
      region.compact(true);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Nanoseconds a row, for each work and round: of the table that changes, of the steady one. */
  private Map<Work, List<double[]>> race(
      ExecutorService threads, SaltedTable still, SaltedTable moved, List<List<byte[]>> ids)
      throws Exception {
    Map<Work, List<double[]>> costs = new EnumMap<>(Work.class);
    for (int round = 0; round < ids.size(); round++) {
      for (Work work : Work.values()) {
        double[] cost = new double[2];
        for (int turn = 0; turn < 2; turn++) {
          int which = (round + turn) % 2;
          System.gc();
          cost[which] = lap(threads, which == 0 ? moved : still, work, ids.get(round), ids.size());
        }
        if (round >= WARM_UP_ROUNDS) {
          costs.computeIfAbsent(work, each -> new ArrayList<>()).add(cost);
        }
      }
    }
    return costs;
  }

  private double lap(
      ExecutorService threads, SaltedTable table, Work work, List<byte[]> ids, int rounds)
      throws Exception {
    long began = System.nanoTime();
    int rows;
    switch (work) {
      case SCAN:
        rows = IDS_A_ROUND * rounds;
        scan(table, rows);
        break;
      case GETS:
        rows = SINGLE_IDS;
        gets(threads, table, ids.subList(0, rows));
        break;
      case PUTS_ONE_BY_ONE:
        rows = SINGLE_IDS;
        puts(threads, table, ids.subList(0, rows), 1);
        break;
      default:
        rows = IDS_A_ROUND - SINGLE_IDS;
        puts(threads, table, ids.subList(SINGLE_IDS, IDS_A_ROUND), BATCH);
        break;
    }
    return (double) (System.nanoTime() - began) / rows;
  }

  private static void scan(SaltedTable table, int rows) throws IOException {
    int count = 0;
    try (ResultScanner scanner = table.getScanner(new Scan().setCaching(CACHING))) {
      for (Result result = scanner.next(); result != null; result = scanner.next()) {
        count++;
      }
    }
    if (count != rows) {
      throw new IllegalStateException("rows=" + count + " wanted=" + rows);
    }
  }

  private interface Part {
    void of(List<byte[]> ids) throws IOException;
  }

  private static void divided(ExecutorService threads, List<byte[]> ids, int size, Part part)
      throws Exception {
    List<Future<?>> all = new ArrayList<>();
    for (int client = 0; client < CLIENTS; client++) {
      int first = client;
      all.add(
          threads.submit(
              () -> {
                for (int from = first * size; from < ids.size(); from += CLIENTS * size) {
                  part.of(ids.subList(from, Math.min(ids.size(), from + size)));
                }
                return null;
              }));
    }
    for (Future<?> each : all) {
      each.get();
    }
  }

  private void puts(ExecutorService threads, SaltedTable table, List<byte[]> ids, int size)
      throws Exception {
    divided(
        threads,
        ids,
        size,
        some -> {
          List<Put> puts = new ArrayList<>(some.size());
          for (byte[] id : some) {
            puts.add(new Put(id).addColumn(ChangingTable.FAMILY, ChangingTable.QUALIFIER, value));
          }
          if (size == 1) {
            table.put(puts.get(0));
          } else {
            table.put(puts);
          }
        });
  }

  private static void gets(ExecutorService threads, SaltedTable table, List<byte[]> ids)
      throws Exception {
    divided(
        threads,
        ids,
        1,
        some -> {
          if (table.get(new Get(some.get(0))).isEmpty()) {
            throw new IllegalStateException("no row");
          }
        });
  }

  private static void report(MarkdownTable report, Time time, Map<Work, List<double[]>> costs) {
    for (Map.Entry<Work, List<double[]>> each : costs.entrySet()) {
      List<double[]> laps = each.getValue();
      Quantiles ratio = quantiles(laps, lap -> lap[1] / lap[0]);
      report.add(
          List.of(
              time.name().toLowerCase(Locale.ROOT) + ": " + each.getKey().words,
              quantiles(laps, lap -> lap[0] / 1_000).median("%,.1f"),
              quantiles(laps, lap -> lap[1] / 1_000).median("%,.1f"),
              ratio.median("%.2f"),
              ratio.quartiles("%.2f")));
    }
  }

  private static Quantiles quantiles(List<double[]> laps, ToDoubleFunction<double[]> value) {
    return Quantiles.of(laps.stream().mapToDouble(value).toArray());
  }
}
