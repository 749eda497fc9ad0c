package io.rowguard.observer;

import java.util.concurrent.CompletionException;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.client.NoServerForRegionException;
import org.apache.hadoop.hbase.client.RetriesExhaustedException;
import org.apache.hadoop.hbase.ipc.ServerTooBusyException;
import org.apache.hadoop.hbase.ipc.StoppedRpcClientException;

/** What the failure of something that was forwarded means. */
final class Failures {
  // By name, since HBase 3.0 does not have the class.
  private static final String OPERATION_TIMEOUT = "OperationTimeoutExceededException";

  private Failures() {}

  /** What the last try failed with; the client wraps also what it did not try again. */
  static Throwable reasonOf(Throwable error) {
    boolean wraps =
        error instanceof RetriesExhaustedException || error instanceof CompletionException;
    return wraps && error.getCause() != null ? reasonOf(error.getCause()) : error;
  }

  /**
   * Whether it is of no use to try again: the other region says so, and not this server's client,
   * which gives up by itself, or whose connection is closed while the server stops.
   */
  static boolean isFinal(Throwable failure) {
    Throwable error = reasonOf(failure);
    return error instanceof DoNotRetryIOException
        && !error.getClass().getSimpleName().equals(OPERATION_TIMEOUT)
        && !(error instanceof ServerTooBusyException)
        && !(error instanceof StoppedRpcClientException)
        && !(error instanceof NoServerForRegionException);
  }

  /**
   * What a client gets that is to try again later. Without a stack trace, since HBase sends that
   * once per row.
   */
  static RegionTooBusyException busy(String message) {
    RegionTooBusyException busy = new RegionTooBusyException(message);
    busy.setStackTrace(new StackTraceElement[0]);
    return busy;
  }
}
