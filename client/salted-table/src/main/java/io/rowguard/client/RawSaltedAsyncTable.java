package io.rowguard.client;

import java.util.concurrent.Executor;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.AsyncTableRegionLocator;
import org.apache.hadoop.hbase.client.Scan;

/** A table whose user runs on whichever thread an answer comes: HBase's {@code getTable(name)}. */
final class RawSaltedAsyncTable extends SaltedAsyncTable<AdvancedScanResultConsumer> {
  RawSaltedAsyncTable(
      AsyncTable<AdvancedScanResultConsumer> salted,
      LayoutCache layouts,
      FetchThreads threads,
      AsyncTableRegionLocator locator) {
    super(salted, salted, layouts, threads, locator);
  }

  @Override
  Executor pool() {
    return null;
  }

  @Override
  public void scan(Scan scan, AdvancedScanResultConsumer consumer) {
    tell(scan, consumer);
  }
}
