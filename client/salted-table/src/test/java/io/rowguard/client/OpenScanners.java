package io.rowguard.client;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.RegionScanner;

/** Counts the scanners that are open, and those that ever were. */
public final class OpenScanners implements RegionCoprocessor, RegionObserver {
  private static final Map<TableName, AtomicInteger> OPEN = new ConcurrentHashMap<>();
  private static final Map<TableName, AtomicInteger> OPENED = new ConcurrentHashMap<>();

  static int open(TableName table) {
    return of(OPEN, table).get();
  }

  static int opened(TableName table) {
    return of(OPENED, table).get();
  }

  private static AtomicInteger of(Map<TableName, AtomicInteger> counts, TableName table) {
    return counts.computeIfAbsent(table, key -> new AtomicInteger());
  }

  @Override
  public Optional<RegionObserver> getRegionObserver() {
    return Optional.of(this);
  }

  @Override
  public RegionScanner postScannerOpen(
      ObserverContext<RegionCoprocessorEnvironment> context, Scan scan, RegionScanner scanner) {
    TableName table = context.getEnvironment().getRegionInfo().getTable();
    of(OPEN, table).incrementAndGet();
    of(OPENED, table).incrementAndGet();
    return scanner;
  }

  @Override
  public void postScannerClose(
      ObserverContext<RegionCoprocessorEnvironment> context, InternalScanner scanner) {
    of(OPEN, context.getEnvironment().getRegionInfo().getTable()).decrementAndGet();
  }
}
