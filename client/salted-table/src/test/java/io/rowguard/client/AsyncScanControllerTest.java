package io.rowguard.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer.ScanResumer;
import org.junit.jupiter.api.Test;

/** A consumer's calls of its controller, before and after the end of its own call. */
class AsyncScanControllerTest {
  private final AtomicInteger resumed = new AtomicInteger();
  private final AsyncScanController controller = new AsyncScanController(resumed::incrementAndGet);

  @Test
  void leave_nothingCalled_goesOn() {
    assertEquals(AsyncScanController.Next.GO_ON, controller.leave());
    assertEquals(0, resumed.get());
    assertFalse(controller.cursor().isPresent());
  }

  @Test
  void leave_suspended_waitsAndIsResumedOnce() {
    ScanResumer resumer = controller.suspend();
    assertEquals(AsyncScanController.Next.WAIT, controller.leave());
    assertEquals(0, resumed.get());
    resumer.resume();
    resumer.resume();
    assertEquals(1, resumed.get());
  }

  @Test
  void leave_resumedBefore_goesOnByItself() {
    ScanResumer resumer = controller.suspend();
    resumer.resume();
    assertEquals(AsyncScanController.Next.GO_ON, controller.leave());
    resumer.resume();
    assertEquals(0, resumed.get());
  }

  @Test
  void leave_terminated_ends() {
    controller.terminate();
    assertEquals(AsyncScanController.Next.END, controller.leave());
  }

  @Test
  void call_twiceOrLateOrFromElsewhere_isRefused() {
    controller.suspend();
    assertThrows(IllegalStateException.class, controller::terminate);
    assertThrows(IllegalStateException.class, controller::suspend);

    AsyncScanController late = new AsyncScanController(() -> {});
    late.leave();
    assertThrows(IllegalStateException.class, late::suspend);

    AsyncScanController elsewhere = new AsyncScanController(() -> {});
    ExecutionException e =
        assertThrows(
            ExecutionException.class, () -> CompletableFuture.runAsync(elsewhere::terminate).get());
    assertEquals(IllegalStateException.class, e.getCause().getClass());
  }
}
