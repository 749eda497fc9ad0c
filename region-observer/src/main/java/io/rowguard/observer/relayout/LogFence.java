package io.rowguard.observer.relayout;

import java.io.IOException;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.MultiVersionConcurrencyControl.WriteEntry;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.apache.hadoop.hbase.wal.WAL;
import org.apache.hadoop.hbase.wal.WALEdit;
import org.apache.hadoop.hbase.wal.WALKeyImpl;

/**
 * Stops a server that the master has given up: it still reads what it has in memory, but its
 * write-ahead log is closed to it before its regions open elsewhere ({@code RecoverLeaseFSUtils}).
 *
 * <p>The edit that goes into the log is like HBase's own markers ({@code WALUtil}): it is of {@code
 * METAFAMILY}, which replay and replication leave out, and has a qualifier of its own.
 */
final class LogFence {
  private static final byte[] QUALIFIER = Bytes.toBytes("ROWGUARD::ANSWER");

  private LogFence() {}

  /**
   * Returns when an edit is in the region's log, synced: up to its beginning the region was this
   * server's.
   *
   * @throws IOException when it is not in the log, or may not be
   */
  @SuppressWarnings("deprecation") // METAFAMILY: for HBase itself, whose readers know it
  static void pass(HRegion region) throws IOException {
    RegionInfo info = region.getRegionInfo();
    long now = EnvironmentEdgeManager.currentTime();
    KeyValue cell =
        new KeyValue(
            WALEdit.getRowForRegion(info), WALEdit.METAFAMILY, QUALIFIER, now, new byte[0]);
    WALKeyImpl key =
        new WALKeyImpl(info.getEncodedNameAsBytes(), info.getTable(), now, region.getMVCC());
    WAL log = region.getWAL();
    try {
      long id = log.appendMarker(info, key, new WALEdit().add(cell));
      log.sync(id, LogSync.of(region) == Durability.FSYNC_WAL);
    } finally {
      WriteEntry begun = key.getWriteEntry();
      if (begun != null) {
        region.getMVCC().complete(begun);
      }
    }
  }
}
