package io.rowguard.mapreduce.relayout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
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
  void slowTo_lessThanTheLimit_isTheLimit() throws InterruptedException {
    MovePace slowed = MovePace.of(1_000_000_000);
    slowed.slowTo(1_000);
    assertIsAtLeast(200, slowed, 200);
    MovePace asBefore = MovePace.of(1_000);
    asBefore.slowTo(10);
    asBefore.slowTo(1_000_000_000);
    assertIsAtLeast(200, asBefore, 200);
    MovePace unlimited = MovePace.of(0);
    unlimited.slowTo(1_000);
    assertIsAtLeast(200, unlimited, 200);
  }

  /** Threads that wake up late make up for it: else much less would move than is allowed. */
  @Test
  void await_withAHighLimit_isAboutAsFast() throws InterruptedException {
    MovePace pace = MovePace.of(50_000);
    long began = System.nanoTime();
    for (int i = 0; i <= 250; i++) { // half a second's batches
      assertTrue(pace.await(100));
    }
    assertTrue(System.nanoTime() - began >= TimeUnit.MILLISECONDS.toNanos(500));
    assertEquals(25_100, pace.rows());
  }

  /** Two batches: the second waits for the first one's time. */
  private static void assertIsAtLeast(long millis, MovePace pace, int rows)
      throws InterruptedException {
    long began = System.nanoTime();
    assertTrue(pace.await(rows));
    assertTrue(pace.await(1));
    assertTrue(System.nanoTime() - began >= TimeUnit.MILLISECONDS.toNanos(millis));
  }

  @Test
  void rest_holdsEverybodyUntilItIsOver() throws Exception {
    assertHeld(pace -> pace.rest(true), pace -> pace.rest(false));
  }

  @Test
  void pause_holdsEverybodyUntilItIsOver() throws Exception {
    assertHeld(pace -> pace.pause(true), pace -> pace.pause(false));
    MovePace pace = MovePace.of(0);
    pace.pause(true);
    assertTrue(pace.isPaused());
    pace.pause(false);
    assertFalse(pace.isPaused());
  }

  /** The thread can send nothing before the end of the rest: it is counted when it may. */
  private static void assertHeld(Consumer<MovePace> hold, Consumer<MovePace> release)
      throws Exception {
    CountDownLatch isWaiting = new CountDownLatch(2);
    MovePace pace = MovePace.of(0, isWaiting::countDown);
    hold.accept(pace);
    ExecutorService other = Executors.newSingleThreadExecutor();
    try {
      Future<Boolean> sent = other.submit(() -> pace.await(1));
      while (isWaiting.getCount() > 0) {
        hold.accept(pace); // which wakes it, and it gives a sign of life
        Thread.onSpinWait();
      }
      assertTrue(pace.isIdle());
      assertFalse(sent.isDone());
      release.accept(pace);
      assertTrue(sent.get(60, TimeUnit.SECONDS));
      assertFalse(pace.isIdle());
      pace.done();
      assertTrue(pace.isIdle());
    } finally {
      other.shutdownNow();
    }
  }

  @Test
  void answered_asPaused_letsOneBatchThroughAtATime() throws InterruptedException {
    MovePace pace = MovePace.of(0);
    pace.answered(true);
    assertTrue(pace.isPaused());
    long began = System.nanoTime();
    assertTrue(pace.await(1));
    assertTrue(System.nanoTime() - began >= TimeUnit.SECONDS.toNanos(2));
    pace.answered(false);
    assertFalse(pace.isPaused());
    assertTrue(pace.await(1));
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
    assertEquals(23, pace.busyAnswers());
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
