package io.rowguard.benchmarks.pressure;

import io.rowguard.benchmarks.Benchmark;
import io.rowguard.benchmarks.BenchmarkCluster;
import io.rowguard.benchmarks.MarkdownTable;
import io.rowguard.benchmarks.Quantiles;
import io.rowguard.layout.RowkeyLayout;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
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
 * Many writers on servers with too small a heap, of which one is slow for a while, then stands
 * still, and is killed: what is left of the throughput, whether it comes back, and how long calls
 * keep the handlers of the other servers, where the writers salt and where the servers do. And the
 * same on larger heaps, of which one is nearly full all the time.
 */
public final class SaltPressure implements Benchmark {
  private static final int BUCKETS = 16;
  private static final int SERVERS = 3;
  private static final String HEAP = "-Xmx256m";
  private static final String LARGE_HEAP = "-Xmx3g";

  /** Megabytes of one large heap that its server cannot use. */
  private static final int TAKEN = 1_400;

  /** A slow server runs for so many milliseconds, and stands still for four times as long. */
  private static final int SLOW_RUN = 40;

  /** Seconds between two looks at the handlers; HBase has new figures every ten. */
  private static final int HANDLERS_EACH = 5;

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
    WARM_UP("warm-up", 40),
    QUIET("before", 20),
    SLOW("one server has a fifth of its time", 20),
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

  private record Soak(int writers, Salting salting, boolean isLarge) {
    String words() {
      return writers
          + " writers; "
          + salting.words
          + (isLarge ? "; of three heaps of 3 GB one is nearly full" : "");
    }

    ServerProcesses servers() throws Exception {
      return isLarge
          ? ServerProcesses.start(SERVERS, LARGE_HEAP, TAKEN)
          : ServerProcesses.start(SERVERS, HEAP, 0);
    }
  }

  private static final List<Soak> SOAKS =
      List.of(
          new Soak(64, Salting.WRITERS, false),
          new Soak(64, Salting.SERVERS, false),
          new Soak(64, Salting.BOUNDED_SERVERS, false),
          new Soak(256, Salting.WRITERS, false),
          new Soak(256, Salting.SERVERS, false),
          new Soak(64, Salting.WRITERS, true),
          new Soak(64, Salting.SERVERS, true));

  /** Made by name. */
  public SaltPressure() {}

  @Override
  public void run(PrintStream out) throws Exception {
    List<String> wrongs = new ArrayList<>();
    for (Soak soak : SOAKS) {
      out.printf("### %s%n%n", soak.words());
      try (ServerProcesses servers = soak.servers()) {
        for (String wrong : soak(out, servers, soak.writers, soak.salting)) {
          wrongs.add(soak.words() + ": " + wrong);
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
            "",
            "rows a second",
            "quartiles",
            "seconds without a row",
            "longest batch, s",
            "99 % of calls keep a handler, ms",
            "longest, ms");
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
    for (String abort : servers.aborts()) {
      out.printf("A server ended by itself:%n%n    %s%n%n", abort);
    }
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
    Seen seen;
    if (phase == Phase.SLOW) {
      SlowProcess slow = SlowProcess.begin(victim, SLOW_RUN);
      try {
        seen = look(servers, writers, victim, phase);
      } finally {
        slow.end();
      }
    } else {
      seen = look(servers, writers, victim, phase);
    }
    if (writers.isOneGone()) {
      throw new IllegalStateException("a writer is gone");
    }
    Quantiles each = Quantiles.of(seen.rows);
    report.add(
        List.of(
            phase.words,
            each.median("%,.0f"),
            each.quartiles("%,.0f"),
            String.valueOf(Arrays.stream(seen.rows).filter(rows -> rows == 0).count()),
            String.format(Locale.ROOT, "%.1f", writers.longestSeconds()),
            String.format(Locale.ROOT, "%,.0f", seen.held.most()),
            String.format(Locale.ROOT, "%,.0f", seen.held.longest())));
    return each;
  }

  /** The rows of each second, and the worst of what servers said of their handlers. */
  private static final class Seen {
    private final double[] rows;
    private ServerProcesses.HeldHandlers held = ServerProcesses.HeldHandlers.NONE;

    Seen(int seconds) {
      this.rows = new double[seconds];
    }
  }

  private static Seen look(
      ServerProcesses servers, Writers writers, ServerProcesses.Server victim, Phase phase)
      throws Exception {
    Seen seen = new Seen(phase.seconds);
    for (int second = 0; second < phase.seconds; second++) {
      long before = writers.count();
      Thread.sleep(1_000);
      seen.rows[second] = writers.count() - before;
      if (phase == Phase.STOPPED && second == phase.seconds / 4) {
        victim.signal("CONT");
      }
      if (second % HANDLERS_EACH == HANDLERS_EACH - 1) {
        seen.held = seen.held.or(servers.heldHandlers(victim));
      }
    }
    return seen;
  }
}
