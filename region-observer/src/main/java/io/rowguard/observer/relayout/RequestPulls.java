package io.rowguard.observer.relayout;

import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.ipc.RpcServer;

/**
 * The pulls of a request, until it begins to write: all rows of a request are pulled with the first
 * that a hook sees. Of one thread, which carries the request out.
 *
 * <p>HBase tells no hook that a request is over which failed early. So requests and regions are
 * held weakly.
 */
public final class RequestPulls {
  /** By the identity of calls, which have no other equality. */
  private static final Map<RpcCall, RequestPulls> BY_CALL =
      Collections.synchronizedMap(new WeakHashMap<>());

  private final Map<ByteBuffer, Pulled> pulled = new HashMap<>();

  /** The region of what is pulled. */
  private WeakReference<Object> region = new WeakReference<>(null);

  private boolean inMultiRowCall;

  private RequestPulls() {}

  /**
   * The result of a row's pull for this thread's request; null where none is remembered.
   *
   * @param region the instance of the region
   */
  public static Pulled get(Object region, byte[] row) {
    RequestPulls own = current();
    return own == null || own.region.get() != region ? null : own.pulled.get(ByteBuffer.wrap(row));
  }

  /** Remembers what has been pulled; nothing where the thread carries out no request. */
  public static void put(Object region, List<byte[]> rows, List<Pulled> pulled) {
    RequestPulls own = currentOrNew();
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
  public static void forget() {
    RequestPulls own = current();
    if (own != null && own.inMultiRowCall) {
      own.pulled.clear();
    } else {
      leave();
    }
  }

  /** Begins a call of {@code MultiRowMutationEndpoint}, until {@link #leave}. */
  public static void enterMultiRowCall() {
    RequestPulls own = currentOrNew();
    if (own != null) {
      own.inMultiRowCall = true;
    }
  }

  /** Ends the call of an endpoint. Its other actions are to be pulled by themselves. */
  public static void leave() {
    RpcCall call = call();
    if (call != null) {
      BY_CALL.remove(call);
    }
  }

  /** Whether the thread may hold row locks that such a call has taken. */
  public static boolean isInMultiRowCall() {
    RequestPulls own = current();
    return own != null && own.inMultiRowCall;
  }

  /** The number of requests for which pulls are remembered; for tests. */
  static int size() {
    return BY_CALL.size();
  }

  private static RequestPulls currentOrNew() {
    RpcCall call = call();
    return call == null ? null : BY_CALL.computeIfAbsent(call, absent -> new RequestPulls());
  }

  private static RequestPulls current() {
    RpcCall call = call();
    return call == null ? null : BY_CALL.get(call);
  }

  private static RpcCall call() {
    return RpcServer.getCurrentCall().orElse(null);
  }
}
