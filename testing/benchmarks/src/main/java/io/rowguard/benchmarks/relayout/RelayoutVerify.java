package io.rowguard.benchmarks.relayout;

import io.rowguard.benchmarks.Benchmark;
import io.rowguard.benchmarks.BenchmarkCluster;
import io.rowguard.benchmarks.Lap;
import io.rowguard.benchmarks.MarkdownTable;
import io.rowguard.benchmarks.Quantiles;
import io.rowguard.benchmarks.Race;
import io.rowguard.client.SaltedTable;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.regionserver.HRegion;

/**
 * The pace of a relayout's run with each {@code rowguard.relayout.verify}: three tables that differ
 * in nothing else take turns, and each round moves the same ids in each.
 */
public final class RelayoutVerify implements Benchmark {
  private static final int SERVERS = 2;
  private static final int ROUNDS = 11;
  private static final int WARM_UP_ROUNDS = 3;
  private static final int IDS_A_ROUND = 16_000;

  /** As many as <i>run</i> has. */
  private static final int THREADS = 8;

  private static final int VALUE_BYTES = 100;
  private static final long SEED = 1;

  private final Random random = new Random(SEED);

  /** Made by name. */
  public RelayoutVerify() {}

  private enum Way {
    OFF,
    SAMPLE,
    ALL;

    String value() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  @Override
  public void run(PrintStream out) throws Exception {
    List<List<byte[]>> ids = ChangingTable.rounds(ROUNDS + WARM_UP_ROUNDS, IDS_A_ROUND, random);
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try (BenchmarkCluster cluster = BenchmarkCluster.ofServers(SERVERS)) {
      Map<Way, ChangingTable> tables = new EnumMap<>(Way.class);
      for (Way way : Way.values()) {
        tables.put(way, moving(cluster, way, ids));
      }
      for (List<byte[]> slice : ids.subList(0, WARM_UP_ROUNDS)) {
        for (ChangingTable table : tables.values()) {
          lap(threads, table, slice);
        }
      }
      Race<Way> race = new Race<>(Way.OFF);
      for (List<byte[]> slice : ids.subList(WARM_UP_ROUNDS, ids.size())) {
        race.round(way -> lap(threads, tables.get(way), slice));
      }
      report(race).print(out);
    } finally {
      threads.shutdownNow();
    }
  }

  /** A table whose rows are in files, and about to move. */
  private ChangingTable moving(BenchmarkCluster cluster, Way way, List<List<byte[]>> ids)
      throws Exception {
    Connection connection = cluster.connection();
    ChangingTable table =
        ChangingTable.create(
            connection, way.value(), ChangingTable.BUCKETS_BEFORE, DataBlockEncoding.NONE);
    table.set("rowguard.relayout.verify", way.value());
    byte[] value = new byte[VALUE_BYTES];
    random.nextBytes(value);
    try (SaltedTable salted = SaltedTable.open(connection, table.name())) {
      for (List<byte[]> slice : ids) {
        List<Put> puts = new ArrayList<>();
        for (byte[] id : slice) {
          puts.add(new Put(id).addColumn(ChangingTable.FAMILY, ChangingTable.QUALIFIER, value));
        }
        salted.put(puts);
      }
    }
    table.prepare();
    table.move();
    for (HRegion region : cluster.regions(table.name())) {
      region.flush(true);
    }
    return table;
  }

  private static Lap lap(ExecutorService threads, ChangingTable table, List<byte[]> ids)
      throws Exception {
    System.gc();
    long generation = table.version() - 1;
    int share = ids.size() / THREADS;
    long began = System.nanoTime();
    List<Future<?>> all = new ArrayList<>();
    for (int thread = 0; thread < THREADS; thread++) {
      List<byte[]> some = ids.subList(thread * share, (thread + 1) * share);
      all.add(
          threads.submit(
              () -> {
                table.touch(some, generation);
                return null;
              }));
    }
    for (Future<?> each : all) {
      each.get();
    }
    return new Lap((double) (System.nanoTime() - began) / ids.size());
  }

  private static MarkdownTable report(Race<Way> race) {
    MarkdownTable report =
        new MarkdownTable("`rowguard.relayout.verify`", "µs a row", "pace", "quartiles");
    for (Way way : Way.values()) {
      Quantiles pace = race.ratio(way, Lap::nanos);
      report.add(
          List.of(
              "`" + way.value() + "`",
              race.cost(way, lap -> lap.nanos() / 1_000).median("%,.1f"),
              pace.median("%.2f"),
              pace.quartiles("%.2f")));
    }
    return report;
  }
}
