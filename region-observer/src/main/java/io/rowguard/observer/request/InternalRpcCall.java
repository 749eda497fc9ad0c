package io.rowguard.observer.request;

import java.lang.reflect.Array;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;

/**
 * A request without a client, for work that a server does itself in one of its regions. It has a
 * deadline: by that HBase ends its wait for a row lock ({@code HRegion#getRowLockInternal});
 * without, it waits as long as the lock is held. And it has no user, so it is done with the
 * server's own rights.
 */
public final class InternalRpcCall implements InvocationHandler {
  private final long began = EnvironmentEdgeManager.currentTime();
  private final long deadline;
  private final List<byte[]> rows;

  private InternalRpcCall(long millis, List<byte[]> rows) {
    this.deadline = began + millis;
    this.rows = rows;
  }

  /** Something to do. */
  public interface Task<T, E extends Exception> {
    /** Does it. */
    T run() throws E;
  }

  /**
   * Does something as such a request, in the place of the current thread's, if it has one.
   *
   * @param millis how long it may take
   * @param rows which it writes; none where they need not be known
   */
  public static <T, E extends Exception> T run(long millis, List<byte[]> rows, Task<T, E> task)
      throws E {
    Optional<RpcCall> outer = RpcServer.unsetCurrentCall();
    RpcServer.setCurrentCall(
        (RpcCall)
            Proxy.newProxyInstance(
                InternalRpcCall.class.getClassLoader(),
                new Class<?>[] {RpcCall.class},
                new InternalRpcCall(millis, Collections.unmodifiableList(rows))));
    try {
      return task.run();
    } finally {
      RpcServer.unsetCurrentCall();
      outer.ifPresent(RpcServer::setCurrentCall);
    }
  }

  /** The rows that are written with a request; null where it is none of these. */
  static List<byte[]> rowsOf(RpcCall call) {
    return Proxy.isProxyClass(call.getClass())
            && Proxy.getInvocationHandler(call) instanceof InternalRpcCall
        ? ((InternalRpcCall) Proxy.getInvocationHandler(call)).rows
        : null;
  }

  @Override
  public Object invoke(Object self, Method method, Object[] arguments) {
    Class<?> type = method.getReturnType();
    switch (method.getName()) {
      case "getDeadline":
        return deadline;
      case "getStartTime":
        return began;
      case "getPriority":
        return HConstants.HIGH_QOS; // as what servers send each other
      case "disconnectSince":
        return -1L; // no client has left, else scans end: RegionScannerImpl
      case "hashCode":
        return System.identityHashCode(self);
      case "equals":
        return self == arguments[0];
      default:
        break;
    }
    if (type == Optional.class) {
      return Optional.empty();
    }
    if (type == Map.class) {
      return Collections.emptyMap(); // attributes, from HBase 2.6 on: other coprocessors read them
    }
    // Default value for methods that this class does not implement.
    return type.isPrimitive() && type != void.class
        ? Array.get(Array.newInstance(type, 1), 0)
        : null;
  }
}
