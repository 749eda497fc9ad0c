package io.rowguard.client;

import io.rowguard.config.OtherRowException;
import io.rowguard.config.StaleLayoutException;
import java.net.ConnectException;
import org.apache.hadoop.hbase.CallQueueTooBigException;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.client.NoServerForRegionException;
import org.apache.hadoop.hbase.exceptions.FailedSanityCheckException;
import org.apache.hadoop.hbase.ipc.FailedServerException;
import org.apache.hadoop.hbase.ipc.ServerNotRunningYetException;
import org.apache.hadoop.hbase.regionserver.RegionServerStoppedException;

/** Fate of an operation that was sent once, by its error. */
enum Failure {
  /** Nothing was done, and it may be sent again. */
  NOTHING_DONE,
  /** Nothing was done, as the row stands at the wrong place. */
  REFUSED,
  /** Unknown. */
  UNKNOWN;

  /**
   * Of an error.
   *
   * @param forwards whether the server may have sent it on to another one, which may be late
   */
  static Failure of(Throwable error, boolean forwards) {
    for (Throwable e = error; e != null; e = e.getCause()) {
      if (e instanceof OtherRowException
          || e instanceof StaleLayoutException
          || e instanceof FailedSanityCheckException
          || (e.getMessage() != null && e.getMessage().contains("Rowkey does not fit"))) {
        return REFUSED;
      }
      if (e instanceof RegionTooBusyException) {
        return forwards ? UNKNOWN : NOTHING_DONE;
      }
      if (e instanceof NotServingRegionException
          || e instanceof RegionServerStoppedException
          || e instanceof ServerNotRunningYetException
          || e instanceof CallQueueTooBigException
          || e instanceof NoServerForRegionException
          || e instanceof FailedServerException
          || e instanceof ConnectException) {
        return NOTHING_DONE;
      }
    }
    return UNKNOWN;
  }
}
