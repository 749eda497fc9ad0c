package io.rowguard.benchmarks.write;

import com.sun.management.OperatingSystemMXBean;
import io.rowguard.benchmarks.BenchmarkCluster;
import io.rowguard.benchmarks.Lap;
import io.rowguard.benchmarks.Race;
import java.io.Closeable;
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
  private final Map<W, Target<?>> targets;
  private final int clients;
  private final ExecutorService threads;
  private final Map<W, List<Client<?>>> open = new HashMap<>();

  /**
   * The rows and the table of a way.
   *
   * @param name the table; ways may share it
   * @param opener how a client gets hold of it
   * @param calls as many as in every other way, the same each time
   * @param rows how many rows they write or read together
   * @param <T> what a client writes to, which is closed in the end if it can be
   */
  public record Target<T>(TableName name, Opener<T> opener, List<Call<T>> calls, int rows) {
    /**
     * Batches of puts, deletes or gets, each read once a call; what is alone in its batch is sent
     * alone.
     */
    public static Target<Table> of(
        TableName name, Opener<Table> opener, List<? extends List<? extends Row>> batches) {
      List<Call<Table>> calls = new ArrayList<>();
      batches.forEach(
          batch -> calls.add(table -> ClusterWriter.send(table, new ArrayList<>(batch))));
      return new Target<>(name, opener, calls, rows(batches));
    }

    /** Batches that are sent in some way, each read once a call. */
    public static <T, R extends Row> Target<T> of(
        TableName name, Opener<T> opener, Sender<T, R> sender, List<? extends List<R>> batches) {
      List<Call<T>> calls = new ArrayList<>();
      batches.forEach(batch -> calls.add(to -> sender.send(to, new ArrayList<>(batch))));
      return new Target<>(name, opener, calls, rows(batches));
    }

    private static int rows(List<? extends List<?>> batches) {
      return batches.stream().mapToInt(List::size).sum();
    }
  }

  /**
   * Something that a client asks for.
   *
   * @param <T> of what
   */
  public interface Call<T> {
    /** Asks for it, and waits until it is carried out. */
    void send(T to) throws Exception;
  }

  /**
   * How batches are sent.
   *
   * @param <T> to what
   * @param <R> what is in them
   */
  public interface Sender<T, R extends Row> {
    /** Sends one, and waits until it is carried out. */
    void send(T to, List<R> batch) throws Exception;
  }

  /**
   * How a client gets hold of a table.
   *
   * @param <T> as what
   */
  public interface Opener<T> {
    /** Opens it for one thread. */
    T open(Connection connection, TableName name) throws IOException;
  }

  /** A way to write that one thread has open, and its calls. */
  private record Client<T>(T to, List<Call<T>> calls) {
    static <T> Client<T> of(Target<T> target, Connection connection) throws IOException {
      return new Client<>(target.opener().open(connection, target.name()), target.calls());
    }

    void send(int call) throws Exception {
      calls.get(call).send(to);
    }
  }

  /**
   * A writer of all ways.
   *
   * @param clients how many threads write
   */
  public ClusterWriter(BenchmarkCluster cluster, Map<W, Target<?>> targets, int clients)
      throws IOException {
    this.cluster = cluster;
    this.targets = targets;
    this.clients = clients;
    this.threads = Executors.newFixedThreadPool(clients);
    for (Map.Entry<W, Target<?>> each : targets.entrySet()) {
      List<Client<?>> some = new ArrayList<>();
      for (int client = 0; client < clients; client++) {
        some.add(Client.of(each.getValue(), cluster.connection()));
      }
      open.put(each.getKey(), some);
    }
  }

  /** Warms up, then measures. */
  public Race<W> race(W baseline) throws Exception {
    return race(baseline, ROUNDS);
  }

  /** The same of so many rounds. */
  public Race<W> race(W baseline, int rounds) throws Exception {
    rounds(new Race<>(baseline), WARM_UP_ROUNDS);
    return rounds(new Race<>(baseline), rounds);
  }

  private Race<W> rounds(Race<W> race, int count) throws Exception {
    for (int i = 0; i < count; i++) {
      race.round(this::lap);
    }
    return race;
  }

  /** The same rows each time. */
  private Lap lap(W way) throws IOException, InterruptedException, ExecutionException {
    Target<?> target = targets.get(way);
    for (HRegion region : cluster.regions(target.name())) {
      region.flush(true);
    }
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
                for (int i = first; i < target.calls().size(); i += clients) {
                  open.get(way).get(first).send(i);
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
    for (List<Client<?>> some : open.values()) {
      for (Client<?> client : some) {
        if (client.to() instanceof Closeable closeable) {
          closeable.close();
        }
      }
    }
  }
}
