package io.rowguard.client;

import java.io.IOException;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.hbase.client.Scan;

/**
 * Gives the rows of bare keys in their order, as long as the layouts of the table stay what they
 * were when it was made. For one thread.
 */
interface MergedScanner extends BareScanner {
  /** How many rows it has given, whole or in part. */
  long rowsGiven();

  /**
   * Opens a scan of a table whose layout does not change.
   *
   * @param scan of bare keys
   * @param notConforming counts, when the scan is closed, the rows that did not conform
   */
  static MergedScanner ofOneLayout(
      SaltedRows rows, Scan scan, TableLayouts plan, LongAdder notConforming) throws IOException {
    if (!plan.isDeriving()) {
      return new PlainScanner(rows, scan, plan);
    }
    SaltedScanner scanner =
        new SaltedScanner(
            rows,
            scan,
            ScanPlan.of(scan, plan.target(), plan.filters(), plan.maxBuckets()),
            notConforming);
    return plan.hasChoice()
        ? new RowMergeScanner(scanner, scan, RowMerge.of(scan, plan.maxVersions()))
        : scanner;
  }
}
