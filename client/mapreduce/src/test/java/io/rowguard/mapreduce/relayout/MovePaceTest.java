package io.rowguard.mapreduce.relayout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class MovePaceTest {
  @Test
  void await_withALimit_isNoFaster() throws InterruptedException {
    MovePace pace = MovePace.of(1000);
    long began = System.nanoTime();
    for (int i = 0; i < 6; i++) {
      assertTrue(pace.await(100));
    }
    // The first batch goes at once, the sixth when the five before it have had their time.
    assertTrue(System.nanoTime() - began >= TimeUnit.MILLISECONDS.toNanos(500));
  }

  @Test
  void busy_pausesTwiceAsLongEachTime_upToFiveSeconds() {
    MovePace pace = MovePace.of(0);
    assertEquals(0, pace.pauseMillis());
    pace.busy();
    assertEquals(50, pace.pauseMillis());
    pace.busy();
    pace.busy();
    assertEquals(200, pace.pauseMillis());
    for (int i = 0; i < 20; i++) {
      pace.busy();
    }
    assertEquals(5000, pace.pauseMillis());
  }

  @Test
  void well_endsThePauseBySteps() {
    MovePace pace = MovePace.of(0);
    pace.busy();
    pace.busy();
    pace.well();
    assertEquals(75, pace.pauseMillis());
    for (int i = 0; i < 20; i++) {
      pace.well();
    }
    assertEquals(0, pace.pauseMillis());
  }

  @Test
  void end_letsWhoeverWaitsGo() throws InterruptedException {
    MovePace pace = MovePace.of(0.001);
    assertTrue(pace.await(1_000_000));
    AtomicBoolean mayGo = new AtomicBoolean(true);
    CountDownLatch done = new CountDownLatch(1);
    Thread waiting =
        new Thread(
            () -> {
              try {
                mayGo.set(pace.await(1));
                done.countDown();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
    waiting.start();
    pace.end();
    assertTrue(done.await(60, TimeUnit.SECONDS));
    assertFalse(mayGo.get());
    assertFalse(pace.await(1));
    assertTrue(pace.isOver());
  }
}
