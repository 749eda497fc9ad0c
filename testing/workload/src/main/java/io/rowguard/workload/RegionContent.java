package io.rowguard.workload;

import java.util.List;
import org.apache.hadoop.hbase.client.RegionInfo;

/**
 * The content of one region.
 *
 * @param region its boundaries
 * @param rows its rows, in byte order
 * @param bytes of all its cells, without what HBase adds in its files
 */
public record RegionContent(RegionInfo region, List<byte[]> rows, long bytes) {

  /** How many rows. */
  public int rowCount() {
    return rows.size();
  }
}
