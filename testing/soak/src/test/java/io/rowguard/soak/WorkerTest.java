package io.rowguard.soak;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;

/** A worker that stops is noticed, however it stops. */
class WorkerTest {
  private static final int TEN_HOURS = 36_000;

  @Test
  void worker_thatWorksUntilItsEnd_isRight() throws Exception {
    Semaphore steps = new Semaphore(3);
    CountDownLatch four = new CountDownLatch(4);
    Worker worker =
        new Worker(
            "client",
            TEN_HOURS,
            () -> {
              four.countDown();
              steps.acquire();
            });
    four.await();
    worker.end();
    steps.release();

    assertTrue(worker.join(Long.MAX_VALUE));
    assertNull(worker.complaint());
    assertEquals(4, worker.count());
  }

  @Test
  void worker_thatThrows_isNoticed() throws Exception {
    Worker worker =
        new Worker(
            "client",
            TEN_HOURS,
            () -> {
              throw new IOException("gone");
            });

    assertTrue(worker.join(Long.MAX_VALUE));
    assertEquals("client failed after 0 operations: java.io.IOException: gone", worker.complaint());
  }

  @Test
  void worker_thatDies_isNoticed() throws Exception {
    Worker worker =
        new Worker(
            "client",
            TEN_HOURS,
            () -> {
              throw new StackOverflowError();
            });

    assertTrue(worker.join(Long.MAX_VALUE));
    assertEquals(
        "client failed after 0 operations: java.lang.StackOverflowError", worker.complaint());
  }

  @Test
  void worker_thatDoesNotComeBack_isNoticed() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch never = new CountDownLatch(1);
    Worker worker =
        new Worker(
            "client",
            0,
            () -> {
              begun.countDown();
              never.await();
            });

    // Told to end before, it would do nothing.
    begun.await();
    String complaint = worker.complaint();
    String trace = Arrays.toString(worker.trace().getStackTrace());
    worker.end();
    never.countDown();
    assertTrue(trace.contains("WorkerTest"), trace);
    assertEquals("client has done nothing for 0 s", complaint);
    assertTrue(worker.join(Long.MAX_VALUE));
    assertEquals("client took 0 s for one operation", worker.complaint());
  }
}
