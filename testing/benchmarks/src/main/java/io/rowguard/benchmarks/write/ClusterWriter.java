package io.rowguard.benchmarks.write;

import com.sun.management.OperatingSystemMXBean;
import io.rowguard.benchmarks.BenchmarkCluster;
import io.rowguard.benchmarks.Lap;
import io.rowguard.benchmarks.Race;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.regionserver.HRegion;

/**
 * Writes to tables, or reads them, as clients do, from several threads, each of which has its table
 * open all the time; everything runs in this JVM.
 *
 * @param <W> the ways to write that are compared
 */
public final class ClusterWriter<W extends Enum<W>> implements AutoCloseable {
  private static final int WARM_UP_ROUNDS = 3;
  private static final int ROUNDS = 25;
  private static final OperatingSystemMXBean SYSTEM =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

  private final BenchmarkCluster cluster;
  private final Map<W, Target> targets;
  private final int clients;
  private final ExecutorService threads;
  private final Map<W, List<Table>> tables = new HashMap<>();

  /**
   * The rows and the table of a way.
   *
   * @param name the table, for nothing else to write to
   * @param opener how a client gets hold of it
   * @param calls as many as in every other way, the same each time
   * @param rows how many rows they write or read together
   */
  public record Target(TableName name, Opener opener, List<Call> calls, int rows) {
    /** Batches of puts, deletes or gets; what is alone in its batch is sent alone. */
    public static Target of(
        TableName name, Opener opener, List<? extends List<? extends Row>> batches) {
      List<Call> calls = new ArrayList<>();
      batches.forEach(batch -> calls.add(table -> send(table, batch)));
      return new Target(name, opener, calls, batches.stream().mapToInt(List::size).sum());
    }
  }

  /** Something that a client asks for. */
  public interface Call {
    /** Asks for it, and waits until it is carried out. */
    void send(Table table) throws IOException, InterruptedException;
  }

  /** How a client gets hold of a table. */
  public interface Opener {
    /** Opens it for one thread. */
    Table open(Connection connection, TableName name) throws IOException;
  }

  /**
   * A writer of all ways.
   *
   * @param clients how many threads write
   */
  public ClusterWriter(BenchmarkCluster cluster, Map<W, Target> targets, int clients)
      throws IOException {
    this.cluster = cluster;
    this.targets = targets;
    this.clients = clients;
    this.threads = Executors.newFixedThreadPool(clients);
    for (Map.Entry<W, Target> each : targets.entrySet()) {
      List<Table> open = new ArrayList<>();
      for (int client = 0; client < clients; client++) {
        open.add(each.getValue().opener().open(cluster.connection(), each.getValue().name()));
      }
      tables.put(each.getKey(), open);
    }
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
    // The garbage of one way is not to be collected in the time of the next.
    System.gc();
    long cpu = SYSTEM.getProcessCpuTime();
    long began = System.nanoTime();
    List<Future<?>> parts = new ArrayList<>();
    for (int client = 0; client < clients; client++) {
      int first = client;
      parts.add(
          threads.submit(
              () -> {
                Table table = tables.get(way).get(first);
                for (int i = first; i < target.calls().size(); i += clients) {
                  target.calls().get(i).send(table);
                }
                return null;
              }));
    }
    for (Future<?> part : parts) {
      part.get();
    }
    double nanos = System.nanoTime() - began;
    double cpuNanos = SYSTEM.getProcessCpuTime() - cpu;
    return new Lap(nanos / target.rows(), cpuNanos / target.rows());
  }

  private static void send(Table table, List<? extends Row> batch)
      throws IOException, InterruptedException {
    Row first = batch.get(0);
    if (batch.size() > 1) {
      table.batch(batch, new Object[batch.size()]);
    } else if (first instanceof Put put) {
      table.put(put);
    } else if (table.get((Get) first).isEmpty()) {
      throw new IllegalStateException("no row " + first);
    }
  }

  @Override
  public void close() throws IOException {
    threads.shutdownNow();
    for (List<Table> open : tables.values()) {
      for (Table table : open) {
        table.close();
      }
    }
  }
}
