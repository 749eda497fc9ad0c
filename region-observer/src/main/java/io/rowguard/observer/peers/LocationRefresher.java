package io.rowguard.observer.peers;

import io.rowguard.observer.metrics.SampleLog;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncTableRegionLocator;
import org.apache.hadoop.hbase.ipc.ServerTooBusyException;
import org.apache.hadoop.hbase.ipc.StoppedRpcClientException;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.ExceptionUtil;
import org.apache.hadoop.hbase.util.FutureUtils;

/**
 * Refreshes cached region locations from {@code hbase:meta} after a failed call, so that the next
 * try goes to the right place. Thread-safe.
 *
 * <p>HBase's client does so by itself, unless a server says that the region has moved: it is
 * believed, even where two servers say so of each other, as they do for two minutes after the
 * region moved forth and back and was then split or merged.
 *
 * <p>One batch of a server does so at a time, whatever the table; others go without. So where meta
 * itself is slow, this does not make it slower.
 */
final class LocationRefresher {
  private final ServerPeers forwards;
  private final TableName table;
  private final SampleLog log;

  LocationRefresher(ServerPeers forwards, TableName table, SampleLog log) {
    this.forwards = forwards;
    this.table = table;
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
   * Begins to refresh the locations of rows' regions, each once.
   *
   * @param unordered the rows, in any order
   */
  void refresh(List<byte[]> unordered) {
    if (unordered.isEmpty()
        || forwards.isClosed()
        || !forwards.refreshing().compareAndSet(false, true)) {
      return;
    }
    List<byte[]> rows = new ArrayList<>(unordered);
    rows.sort(Bytes.BYTES_COMPARATOR);
    try {
      FutureUtils.addListener(
          forwards
              .connection()
              .thenCompose(connection -> refresh(connection.getRegionLocator(table), rows, 0)),
          (none, error) -> ended(error));
    } catch (RuntimeException | Error e) {
      ended(e);
    }
  }

  private void ended(Throwable error) {
    forwards.refreshing().set(false);
    if (error != null) {
      log.sample(
          () ->
              "The region of a salted row could not be looked up. table="
                  + table
                  + " why="
                  + error);
    }
  }

  /** Goes on with the first row behind the region that was found last. */
  private static CompletableFuture<Void> refresh(
      AsyncTableRegionLocator locator, List<byte[]> rows, int next) {
    if (next == rows.size()) {
      return CompletableFuture.completedFuture(null);
    }
    return locator
        .getRegionLocation(rows.get(next), true)
        .thenCompose(
            found -> {
              int after = next + 1;
              while (after < rows.size() && found.getRegion().containsRow(rows.get(after))) {
                after++;
              }
              return refresh(locator, rows, after);
            });
  }
}
