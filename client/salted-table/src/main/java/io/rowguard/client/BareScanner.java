package io.rowguard.client;

import java.io.IOException;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;

/** Gives the rows of bare keys in their order. For one thread. */
interface BareScanner extends ResultScanner {
  /** Whether the next result may have to come from a server first. */
  boolean mayWait();

  /**
   * Opens a scan. Waits for no server.
   *
   * @param scan of bare keys, which the caller may change afterwards
   * @param notConforming counts, when the scan is closed, the rows that conform to no layout
   * @param timeoutMillis how long to wait at one row for regions that have not reopened
   * @throws IOException when the scan cannot be answered through buckets; it says why
   */
  static BareScanner open(
      SaltedRows rows, Scan scan, LayoutCache layouts, LongAdder notConforming, long timeoutMillis)
      throws IOException {
    TableLayouts plan = layouts.now();
    return plan.isStamped()
        ? new ReplannedScanner(rows, scan, layouts, notConforming, timeoutMillis)
        : MergedScanner.ofOneLayout(rows, scan, plan, notConforming);
  }
}
