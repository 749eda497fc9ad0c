package io.rowguard.observer;

import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;

/** The request that the current thread carries out, if it is a handler. */
final class CurrentRequest {
  private CurrentRequest() {}

  /**
   * How much of a time limit is left to the request that this handler carries out: it began before
   * the batch in hand, with those for other regions. The limit where there is no request.
   */
  static long millisLeft(long limitMillis) {
    long began = RpcServer.getCurrentCall().map(RpcCall::getStartTime).orElse(0L);
    if (began <= 0) {
      return limitMillis;
    }
    // A clock that was set back must not make it longer.
    return Math.min(limitMillis, limitMillis - (EnvironmentEdgeManager.currentTime() - began));
  }

  /** Whether this is what a server forwards, here or from elsewhere, and no client's request. */
  static boolean isForwarded() {
    return ForwardThreads.isCurrent()
        || RpcServer.getCurrentCall()
            .filter(call -> call.getPriority() == HConstants.HIGH_QOS)
            .isPresent();
  }
}
