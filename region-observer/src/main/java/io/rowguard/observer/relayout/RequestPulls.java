package io.rowguard.observer.relayout;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.ipc.RpcServer;

/**
 * What has been pulled for the request that each handler of a server carries out, until it begins
 * to write that: all rows of a request are pulled with the first that a hook sees, those of its
 * other regions too. Thread-safe; a thread sees its own only.
 */
public final class RequestPulls {
  private final Map<Thread, OfRequest> byThread = new ConcurrentHashMap<>();

  /** Of one request: by the instance of the region, and by row. */
  private static final class OfRequest {
    private final RpcCall call;
    private final Map<Object, Map<ByteBuffer, Pulled>> pulled = new HashMap<>();

    OfRequest(RpcCall call) {
      this.call = call;
    }
  }

  /** Nothing has been pulled. */
  public RequestPulls() {}

  /**
   * What has been pulled of a row for this thread's request; null where nothing is remembered.
   *
   * @param region the instance of the region
   */
  public Pulled get(Object region, byte[] row) {
    OfRequest own = byThread.get(Thread.currentThread());
    Map<ByteBuffer, Pulled> pulled =
        own == null || own.call != call() ? null : own.pulled.get(region);
    return pulled == null ? null : pulled.get(ByteBuffer.wrap(row));
  }

  /** Remembers what has been pulled; nothing where the thread carries out no request. */
  public void put(Object region, List<byte[]> rows, List<Pulled> pulled) {
    RpcCall call = call();
    if (call == null) {
      return;
    }
    OfRequest own =
        byThread.compute(
            Thread.currentThread(),
            (thread, last) -> last != null && last.call == call ? last : new OfRequest(call));
    Map<ByteBuffer, Pulled> known = own.pulled.computeIfAbsent(region, key -> new HashMap<>());
    for (int i = 0; i < rows.size(); i++) {
      known.put(ByteBuffer.wrap(rows.get(i)), pulled.get(i));
    }
  }

  /** What is remembered of a region is not needed any more, nor what is of another request. */
  public void forget(Object region) {
    RpcCall call = call();
    byThread.computeIfPresent(
        Thread.currentThread(),
        (thread, own) -> {
          if (own.call == call) {
            own.pulled.remove(region);
            return own.pulled.isEmpty() ? null : own;
          }
          // A copy is written in the middle of a request, as one of the server's own.
          return call != null && OwnCall.rowsOf(call) != null ? own : null;
        });
  }

  private static RpcCall call() {
    return RpcServer.getCurrentCall().orElse(null);
  }
}
