package io.rowguard.testing;

import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

/**
 * Waits for what a cluster does in its own time. The limit is so generous that only a broken build
 * reaches it: no test is decided by how fast the machine is.
 */
public final class Eventually {
  private static final long LIMIT_NANOS = TimeUnit.MINUTES.toNanos(3);

  private Eventually() {}

  /**
   * Returns when a condition holds.
   *
   * @param what the condition in words, for the failure's message
   * @throws AssertionError when it does not hold within three minutes
   */
  public static void isTrue(String what, Callable<Boolean> condition) throws Exception {
    long start = System.nanoTime();
    while (!condition.call()) {
      if (System.nanoTime() - start > LIMIT_NANOS) {
        throw new AssertionError("Waited in vain for: " + what);
      }
      TimeUnit.MILLISECONDS.sleep(20);
    }
  }
}
