package io.rowguard.client;

import org.apache.hadoop.hbase.client.ResultScanner;

/**
 * Gives the rows of bare keys in their order, as long as the layouts of the table stay what they
 * were when it was made. For one thread.
 */
interface MergedScanner extends ResultScanner {
  /** How many rows it has given, whole or in part. */
  long rowsGiven();
}
