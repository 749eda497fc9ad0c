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

  /** The logarithm of the chance to be passed over; minus infinity where each is picked. */
  private final double logPassedOver;

  private OneIn(int count) {
    this.due = (1L << 31) / count;
    this.logPassedOver = Math.log1p(-1.0 / count);
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

  /**
   * The first operation of a series that is picked. Each has the chance that {@link #isDue} gives
   * it: the number of those that are passed over has a geometric distribution. A pick costs one
   * draw, however many are passed over.
   *
   * @param from the first operation that can be picked, 0 or more
   * @return {@code from} or later, {@link Integer#MAX_VALUE} for any that is later than all
   */
  public int next(int from) {
    // Above 0, as 0 has no logarithm, up to 1 (inclusive).
    double random = 1 - ThreadLocalRandom.current().nextDouble();
    double passedOver = Math.log(random) / logPassedOver;
    return passedOver < Integer.MAX_VALUE - from ? from + (int) passedOver : Integer.MAX_VALUE;
  }
}
