package io.rowguard.observer.peers;

import java.util.concurrent.CompletionException;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.NoServerForRegionException;
import org.apache.hadoop.hbase.client.RetriesExhaustedException;
import org.apache.hadoop.hbase.ipc.ServerTooBusyException;
import org.apache.hadoop.hbase.ipc.StoppedRpcClientException;

/** The meaning of failures at other regions. */
public final class PeerFailures {
  // By name, since HBase 3.0 does not have the class.
  private static final String OPERATION_TIMEOUT = "OperationTimeoutExceededException";

  private PeerFailures() {}

  /** The failure of the last try; the client wraps also what it did not try again. */
  public static Throwable reasonOf(Throwable error) {
    boolean wraps =
        error instanceof RetriesExhaustedException || error instanceof CompletionException;
    return wraps && error.getCause() != null ? reasonOf(error.getCause()) : error;
  }

  /**
   * Whether the other region rejected this for good. This server's client gives up by itself, or
   * its connection is closed while the server stops; that is not final.
   */
  static boolean isFinal(Throwable failure) {
    Throwable error = reasonOf(failure);
    return error instanceof DoNotRetryIOException
        && !error.getClass().getSimpleName().equals(OPERATION_TIMEOUT)
        && !(error instanceof ServerTooBusyException)
        && !(error instanceof StoppedRpcClientException)
        && !(error instanceof NoServerForRegionException);
  }
}
