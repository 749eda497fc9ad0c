package io.rowguard.benchmarks.write;

import com.sun.management.OperatingSystemMXBean;
import io.rowguard.benchmarks.Cluster;
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
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.regionserver.HRegion;

/** Writes to tables as clients do, from several threads; everything runs in this JVM. */
final class ClusterWriter implements AutoCloseable {
  /** How many threads write. */
  static final int THREADS = 4;

  private static final int WARM_UP_ROUNDS = 3;
  private static final int ROUNDS = 25;
  private static final OperatingSystemMXBean SYSTEM =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

  private final Cluster cluster;
  private final Map<Guard, TableName> tables;
  private final List<List<Put>> batches = new ArrayList<>();
  private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);

  ClusterWriter(
      Cluster cluster, Map<Guard, TableName> tables, WrittenRows rows, Durability durability) {
    this.cluster = cluster;
    this.tables = tables;
    for (int i = 0; i < rows.batches(); i++) {
      batches.add(rows.batch(i, durability));
    }
  }

  /** Warms up, then measures. */
  Race race() throws Exception {
    rounds(new Race(), WARM_UP_ROUNDS);
    return rounds(new Race(), ROUNDS);
  }

  private Race rounds(Race race, int count) throws Exception {
    for (int i = 0; i < count; i++) {
      race.round(this::lap);
      for (TableName table : tables.values()) {
        for (HRegion region : cluster.regions(table)) {
          region.flush(true);
        }
      }
    }
    return race;
  }

  /** The same rows each time. */
  private Lap lap(Guard guard) throws InterruptedException, ExecutionException {
    // What one guard leaves behind is not to be cleared away in the time of the next.
    System.gc();
    long cpu = SYSTEM.getProcessCpuTime();
    long began = System.nanoTime();
    List<Future<?>> parts = new ArrayList<>();
    for (int thread = 0; thread < THREADS; thread++) {
      int first = thread;
      parts.add(
          threads.submit(
              () -> {
                write(tables.get(guard), first);
                return null;
              }));
    }
    for (Future<?> part : parts) {
      part.get();
    }
    double nanos = System.nanoTime() - began;
    double cpuNanos = SYSTEM.getProcessCpuTime() - cpu;
    double count = (double) batches.size() * WrittenRows.BATCH;
    return new Lap(nanos / count, cpuNanos / count);
  }

  private void write(TableName name, int first) throws IOException {
    try (Table table = cluster.connection().getTable(name)) {
      for (int i = first; i < batches.size(); i += THREADS) {
        table.put(batches.get(i));
      }
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
