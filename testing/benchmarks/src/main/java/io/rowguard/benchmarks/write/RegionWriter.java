package io.rowguard.benchmarks.write;

import io.rowguard.benchmarks.Lap;
import io.rowguard.benchmarks.Race;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.HConstants.OperationStatusCode;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.OperationStatus;

/**
 * Writes to regions as a region server's handler does, from one thread, without a client, a network
 * and a write-ahead log: so all that is left beside the guard is what the region itself does.
 */
final class RegionWriter {
  /** How many batches a lap has. */
  static final int BATCHES = 20;

  private static final int WARM_UP_ROUNDS = 100;
  private static final int ROUNDS = 1_000;
  // The more a region holds in memory, the slower it takes more.
  private static final int ROUNDS_PER_FLUSH = 100;
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final Map<Guard, HRegion> regions;
  private final WrittenRows rows;
  private int round;

  RegionWriter(Map<Guard, HRegion> regions, WrittenRows rows) {
    this.regions = new EnumMap<>(regions);
    this.rows = rows;
  }

  /** Warms up, then measures. */
  Race<Guard> race() throws Exception {
    rounds(new Race<>(Guard.EMPTY), WARM_UP_ROUNDS);
    return rounds(new Race<>(Guard.EMPTY), ROUNDS);
  }

  private Race<Guard> rounds(Race<Guard> race, int count) throws Exception {
    for (int i = 0; i < count; i++) {
      if (i % ROUNDS_PER_FLUSH == 0) {
        for (HRegion region : regions.values()) {
          region.flush(true);
        }
      }
      race.round(this::lap);
      round++;
    }
    return race;
  }

  private Lap lap(Guard guard) throws IOException {
    HRegion region = regions.get(guard);
    Put[][] batches = new Put[BATCHES][];
    for (int i = 0; i < BATCHES; i++) {
      List<Put> batch = rows.batch((round * BATCHES + i) % rows.batches(), Durability.SKIP_WAL);
      batches[i] = batch.toArray(new Put[0]);
    }
    OperationStatus[][] statuses = new OperationStatus[BATCHES][];
    long cpu = THREADS.getCurrentThreadCpuTime();
    long began = System.nanoTime();
    for (int i = 0; i < BATCHES; i++) {
      statuses[i] = region.batchMutate(batches[i]);
    }
    double nanos = System.nanoTime() - began;
    double cpuNanos = THREADS.getCurrentThreadCpuTime() - cpu;
    for (OperationStatus[] ofBatch : statuses) {
      for (OperationStatus status : ofBatch) {
        if (status.getOperationStatusCode() != OperationStatusCode.SUCCESS) {
          throw new IllegalStateException(guard + ": " + status.getExceptionMsg());
        }
      }
    }
    double count = (double) BATCHES * WrittenRows.BATCH;
    return new Lap(nanos / count, cpuNanos / count);
  }
}
