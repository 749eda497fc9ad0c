package io.rowguard.load;

import java.util.concurrent.ThreadLocalRandom;

/**
 * Picks one in so many operations. Which ones is left to chance, so that no regular load escapes.
 * Immutable and thread-safe; allocates nothing.
 *
 * <p>The chance is {@link ThreadLocalRandom}'s, which keeps its state in the thread itself and has
 * no {@code ThreadLocal} that would outlive a region.
 */
public final class OneIn {
  private static final int POSITIVE = 0x7fffffff;

  /** The number of operations picked of 2^31. */
  private final long due;

  private OneIn(int count) {
    this.due = (1L << 31) / count;
  }

  /**
   * One in {@code count}.
   *
   * @param count 1 or more
   */
  public static OneIn of(int count) {
    return new OneIn(count);
  }

  /** Whether the operation at hand is picked. */
  public boolean isDue() {
    return (ThreadLocalRandom.current().nextInt() & POSITIVE) < due;
  }
}
