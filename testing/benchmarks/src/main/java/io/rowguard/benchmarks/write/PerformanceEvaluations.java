package io.rowguard.benchmarks.write;

import io.rowguard.benchmarks.Benchmark;
import io.rowguard.benchmarks.BenchmarkCluster;
import io.rowguard.benchmarks.Lap;
import io.rowguard.benchmarks.MarkdownTable;
import io.rowguard.benchmarks.Quantiles;
import io.rowguard.benchmarks.Race;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * HBase's own PerformanceEvaluation, in a process of its own for each lap, as it comes: on a plain
 * table, on one that rejects rows, and on one that salts them. Each round has new tables.
 *
 * <p>System property, set by {@code run.sh}: {@code rowguard.benchmark.logs}, a configuration of
 * log4j that prints what the tool says.
 */
public final class PerformanceEvaluations implements Benchmark {
  /** Each of its threads has nine histograms of 4 MB. */
  private static final String HEAP = "-Xmx4g";

  private static final String TOOL = "org.apache.hadoop.hbase.PerformanceEvaluation";
  private static final int SERVERS = 2;
  private static final int ROUNDS = 5;

  /** Of all clients together; the keys are the numbers below. */
  private static final int ROWS = 102_400;

  private static final int REGIONS = 16;
  private static final String KEY = "{row:digits(26)}";
  private static final String SALTED = "{salt:digits(2)=murmur3(*)%" + REGIONS + "}-" + KEY;

  /** By client, the milliseconds from its first row to its last one. */
  private static final Pattern TIMES = Pattern.compile("Summary of timings \\(ms\\): \\[(.*)]");

  private enum Way {
    PLAIN("a plain table"),
    REJECT("`reject`"),
    SALT("`salt`");

    private final String words;

    Way(String words) {
      this.words = words;
    }

    TableName table() {
      return TableName.valueOf("pe-" + name().toLowerCase(Locale.ROOT));
    }

    TableDescriptor descriptor() throws IOException {
      // The name that the tool gives a family; a table with others it would make anew.
      TableDescriptorBuilder table =
          TableDescriptorBuilder.newBuilder(table())
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of("info0"));
      if (this != PLAIN) {
        table
            .setCoprocessor(BenchmarkCluster.observer())
            .setValue("rowguard.layout", this == SALT ? SALTED : KEY)
            .setValue("rowguard.mode", name().toLowerCase(Locale.ROOT));
      }
      return table.build();
    }

    byte[][] splits() {
      return IntStream.range(1, REGIONS)
          .mapToObj(
              region ->
                  this == SALT
                      ? String.format(Locale.ROOT, "%02d-", region)
                      : String.format(Locale.ROOT, "%026d", (long) region * ROWS / REGIONS))
          .map(Bytes::toBytes)
          .toArray(byte[][]::new);
    }
  }

  /** The work of the tool. The first one writes the rows that the last one reads. */
  private enum Work {
    SEQUENTIAL("sequentialWrite, 1 client", 1, "sequentialWrite"),
    RANDOM_16("randomWrite, 16 clients", 16, "randomWrite"),
    RANDOM_64("randomWrite, 64 clients", 64, "randomWrite"),
    BATCHES(
        "randomWrite, 16 clients, `--multiPut=100`",
        16,
        "--autoFlush=true --multiPut=100 randomWrite"),
    PUTS("randomWrite, 16 clients, `--autoFlush=true`", 16, "--autoFlush=true randomWrite"),
    GETS("randomRead, 16 clients", 16, "randomRead");

    private final String words;
    private final int clients;
    private final String arguments;

    /**
     * @param arguments for the tool, with blanks between them
     */
    Work(String words, int clients, String arguments) {
      this.words = words;
      this.clients = clients;
      this.arguments = arguments;
    }
  }

  /** Made by name. */
  public PerformanceEvaluations() {}

  @Override
  public void run(PrintStream out) throws Exception {
    Map<Work, Race<Way>> races = new EnumMap<>(Work.class);
    try (BenchmarkCluster cluster = BenchmarkCluster.ofServers(SERVERS)) {
      for (int round = 0; round <= ROUNDS; round++) {
        create(cluster);
        for (Work work : Work.values()) {
          Race<Way> race = new Race<>(Way.PLAIN);
          if (round > 0) { // the first is to warm up
            race = races.computeIfAbsent(work, each -> new Race<>(Way.PLAIN));
          }
          race.round(way -> lap(cluster, work, way));
        }
        for (Way way : Way.values()) {
          cluster.drop(way.table());
        }
      }
    }
    report(races).print(out);
    out.printf("%,d rounds.%n", ROUNDS);
  }

  private static void create(BenchmarkCluster cluster) throws IOException {
    try (Admin admin = cluster.connection().getAdmin()) {
      for (Way way : Way.values()) {
        admin.createTable(way.descriptor(), way.splits());
      }
    }
  }

  private static Lap lap(BenchmarkCluster cluster, Work work, Way way) throws Exception {
    System.gc();
    Process process =
        new ProcessBuilder(command(cluster, work, way)).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    Matcher times = TIMES.matcher(said);
    if (process.waitFor() != 0 || !times.find()) {
      throw new IllegalStateException(work + " on " + way + " failed: " + said);
    }
    for (HRegion region : cluster.regions(way.table())) {
      region.flush(true);
    }
    long millis =
        Arrays.stream(times.group(1).split(", ")).mapToLong(Long::parseLong).max().getAsLong();
    System.err.printf(Locale.ROOT, "%s, %s: %,d ms%n", work.words, way.words, millis);
    return new Lap(millis * 1e6 / ROWS);
  }

  private static List<String> command(BenchmarkCluster cluster, Work work, Way way)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(option -> option.startsWith("--add-"))
        .forEach(command::add);
    command.addAll(
        List.of(
            HEAP,
            "-Dlog4j.configuration=" + System.getProperty("rowguard.benchmark.logs"),
            "-Drowguard.log.level=INFO",
            "-cp",
            System.getProperty("java.class.path"),
            TOOL));
    for (String key :
        List.of(
            HConstants.ZOOKEEPER_QUORUM,
            HConstants.ZOOKEEPER_CLIENT_PORT,
            HConstants.ZOOKEEPER_ZNODE_PARENT)) {
      command.add("-D" + key + "=" + cluster.connection().getConfiguration().get(key));
    }
    command.addAll(
        List.of("--nomapred", "--table=" + way.table(), "--rows=" + ROWS / work.clients));
    command.addAll(List.of(work.arguments.split(" ")));
    command.add(String.valueOf(work.clients));
    return command;
  }

  private static MarkdownTable report(Map<Work, Race<Way>> races) {
    MarkdownTable report =
        new MarkdownTable("work", "table", "µs a row", "throughput against plain", "quartiles");
    races.forEach(
        (work, race) -> {
          for (Way way : Way.values()) {
            Quantiles ratio = race.ratio(way, Lap::nanos);
            report.add(
                List.of(
                    work.words,
                    way.words,
                    race.cost(way, lap -> lap.nanos() / 1_000).median("%,.1f"),
                    ratio.median("%.2f"),
                    ratio.quartiles("%.2f")));
          }
        });
    return report;
  }
}
