package io.rowguard.benchmarks.pressure;

import io.rowguard.benchmarks.Benchmark;
import io.rowguard.benchmarks.BenchmarkCluster;
import io.rowguard.benchmarks.MarkdownTable;
import io.rowguard.benchmarks.Quantiles;
import io.rowguard.layout.RowkeyLayout;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Many writers on servers with too small a heap, of which one stands still for a while and one is
 * killed: what is left of the throughput, and whether it comes back, where the writers salt and
 * where the servers do.
 */
public final class SaltPressure implements Benchmark {
  private static final int BUCKETS = 16;
  private static final int SERVERS = 3;
  private static final String HEAP = "-Xmx256m";
  private static final RowkeyLayout LAYOUT =
      RowkeyLayout.parse("{salt:digits(2)=murmur3(*)%" + BUCKETS + "}-{id:digits(10)}");

  /** The side that salts. */
  private enum Salting {
    WRITERS("the writers salt"),
    SERVERS("the servers salt"),
    BOUNDED_SERVERS("the servers salt, with a bound that is too small");

    /** A tenth of what handlers could have under way. */
    private static final long FEW_BYTES = 600_000;

    private final String words;

    Salting(String words) {
      this.words = words;
    }
  }

  /** A phase of the soak, with its seconds. */
  private enum Phase {
    WARM_UP("warm-up", 60),
    QUIET("before", 20),
    STOPPED("one server stands still", 20),
    AFTER_STOP("afterwards", 20),
    KILLED("one server is killed, another comes", 40),
    AFTER_KILL("afterwards", 20);

    private final String words;
    private final int seconds;

    Phase(String words, int seconds) {
      this.words = words;
      this.seconds = seconds;
    }
  }

  /** Made by name. */
  public SaltPressure() {}

  @Override
  public void run(PrintStream out) throws Exception {
    List<String> wrongs = new ArrayList<>();
    for (int writers : new int[] {64, 256}) {
      for (Salting salting : Salting.values()) {
        out.printf("### %d writers; %s%n%n", writers, salting.words);
        try (ServerProcesses servers = ServerProcesses.start(SERVERS, HEAP)) {
          for (String wrong : soak(out, servers, writers, salting)) {
            wrongs.add(writers + " writers, " + salting.words + ": " + wrong);
          }
        }
      }
    }
    out.printf("### Verdict%n%n");
    out.println(
        wrongs.isEmpty()
            ? "Nothing lost, nothing doubled, and throughput came back."
            : String.join("\n", wrongs));
  }

  private static List<String> soak(
      PrintStream out, ServerProcesses servers, int count, Salting salting) throws Exception {
    boolean bare = salting != Salting.WRITERS;
    TableName name = TableName.valueOf("pressure");
    try (Admin admin = servers.connection().getAdmin()) {
      TableDescriptorBuilder table =
          TableDescriptorBuilder.newBuilder(name)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
              .setValue("rowguard.layout", LAYOUT.toString())
              .setValue("rowguard.mode", "salt");
      if (bare) {
        table.setCoprocessor(BenchmarkCluster.observer());
      }
      if (salting == Salting.BOUNDED_SERVERS) {
        table.setValue("rowguard.salt.max.bytes", String.valueOf(Salting.FEW_BYTES));
      }
      admin.createTable(
          table.build(),
          IntStream.range(1, BUCKETS)
              .mapToObj(salt -> Bytes.toBytes(String.format(Locale.ROOT, "%02d-", salt)))
              .toArray(byte[][]::new));
    }
    MarkdownTable report =
        new MarkdownTable(
            "", "rows a second", "quartiles", "seconds without a row", "longest batch, s");
    Writers writers = new Writers(servers.connection(), name, LAYOUT, bare, count);
    Map<Phase, Quantiles> speeds = new EnumMap<>(Phase.class);
    try (writers) {
      for (Phase phase : Phase.values()) {
        speeds.put(phase, watch(report, servers, writers, phase));
      }
    }
    report.print(out);
    if (bare) {
      out.printf(
          "Servers that were alive in the end: %,d calls to forward rows, %,d rows sent back since"
              + " too much was under way.%n",
          servers.counted("forward_calls"), servers.counted("forwarded_busy"));
    }
    List<String> outOfMemory = servers.outOfMemory();
    out.printf(
        "%,d rows acknowledged, %,d given up by clients; OutOfMemoryErrors: %,d.%n%n",
        writers.count(), writers.failed(), outOfMemory.size());
    outOfMemory.forEach(line -> out.printf("    %s%n", line));
    List<String> wrongs = writers.wrongs();
    if (!outOfMemory.isEmpty()) {
      wrongs.add("servers ran out of memory");
    }
    double before = speeds.get(Phase.QUIET).median();
    for (Phase after : new Phase[] {Phase.AFTER_STOP, Phase.AFTER_KILL}) {
      if (speeds.get(after).median() < before / 2) {
        wrongs.add("less than half of the throughput came back");
      }
    }
    return wrongs;
  }

  private static Quantiles watch(
      MarkdownTable report, ServerProcesses servers, Writers writers, Phase phase)
      throws Exception {
    List<ServerProcesses.Server> all = servers.servers();
    ServerProcesses.Server victim = all.get(all.size() - 1);
    if (phase == Phase.STOPPED) {
      victim.signal("STOP");
    } else if (phase == Phase.KILLED) {
      victim.signal("KILL");
      servers.startServer();
    }
    double[] rows = new double[phase.seconds];
    int empty = 0;
    for (int second = 0; second < phase.seconds; second++) {
      long before = writers.count();
      Thread.sleep(1_000);
      rows[second] = writers.count() - before;
      empty += rows[second] == 0 ? 1 : 0;
      if (phase == Phase.STOPPED && second == phase.seconds / 4) {
        victim.signal("CONT");
      }
    }
    if (writers.isOneGone()) {
      throw new IllegalStateException("a writer is gone");
    }
    Quantiles each = Quantiles.of(rows);
    report.add(
        List.of(
            phase.words,
            each.median("%,.0f"),
            each.quartiles("%,.0f"),
            String.valueOf(empty),
            String.format(Locale.ROOT, "%.1f", writers.longestSeconds())));
    return each;
  }
}
