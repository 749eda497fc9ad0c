package io.rowguard.observer.request;

import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;

/** The request that the current thread carries out, if it is a handler. */
public final class CurrentRequest {
  private CurrentRequest() {}

  /**
   * The milliseconds of a time limit that are left to the request of this handler, which began
   * before the batch in hand, with those for other regions. The limit where there is no request.
   */
  public static long millisLeft(long limitMillis) {
    long began = RpcServer.getCurrentCall().map(RpcCall::getStartTime).orElse(0L);
    if (began <= 0) {
      return limitMillis;
    }
    // A clock that was set back must not make it longer.
    return Math.min(limitMillis, limitMillis - (EnvironmentEdgeManager.currentTime() - began));
  }

  /** Whether a server forwards this, here or from elsewhere, and it is no client's request. */
  public static boolean isForwarded() {
    return RpcServer.getCurrentCall()
        .filter(call -> call.getPriority() == HConstants.HIGH_QOS)
        .isPresent();
  }
}
