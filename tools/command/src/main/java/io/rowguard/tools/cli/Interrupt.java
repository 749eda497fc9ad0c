package io.rowguard.tools.cli;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Lets a long work end well when the process is asked to end (Ctrl-C, SIGTERM): the work is asked
 * to stop, and the process waits until it has. Thread-safe.
 */
public final class Interrupt implements AutoCloseable {
  /** The time for the last reading and the report; another Ctrl-C cuts it short. */
  private static final long MOST_SECONDS = 60;

  private final CountDownLatch stop = new CountDownLatch(1);
  private final CountDownLatch done = new CountDownLatch(1);
  private final Thread hook = new Thread(this::stopAndWait, "interrupt");

  private Interrupt() {}

  /** Begins to listen. */
  public static Interrupt onExit() {
    Interrupt interrupt = new Interrupt();
    Runtime.getRuntime().addShutdownHook(interrupt.hook);
    return interrupt;
  }

  /** Tells the work to stop, without waiting for it. */
  public void stop() {
    stop.countDown();
  }

  private void stopAndWait() {
    stop();
    try {
      done.await(MOST_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Waits for a time, or until the work is to stop; answers whether it is. */
  public boolean await(Duration time) {
    try {
      return stop.await(Math.max(0, time.toNanos()), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return true;
    }
  }

  /** The work is done. */
  @Override
  public void close() {
    boolean isExiting = stop.getCount() == 0;
    done.countDown();
    if (!isExiting) {
      try {
        Runtime.getRuntime().removeShutdownHook(hook);
      } catch (IllegalStateException e) {
        // The process began to end just now; the hook finds the work done.
        stop();
      }
    }
  }
}
