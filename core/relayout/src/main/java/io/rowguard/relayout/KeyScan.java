package io.rowguard.relayout;

import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;

/**
 * Scans for the keys of rows only: each row comes once, as its first cell without the value, and
 * the servers' block caches stay as they are.
 */
public final class KeyScan {
  private KeyScan() {}

  /**
   * A new scan of all rows, to be narrowed by the caller.
   *
   * @param caching how many rows come with one request, at least 1
   */
  public static Scan of(int caching) {
    return new Scan()
        .setCaching(caching)
        .setCacheBlocks(false)
        .setFilter(new FilterList(new FirstKeyOnlyFilter(), new KeyOnlyFilter()));
  }

  /**
   * The same of all rows that may be old ones of a relayout. Where edits come in any order, a row
   * of delete markers only is one, and a row that has gone comes as well until a compaction: a
   * client cannot tell the two apart, the region that is asked to pull can.
   *
   * @param anyOrder whether edits arrive from other clusters in any order
   */
  public static Scan ofOldRows(int caching, boolean anyOrder) {
    return of(caching).setRaw(anyOrder);
  }
}
