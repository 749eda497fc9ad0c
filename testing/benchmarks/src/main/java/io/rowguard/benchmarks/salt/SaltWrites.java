package io.rowguard.benchmarks.salt;

import io.rowguard.benchmarks.Benchmark;
import io.rowguard.benchmarks.BenchmarkCluster;
import io.rowguard.benchmarks.Lap;
import io.rowguard.benchmarks.MarkdownTable;
import io.rowguard.benchmarks.Quantiles;
import io.rowguard.benchmarks.Race;
import io.rowguard.layout.RowkeyLayout;
import java.io.PrintStream;
import java.util.List;
import java.util.stream.IntStream;

/** Measures what it costs to let another salt the keys, against a writer that does it itself. */
public final class SaltWrites implements Benchmark {
  private static final String COUNT = "%,.0f";
  private static final String SHARE = "%.3f";
  private static final int BUCKETS = 16;
  private static final int ROWS = 64_000;
  private static final int SINGLE_ROWS = 8_000;
  private static final int LARGE_BATCH = 1_000;
  private static final int SERVERS = 2;

  /** Some ids begin like a salt, so that bare ones sort into most regions. */
  private static final RowkeyLayout DIGITS = Orders.layout(BUCKETS);

  /** No id begins like a salt, so that all bare ones sort into the last region. */
  private static final RowkeyLayout BYTES =
      RowkeyLayout.parse("{salt:uint8=murmur3(*)%" + BUCKETS + "}{id:digits(10)}");

  /** Made by name. */
  public SaltWrites() {}

  @Override
  public void run(PrintStream out) throws Exception {
    List<byte[]> random = Orders.random(ROWS);
    List<byte[]> few = random.subList(0, SINGLE_ROWS);
    try (BenchmarkCluster cluster = BenchmarkCluster.ofServers(SERVERS)) {
      try (SaltContest ordered = digits(cluster, "ordered")) {
        report(out, "Ids in their order", ordered.write(Orders.sequential(ROWS), Orders.BATCH));
      }
      try (SaltContest hundreds = digits(cluster, "hundreds")) {
        report(out, "Ids from anywhere", hundreds.write(random, Orders.BATCH));
        report(out, "Deletes of ids from anywhere", hundreds.delete(random));
      }
      try (SaltContest thousands = digits(cluster, "thousands")) {
        String title = String.format("Ids from anywhere, %,d rows at once", LARGE_BATCH);
        report(out, title, thousands.write(random, LARGE_BATCH));
      }
      try (SaltContest single = digits(cluster, "single")) {
        report(out, "Ids from anywhere, one by one", single.write(few, 1));
        report(out, "Gets of ids from anywhere, one by one", single.read(few));
      }
      try (SaltContest apart = bytes(cluster, "apart-hundreds")) {
        report(out, "Ids that begin like no salt", apart.write(random, Orders.BATCH));
      }
      try (SaltContest apart = bytes(cluster, "apart-thousands")) {
        String title = String.format("Ids that begin like no salt, %,d rows at once", LARGE_BATCH);
        report(out, title, apart.write(random, LARGE_BATCH));
      }
    }
  }

  private static SaltContest digits(BenchmarkCluster cluster, String name) throws Exception {
    return SaltContest.of(cluster, name, DIGITS, Orders.bucketSplits(BUCKETS));
  }

  private static SaltContest bytes(BenchmarkCluster cluster, String name) throws Exception {
    byte[][] splits =
        IntStream.range(1, BUCKETS)
            .mapToObj(salt -> new byte[] {(byte) salt})
            .toArray(byte[][]::new);
    return SaltContest.of(cluster, name, BYTES, splits);
  }

  private static void report(PrintStream out, String title, Race<SaltContest.Salter> race) {
    MarkdownTable table =
        new MarkdownTable(
            "who salts",
            "time, ns per row",
            "quartiles",
            "processor time of all, ns per row",
            "throughput against the writer's own",
            "quartiles");
    for (SaltContest.Salter salter : SaltContest.Salter.values()) {
      Quantiles time = race.cost(salter, Lap::nanos);
      Quantiles ratio = race.ratio(salter, Lap::nanos);
      table.add(
          List.of(
              salter.words(),
              time.median(COUNT),
              time.quartiles(COUNT),
              race.cost(salter, Lap::cpuNanos).median(COUNT),
              ratio.median(SHARE),
              ratio.quartiles(SHARE)));
    }
    out.printf("### %s%n%n", title);
    table.print(out);
    out.printf("%,d rounds.%n%n", race.rounds());
  }
}
