package io.rowguard.split;

import io.rowguard.layout.Boundaries;
import java.util.Optional;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Where a region may be cut so that both daughters get rows: above the first and at most at the
 * last row of its store files. Read from the files' metadata, which is in memory.
 */
final class SplitRange {
  private final RegionInfo region;
  private byte[] first;
  private byte[] last;

  SplitRange(HRegion region) {
    this.region = region.getRegionInfo();
    for (HStore store : region.getStores()) {
      for (HStoreFile file : store.getStorefiles()) {
        add(file.getFirstKey());
        add(file.getLastKey());
      }
    }
  }

  /** The legal boundary in the range that is nearest to a key, or null when there is none. */
  byte[] nearest(Boundaries boundaries, byte[] key) {
    if (first == null) {
      return null;
    }
    byte[] start = region.getStartKey();
    byte[] lowest = Bytes.compareTo(first, start) < 0 ? start : first;
    byte[] point = boundaries.nearest(key, lowest, last);
    // Files of a daughter that still refer to its parent's may reach behind the region's end.
    return point != null && region.containsRow(point) ? point : null;
  }

  private void add(Optional<Cell> key) {
    if (key.isPresent()) {
      byte[] row = CellUtil.cloneRow(key.get());
      if (first == null || Bytes.compareTo(row, first) < 0) {
        first = row;
      }
      if (last == null || Bytes.compareTo(row, last) > 0) {
        last = row;
      }
    }
  }
}
