package io.rowguard.demo;

import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.client.RegionInfo;

/**
 * What one region holds.
 *
 * @param region its boundaries
 * @param rows its rows, in byte order
 * @param bytes of all its cells, without what HBase adds in its files
 */
record RegionContent(RegionInfo region, List<byte[]> rows, long bytes) {

  int rowCount() {
    return rows.size();
  }

  /** The countries of its rows, for regions of a table of places. */
  SortedSet<String> countries() {
    return rows.stream().map(Places::country).collect(Collectors.toCollection(TreeSet::new));
  }
}
