package io.rowguard.observer.relayout;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.rowguard.testing.Eventually;
import java.lang.ref.WeakReference;
import java.util.List;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.junit.jupiter.api.Test;

class RequestPullsTest {
  private static final byte[] ROW = "row".getBytes(UTF_8);

  private final RequestPulls pulls = new RequestPulls();

  @Test
  void whatIsPulled_isKnownToItsRequestAndRegionOnly() throws Exception {
    Object region = new Object();
    OwnCall.run(
        1_000,
        List.of(),
        () -> {
          pulls.put(region, List.of(ROW), List.of(Pulled.MOVED));
          assertEquals(Pulled.MOVED, pulls.get(region, ROW.clone()));
          assertNull(pulls.get(new Object(), ROW));
          assertNull(OwnCall.run(1_000, List.of(), () -> pulls.get(region, ROW)));
          return pulls;
        });
    assertNull(pulls.get(region, ROW));
  }

  /** One that ends early, since another coprocessor fails say, is not said to be over. */
  @Test
  void requestThatIsOver_isNotHeldWithItsRegion() throws Exception {
    List<WeakReference<?>> held =
        OwnCall.run(
            1_000,
            List.of(),
            () -> {
              Object region = new Object();
              RpcCall call = RpcServer.getCurrentCall().orElseThrow();
              pulls.put(region, List.of(ROW), List.of(Pulled.MOVED));
              return List.of(new WeakReference<>(region), new WeakReference<>(call));
            });

    Eventually.isTrue(
        "nothing holds the request or its region",
        () -> {
          System.gc();
          return held.stream().allMatch(each -> each.get() == null);
        });
    pulls.sweep();
    assertEquals(0, pulls.size());
  }
}
