package io.rowguard.benchmarks.load;

import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HConstants.OperationStatusCode;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.OperationStatus;
import org.apache.hadoop.hbase.regionserver.RegionCoprocessorHost;
import org.apache.hadoop.hbase.regionserver.RegionScanner;

/**
 * Writes to regions and reads them as a region server's handler does, without a client and a
 * network. The rest of an operation is the least that a server does, so the share of counting it is
 * the largest.
 */
final class RegionOperations implements SampledOperations {
  private static final int PUTS_AT_ONCE = 100;
  private static final int PUTS = 2_000;
  private static final int GETS = 500;
  private static final int SCANNED = 4_000;
  // HBase's client asks for as much as fits into 2 MB.
  private static final int ROWS_PER_CALL = 1_000;

  private final Map<SampleRate, HRegion> regions;
  private final SampledRows rows;

  RegionOperations(Map<SampleRate, HRegion> regions, SampledRows rows) {
    this.regions = new EnumMap<>(regions);
    this.rows = rows;
  }

  @Override
  public int put(SampleRate sampling) throws IOException {
    for (int count = 0; count < PUTS; count += PUTS_AT_ONCE) {
      Put[] batch = rows.puts(PUTS_AT_ONCE).toArray(new Put[0]);
      for (OperationStatus status : regions.get(sampling).batchMutate(batch)) {
        if (status.getOperationStatusCode() != OperationStatusCode.SUCCESS) {
          throw new IllegalStateException("a put failed: " + status.getExceptionMsg());
        }
      }
    }
    return PUTS;
  }

  @Override
  public int get(SampleRate sampling) throws IOException {
    for (int i = 0; i < GETS; i++) {
      if (regions.get(sampling).get(rows.get()).isEmpty()) {
        throw new IllegalStateException("a row is missing");
      }
    }
    return GETS;
  }

  /** The calls of {@code RSRpcServices.scan}, with its hooks. */
  @Override
  public int scan(SampleRate sampling) throws IOException {
    HRegion region = regions.get(sampling);
    RegionCoprocessorHost hooks = region.getCoprocessorHost();
    Scan scan = rows.scan(SCANNED);
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

  @Override
  public void flush() throws IOException {
    for (HRegion region : regions.values()) {
      region.flush(true);
    }
  }
}
