package io.rowguard.soak;

import java.net.ConnectException;
import java.util.List;
import org.apache.hadoop.hbase.CallQueueTooBigException;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.client.NoServerForRegionException;
import org.apache.hadoop.hbase.ipc.FailedServerException;
import org.apache.hadoop.hbase.ipc.ServerNotRunningYetException;
import org.apache.hadoop.hbase.regionserver.RegionServerStoppedException;

/** The outcome of a write that was sent once, by its error. */
enum WriteOutcome {
  /** It was not carried out. */
  NOTHING_DONE,
  /** It was not carried out, and its row was said not to fit. */
  REFUSED,
  /** It may have been carried out, or may be yet. */
  UNKNOWN;

  private static final List<Class<? extends Exception>> BEFORE_THE_WRITE =
      List.of(
          NotServingRegionException.class,
          RegionServerStoppedException.class,
          ServerNotRunningYetException.class,
          CallQueueTooBigException.class,
          NoServerForRegionException.class,
          FailedServerException.class,
          ConnectException.class);

  /**
   * Of an error.
   *
   * @param isForwarded whether a server sends the write on to another one, whose error it may be
   */
  static WriteOutcome of(Throwable error, boolean isForwarded) {
    for (Throwable each = error; each != null; each = each.getCause()) {
      Throwable e = each;
      if (e.getMessage() != null && e.getMessage().contains("Rowkey does not fit")) {
        return REFUSED;
      }
      if (!isForwarded && BEFORE_THE_WRITE.stream().anyMatch(kind -> kind.isInstance(e))) {
        return NOTHING_DONE;
      }
    }
    return UNKNOWN;
  }
}
