package io.rowguard.client;

import io.rowguard.layout.RowkeyLayout;
import java.io.IOException;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;

/** The bare keys of a table, as its ranges are made of them. As thread-safe as the table. */
final class RangeKeys {
  /** Opens a scan of bare keys. */
  interface Scans {
    ResultScanner open(Scan scan) throws IOException;
  }

  private final LayoutCache layouts;
  private final Scans scans;

  RangeKeys(LayoutCache layouts, Scans scans) {
    this.layouts = layouts;
    this.scans = scans;
  }

  RowkeyLayout layout() {
    return layouts.now().primary();
  }

  /** The most sub-scans of one scan under one layout. */
  int maxBuckets() {
    return layouts.now().maxBuckets();
  }

  /** The first result of a scan; null for none. */
  byte[] firstRow(Scan scan) throws IOException {
    try (ResultScanner scanner = scans.open(scan)) {
      Result result = scanner.next();
      return result == null ? null : result.getRow();
    }
  }
}
