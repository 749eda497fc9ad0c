package io.rowguard.client;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.util.Bytes;

/** Lets calls for more rows fail in one region. */
public final class FailingScans implements RegionCoprocessor, RegionObserver {
  /** The start key of the region; null for none. */
  static volatile byte[] region;

  /** How many calls go well before. */
  static final AtomicInteger CALLS_LEFT = new AtomicInteger();

  @Override
  public Optional<RegionObserver> getRegionObserver() {
    return Optional.of(this);
  }

  @Override
  public boolean preScannerNext(
      ObserverContext<RegionCoprocessorEnvironment> context,
      InternalScanner scanner,
      List<Result> result,
      int limit,
      boolean hasNext)
      throws IOException {
    byte[] start = context.getEnvironment().getRegionInfo().getStartKey();
    if (region != null && Bytes.equals(region, start) && CALLS_LEFT.getAndDecrement() <= 0) {
      throw new DoNotRetryIOException("This region gives no more rows.");
    }
    return hasNext;
  }
}
