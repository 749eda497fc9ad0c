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
 * to write that: all rows of a request are pulled with the first that a hook sees. Thread-safe; a
 * thread sees its own only.
 */
public final class RequestPulls {
  private final Map<Thread, OfRequest> byThread = new ConcurrentHashMap<>();

  /** Of one request and region. */
  private static final class OfRequest {
    private final RpcCall call;
    private final Object region;
    private final Map<ByteBuffer, Pulled> pulled = new HashMap<>();

    OfRequest(RpcCall call, Object region) {
      this.call = call;
      this.region = region;
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
    return own == null || own.region != region || own.call != call()
        ? null
        : own.pulled.get(ByteBuffer.wrap(row));
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
            (thread, last) ->
                last != null && last.region == region && last.call == call
                    ? last
                    : new OfRequest(call, region));
    for (int i = 0; i < rows.size(); i++) {
      own.pulled.put(ByteBuffer.wrap(rows.get(i)), pulled.get(i));
    }
  }

  /** It is not needed any more. */
  public void forget() {
    byThread.remove(Thread.currentThread());
  }

  private static RpcCall call() {
    return RpcServer.getCurrentCall().orElse(null);
  }
}
