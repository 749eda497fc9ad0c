package io.rowguard.observer.relayout;

import java.lang.ref.WeakReference;
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
 *
 * <p>HBase tells no hook that a request is over which failed early. So requests and regions are
 * held weakly, and {@link #sweep} forgets the rest.
 */
public final class RequestPulls {
  private final Map<Thread, OfRequest> byThread = new ConcurrentHashMap<>();

  /** Of one request; only {@link #sweep} looks at it from another thread. */
  private static final class OfRequest {
    private final WeakReference<RpcCall> call;
    private final Map<ByteBuffer, Pulled> pulled = new HashMap<>();

    /** Of what is pulled. */
    private WeakReference<Object> region = new WeakReference<>(null);

    private boolean inMultiRowCall;

    OfRequest(RpcCall call) {
      this.call = new WeakReference<>(call);
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
    OfRequest own = current();
    return own == null || own.region.get() != region ? null : own.pulled.get(ByteBuffer.wrap(row));
  }

  /** Remembers what has been pulled; nothing where the thread carries out no request. */
  public void put(Object region, List<byte[]> rows, List<Pulled> pulled) {
    OfRequest own = currentOrNew();
    if (own == null) {
      return;
    }
    if (own.region.get() != region) {
      own.region = new WeakReference<>(region);
      own.pulled.clear();
    }
    for (int i = 0; i < rows.size(); i++) {
      own.pulled.put(ByteBuffer.wrap(rows.get(i)), pulled.get(i));
    }
  }

  /** Forgets what has been pulled. */
  public void forget() {
    OfRequest own = current();
    if (own != null && own.inMultiRowCall) {
      own.pulled.clear();
    } else {
      byThread.remove(Thread.currentThread());
    }
  }

  /** The thread's request calls {@code MultiRowMutationEndpoint}, until {@link #leave}. */
  public void enterMultiRowCall() {
    OfRequest own = currentOrNew();
    if (own != null) {
      own.inMultiRowCall = true;
    }
  }

  /** The call of an endpoint is over. What the request does besides is to be pulled by itself. */
  public void leave() {
    byThread.remove(Thread.currentThread());
  }

  /** Whether the thread may hold row locks that such a call has taken. */
  public boolean isInMultiRowCall() {
    OfRequest own = current();
    return own != null && own.inMultiRowCall;
  }

  /** Forgets what was for requests that are gone. To be called now and then. */
  public void sweep() {
    byThread.values().removeIf(each -> each.call.get() == null);
  }

  /** For tests: for how many requests something is remembered. */
  int size() {
    return byThread.size();
  }

  private OfRequest currentOrNew() {
    OfRequest own = current();
    if (own == null && call() != null) {
      own = new OfRequest(call());
      byThread.put(Thread.currentThread(), own);
    }
    return own;
  }

  private OfRequest current() {
    OfRequest own = byThread.get(Thread.currentThread());
    RpcCall call = call();
    return own != null && call != null && own.call.get() == call ? own : null;
  }

  private static RpcCall call() {
    return RpcServer.getCurrentCall().orElse(null);
  }
}
