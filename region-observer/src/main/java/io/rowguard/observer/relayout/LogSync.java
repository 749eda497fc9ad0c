package io.rowguard.observer.relayout;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.regionserver.HRegion;

/**
 * How safely what a change of the layout writes lies in a region's log: at least synced, whatever
 * the table says, and on the disks where the table's own writes are. A copy and a drop lie in two
 * logs; after a loss of power neither may be there without the other.
 */
final class LogSync {
  /** {@code HRegion.WAL_HSYNC_CONF_KEY}. */
  private static final String HSYNC = "hbase.wal.hsync";

  private LogSync() {}

  /** The durability of a region's copies and drops. */
  static Durability of(HRegion region) {
    return of(region.getTableDescriptor(), region.getReadOnlyConfiguration());
  }

  /**
   * As {@code HRegion} has the durability of a mutation that says nothing, but no less than synced.
   */
  static Durability of(TableDescriptor table, Configuration conf) {
    Durability declared = table.getDurability();
    boolean isOnDisk =
        declared == Durability.USE_DEFAULT
            ? conf.getBoolean(HSYNC, false)
            : declared == Durability.FSYNC_WAL;
    return isOnDisk ? Durability.FSYNC_WAL : Durability.SYNC_WAL;
  }
}
