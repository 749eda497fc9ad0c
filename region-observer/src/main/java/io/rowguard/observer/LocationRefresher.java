package io.rowguard.observer;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.ipc.ServerTooBusyException;
import org.apache.hadoop.hbase.ipc.StoppedRpcClientException;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.ExceptionUtil;

/**
 * Has a server's connection read from {@code hbase:meta} where the regions of rows are that it did
 * not find, so that the next try goes there. Thread-safe.
 *
 * <p>HBase's client does so by itself, unless a server says that the region has moved: it is
 * believed, even where two servers say so of each other, as they do for two minutes after the
 * region moved forth and back and was then split or merged.
 *
 * <p>One thread of a server does so at a time, whatever the table; others go without. So where meta
 * itself is slow, this does not make it slower.
 */
final class LocationRefresher {
  private final Connection connection;
  private final TableName table;
  private final AtomicBoolean refreshing;
  private final SampleLog log;

  LocationRefresher(Connection connection, TableName table, ForwardThreads threads, SampleLog log) {
    this.connection = connection;
    this.table = table;
    this.refreshing = threads.refreshing();
    this.log = log;
  }

  /** Whether a call may have failed since its region is not where the client looked for it. */
  static boolean mayBeElsewhere(Throwable error) {
    for (Throwable cause = error; cause != null; cause = cause.getCause()) {
      if (cause instanceof RegionTooBusyException
          || cause instanceof ServerTooBusyException
          || cause instanceof StoppedRpcClientException
          || ExceptionUtil.isInterrupt(cause)) {
        return false;
      }
    }
    return true;
  }

  /**
   * Refreshes the locations of rows' regions, each once, until all are known or it is interrupted.
   *
   * @param unordered the rows, in any order
   */
  void refresh(List<byte[]> unordered) {
    if (unordered.isEmpty() || connection.isClosed() || !refreshing.compareAndSet(false, true)) {
      return;
    }
    try (RegionLocator locator = connection.getRegionLocator(table)) {
      List<byte[]> rows = new ArrayList<>(unordered);
      rows.sort(Bytes.BYTES_COMPARATOR);
      RegionInfo found = null;
      for (byte[] row : rows) {
        if (found == null || !found.containsRow(row)) {
          found = locator.getRegionLocation(row, true).getRegion();
        }
      }
    } catch (IOException e) {
      log.sample(
          () -> "The region of a salted row could not be looked up. table=" + table + " why=" + e);
    } finally {
      refreshing.set(false);
    }
  }
}
