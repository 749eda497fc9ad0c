package io.rowguard.observer.relayout;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.rowguard.observer.request.InternalRpcCall;
import io.rowguard.testing.Eventually;
import java.lang.ref.WeakReference;
import java.util.List;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.junit.jupiter.api.Test;

class RequestPullsTest {
  private static final byte[] ROW = "row".getBytes(UTF_8);

  @Test
  void whatIsPulled_isKnownToItsRequestAndRegionOnly() throws Exception {
    Object region = new Object();
    InternalRpcCall.run(
        1_000,
        List.of(),
        () -> {
          RequestPulls.put(region, List.of(ROW), List.of(Pulled.MOVED));
          assertEquals(Pulled.MOVED, RequestPulls.get(region, ROW.clone()));
          assertNull(RequestPulls.get(new Object(), ROW));
          assertNull(InternalRpcCall.run(1_000, List.of(), () -> RequestPulls.get(region, ROW)));
          return region;
        });
    assertNull(RequestPulls.get(region, ROW));
  }

  /** One that ends early, since another coprocessor fails say, is not said to be over. */
  @Test
  void requestThatIsOver_isNotHeldWithItsRegion() throws Exception {
    List<WeakReference<?>> held =
        InternalRpcCall.run(
            1_000,
            List.of(),
            () -> {
              Object region = new Object();
              RpcCall call = RpcServer.getCurrentCall().orElseThrow();
              RequestPulls.put(region, List.of(ROW), List.of(Pulled.MOVED));
              return List.of(new WeakReference<>(region), new WeakReference<>(call));
            });

    Eventually.isTrue(
        "nothing holds the request or its region",
        () -> {
          System.gc();
          return held.stream().allMatch(each -> each.get() == null) && RequestPulls.size() == 0;
        });
  }
}
