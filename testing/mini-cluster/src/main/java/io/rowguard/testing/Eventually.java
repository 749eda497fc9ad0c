package io.rowguard.testing;

import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Waits for what a cluster does in its own time. The limit is so generous that only a broken build
 * reaches it: no test is decided by how fast the machine is.
 */
public final class Eventually {
  private static final long LIMIT_NANOS = TimeUnit.MINUTES.toNanos(3);

  private Eventually() {}

  /**
   * Something that will be so.
   *
   * @param <E> thrown where the answer cannot be had
   */
  @FunctionalInterface
  public interface Condition<E extends Exception> {
    /**
     * Whether it is so by now.
     *
     * @throws E which ends the waiting
     */
    boolean holds() throws E;
  }

  /**
   * Returns when a condition holds.
   *
   * @param what the condition in words, for the failure's message
   * @param <E> what the condition throws
   * @throws AssertionError when it does not hold within three minutes
   */
  public static <E extends Exception> void isTrue(String what, Condition<E> condition) throws E {
    isTrue(() -> what, condition);
  }

  /**
   * The same, with a message that tells what was seen last.
   *
   * @param what asked for when the waiting has failed
   * @param <E> what the condition throws
   * @throws AssertionError when it does not hold within three minutes
   */
  public static <E extends Exception> void isTrue(Supplier<String> what, Condition<E> condition)
      throws E {
    long start = System.nanoTime();
    while (!condition.holds()) {
      if (System.nanoTime() - start > LIMIT_NANOS) {
        throw new AssertionError("Waited in vain for: " + what.get());
      }
      try {
        TimeUnit.MILLISECONDS.sleep(20);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new AssertionError("Interrupted while waiting for: " + what.get(), e);
      }
    }
  }
}
