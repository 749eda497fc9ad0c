package io.rowguard.tools.heatmap;

import io.rowguard.config.TableConfig;
import io.rowguard.layout.RowkeyLayout;
import io.rowguard.tools.cli.CommandFailure;
import io.rowguard.tools.cli.Interrupt;
import io.rowguard.tools.cli.ProgressLine;
import io.rowguard.tools.cli.Terminal;
import io.rowguard.tools.cluster.Cluster;
import io.rowguard.tools.cluster.ClusterOptions;
import io.rowguard.tools.cluster.NoAnswer;
import io.rowguard.tools.cluster.TableNames;
import io.rowguard.tools.explain.BoundaryText;
import io.rowguard.tools.hot.HotReader;
import io.rowguard.tools.hot.HotTable;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.TableDescriptor;

/** Takes readings of a table, one after the other, until the time is over or someone stops it. */
final class Sampling {
  private static final int MOST_COLUMNS = 256;

  private final Sampler sampler;
  private final SampleHistory history = new SampleHistory(MOST_COLUMNS);
  private final Terminal terminal;

  private Sampling(Cluster cluster, TableName table, Terminal terminal) {
    this.sampler = new Sampler(cluster, table);
    this.terminal = terminal;
  }

  /**
   * Samples a table.
   *
   * @param layout to read keys by; null for the one that the table declares
   * @throws CommandFailure when there is no such table, or never an answer
   */
  static Heatmap run(
      ClusterOptions options,
      String table,
      RowkeyLayout layout,
      Duration every,
      Duration howLong,
      Interrupt interrupt,
      Terminal terminal) {
    try (Cluster cluster = Cluster.connect(options)) {
      TableName name = TableNames.parse(table);
      TableConfig config = TableConfig.ofClient(descriptor(cluster, name), cluster.conf());
      Sampling sampling = new Sampling(cluster, name, terminal);
      terminal.note(
          "Sampling "
              + table
              + " every "
              + seconds(every)
              + " for "
              + seconds(howLong)
              + "; Ctrl-C ends it and writes the report.");
      sampling.take(every, howLong, interrupt);
      RowkeyLayout words = layout != null ? layout : config.layout();
      boolean isChanging = layout == null && config.relayout() != null;
      return new Heatmap(
          table,
          words == null ? null : words.toString(),
          layout != null ? null : config.declaredGroup(),
          isChanging
              ? new BoundaryText(words, config.relayout().change().from())
              : new BoundaryText(words),
          sampling.history,
          new Grid(sampling.history.slices()),
          config.hasLayout() ? hotKeys(cluster, name, terminal) : null);
    }
  }

  /** Null where a server does not say. The report is worth printing without it. */
  private static HotTable hotKeys(Cluster cluster, TableName name, Terminal terminal) {
    try {
      // All in the time of one answer: the process that is asked to end waits only so long.
      HotTable hot = cluster.ask(() -> new HotReader(cluster, name).read());
      hot.silent().forEach(why -> terminal.note("Hot keys of a server are missing. " + why));
      return hot;
    } catch (NoAnswer e) {
      terminal.note("Hot keys are missing. " + e.getMessage());
      return null;
    }
  }

  private static String seconds(Duration time) {
    BigDecimal seconds = BigDecimal.valueOf(time.toMillis(), 3);
    return seconds.stripTrailingZeros().toPlainString() + " s";
  }

  private static TableDescriptor descriptor(Cluster cluster, TableName name) {
    try {
      return cluster.ask(() -> cluster.admin().getDescriptor(name));
    } catch (NoAnswer e) {
      if (e.getCause() instanceof TableNotFoundException) {
        throw new CommandFailure(
            "There is no such table. table=" + name + ". rowguard doctor lists those there are.",
            e);
      }
      throw cluster.unreachable(e);
    }
  }

  private void take(Duration every, Duration howLong, Interrupt interrupt) {
    AtomicLong taken = new AtomicLong();
    ProgressLine.during(
        terminal,
        "sampling",
        howLong.dividedBy(every) + 1,
        taken::get,
        () -> {
          long end = System.nanoTime() + howLong.toNanos();
          long due = System.nanoTime();
          boolean isOver = false;
          while (!isOver) {
            boolean isStopped = interrupt.await(Duration.ofNanos(due - System.nanoTime()));
            // Once more when it is to stop: what has been counted since the last time is not lost.
            read();
            taken.incrementAndGet();
            isOver = isStopped || due - end >= 0;
            // After readings that take longer than that, the next one follows at once.
            due = Math.min(end, Math.max(due + every.toNanos(), System.nanoTime()));
          }
          return null;
        });
    if (history.readings() == 0) {
      throw new CommandFailure(
          "No region server answered. why="
              + history.silent()
              + " --timeout SECONDS waits longer.");
    }
  }

  private void read() {
    try {
      history.add(sampler.sample());
    } catch (NoAnswer e) {
      history.missed(e.getMessage());
    }
  }
}
