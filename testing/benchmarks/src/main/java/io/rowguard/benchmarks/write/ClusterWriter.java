package io.rowguard.benchmarks.write;

import com.sun.management.OperatingSystemMXBean;
import io.rowguard.benchmarks.BenchmarkCluster;
import io.rowguard.benchmarks.Lap;
import io.rowguard.benchmarks.Race;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.regionserver.HRegion;

/**
 * Writes to tables as clients do, from several threads; everything runs in this JVM.
 *
 * @param <W> the ways to write that are compared
 */
public final class ClusterWriter<W extends Enum<W>> implements AutoCloseable {
  /** How many threads write. */
  public static final int THREADS = 4;

  private static final int WARM_UP_ROUNDS = 3;
  private static final int ROUNDS = 25;
  private static final OperatingSystemMXBean SYSTEM =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

  private final BenchmarkCluster cluster;
  private final Map<W, Target> targets;
  private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);

  /**
   * What a way writes, and where.
   *
   * @param name the table, for nothing else to write to
   * @param opener how a client gets hold of it
   * @param batches the same number of batches as in every other way, the same each time
   */
  public record Target(
      TableName name, Opener opener, List<? extends List<? extends Row>> batches) {}

  /** How a client gets hold of a table. */
  public interface Opener {
    /** Opens it for one thread. */
    Table open(Connection connection, TableName name) throws IOException;
  }

  /** A writer of all ways. */
  public ClusterWriter(BenchmarkCluster cluster, Map<W, Target> targets) {
    this.cluster = cluster;
    this.targets = targets;
  }

  /** Warms up, then measures. */
  public Race<W> race(W baseline) throws Exception {
    rounds(new Race<>(baseline), WARM_UP_ROUNDS);
    return rounds(new Race<>(baseline), ROUNDS);
  }

  private Race<W> rounds(Race<W> race, int count) throws Exception {
    for (int i = 0; i < count; i++) {
      race.round(this::lap);
      for (Target target : targets.values()) {
        for (HRegion region : cluster.regions(target.name())) {
          region.flush(true);
        }
      }
    }
    return race;
  }

  /** The same rows each time. */
  private Lap lap(W way) throws InterruptedException, ExecutionException {
    Target target = targets.get(way);
    // What one way leaves is not to be cleared away in the time of the next.
    System.gc();
    long cpu = SYSTEM.getProcessCpuTime();
    long began = System.nanoTime();
    List<Future<?>> parts = new ArrayList<>();
    for (int thread = 0; thread < THREADS; thread++) {
      int first = thread;
      parts.add(
          threads.submit(
              () -> {
                write(target, first);
                return null;
              }));
    }
    for (Future<?> part : parts) {
      part.get();
    }
    double nanos = System.nanoTime() - began;
    double cpuNanos = SYSTEM.getProcessCpuTime() - cpu;
    double count = target.batches().stream().mapToInt(List::size).sum();
    return new Lap(nanos / count, cpuNanos / count);
  }

  private void write(Target target, int first) throws IOException, InterruptedException {
    try (Table table = target.opener().open(cluster.connection(), target.name())) {
      for (int i = first; i < target.batches().size(); i += THREADS) {
        List<? extends Row> batch = target.batches().get(i);
        table.batch(batch, new Object[batch.size()]);
      }
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
