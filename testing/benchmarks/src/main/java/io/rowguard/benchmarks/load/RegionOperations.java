package io.rowguard.benchmarks.load;

import io.rowguard.benchmarks.Lap;
import io.rowguard.benchmarks.Race;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HConstants.OperationStatusCode;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.OperationStatus;
import org.apache.hadoop.hbase.regionserver.RegionCoprocessorHost;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Writes to regions and reads them as a region server's handler does, from one thread, without a
 * client, a network and a write-ahead log. The rest of an operation is the least that a server
 * does, so the share of counting it is the largest.
 */
final class RegionOperations {
  private static final int PUTS_AT_ONCE = 100;
  private static final int PUTS = 2_000;
  private static final int GETS = 500;
  private static final int SCANNED = 4_000;
  // HBase's client asks for as much as fits into 2 MB.
  private static final int ROWS_PER_CALL = 1_000;
  private static final int WARM_UP_ROUNDS = 100;
  private static final int ROUNDS = 600;
  // The more a region holds in memory, the slower it takes more.
  private static final int ROUNDS_PER_FLUSH = 100;
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final Map<Sampling, HRegion> regions;
  private final List<byte[]> rows;
  private final List<byte[]> ordered;
  private final byte[] family;
  private int round;

  /** An operation of one lap. */
  private interface Operation {
    /** Does it to so many rows. */
    int run(HRegion region) throws IOException;
  }

  /**
   * Regions that are to be compared.
   *
   * @param rows more than a lap needs, in any order, all of which the regions take
   */
  RegionOperations(Map<Sampling, HRegion> regions, List<byte[]> rows, byte[] family) {
    this.regions = new EnumMap<>(regions);
    this.rows = List.copyOf(rows);
    this.ordered = new ArrayList<>(rows);
    this.ordered.sort(Bytes.BYTES_COMPARATOR);
    this.family = family.clone();
  }

  /** Races puts in batches. */
  Race<Sampling> puts() throws Exception {
    return race(this::put, /* writes= */ true);
  }

  /** Races Gets of rows that are there. */
  Race<Sampling> gets() throws Exception {
    return race(this::get, /* writes= */ false);
  }

  /** Races scans of a range of rows. */
  Race<Sampling> scans() throws Exception {
    return race(this::scan, /* writes= */ false);
  }

  private Race<Sampling> race(Operation operation, boolean writes) throws Exception {
    rounds(new Race<>(Sampling.OFF), operation, WARM_UP_ROUNDS, writes);
    return rounds(new Race<>(Sampling.OFF), operation, ROUNDS, writes);
  }

  private Race<Sampling> rounds(Race<Sampling> race, Operation operation, int count, boolean writes)
      throws Exception {
    for (int i = 0; i < count; i++) {
      if (writes && i % ROUNDS_PER_FLUSH == 0) {
        for (HRegion region : regions.values()) {
          region.flush(true);
        }
      }
      race.round(sampling -> lap(regions.get(sampling), operation));
      round++;
    }
    return race;
  }

  private static Lap lap(HRegion region, Operation operation) throws IOException {
    long cpu = THREADS.getCurrentThreadCpuTime();
    long began = System.nanoTime();
    double count = operation.run(region);
    double nanos = System.nanoTime() - began;
    double cpuNanos = THREADS.getCurrentThreadCpuTime() - cpu;
    return new Lap(nanos / count, cpuNanos / count);
  }

  private int put(HRegion region) throws IOException {
    for (int first = 0; first < PUTS; first += PUTS_AT_ONCE) {
      Put[] batch = new Put[PUTS_AT_ONCE];
      for (int i = 0; i < PUTS_AT_ONCE; i++) {
        byte[] row = rows.get((round * PUTS + first + i) % rows.size());
        batch[i] = new Put(row).addColumn(family, row, row).setDurability(Durability.SKIP_WAL);
      }
      for (OperationStatus status : region.batchMutate(batch)) {
        if (status.getOperationStatusCode() != OperationStatusCode.SUCCESS) {
          throw new IllegalStateException("a put failed: " + status.getExceptionMsg());
        }
      }
    }
    return PUTS;
  }

  private int get(HRegion region) throws IOException {
    for (int i = 0; i < GETS; i++) {
      byte[] row = rows.get((round * GETS + i) % rows.size());
      if (region.get(new Get(row)).isEmpty()) {
        throw new IllegalStateException("a row is missing");
      }
    }
    return GETS;
  }

  /** The calls of {@code RSRpcServices.scan}, with its hooks. */
  private int scan(HRegion region) throws IOException {
    RegionCoprocessorHost hooks = region.getCoprocessorHost();
    Scan scan = new Scan().withStartRow(ordered.get(round * SCANNED % (ordered.size() - SCANNED)));
    hooks.preScannerOpen(scan);
    int count = 0;
    try (RegionScanner scanner = hooks.postScannerOpen(scan, region.getScanner(scan))) {
      List<Cell> cells = new ArrayList<>();
      while (count < SCANNED) {
        List<Result> results = new ArrayList<>();
        hooks.preScannerNext(scanner, results, ROWS_PER_CALL);
        boolean more = true;
        while (more && results.size() < ROWS_PER_CALL) {
          more = scanner.nextRaw(cells);
          results.add(Result.create(cells));
          cells.clear();
        }
        hooks.postScannerNext(scanner, results, ROWS_PER_CALL, more);
        count += results.size();
        if (!more) {
          throw new IllegalStateException("rows are missing: only " + count);
        }
      }
    }
    return count;
  }
}
