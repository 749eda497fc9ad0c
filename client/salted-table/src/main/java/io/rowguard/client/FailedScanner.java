package io.rowguard.client;

import java.io.IOException;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;

/** A scan that could not be opened, where only {@link #next} may say so. */
final class FailedScanner implements ResultScanner {
  private final IOException failure;

  FailedScanner(IOException failure) {
    this.failure = failure;
  }

  @Override
  public Result next() throws IOException {
    throw failure;
  }

  @Override
  public void close() {
    // Nothing is open.
  }

  @Override
  public boolean renewLease() {
    return false;
  }

  @Override
  public ScanMetrics getScanMetrics() {
    return null;
  }
}
