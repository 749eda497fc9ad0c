package io.rowguard.layout;

import java.math.BigInteger;

/** From which value of a segment on a derived segment has how many buckets. Immutable. */
public final class BucketStep {
  private final int buckets;
  private final BigInteger from;

  BucketStep(int buckets, BigInteger from) {
    this.buckets = buckets;
    this.from = from;
  }

  /** The number of buckets of the rows whose value is {@link #from} or more. */
  public int buckets() {
    return buckets;
  }

  /** The smallest value that belongs to this step. */
  public BigInteger from() {
    return from;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof BucketStep
        && buckets == ((BucketStep) other).buckets
        && from.equals(((BucketStep) other).from);
  }

  @Override
  public int hashCode() {
    return 31 * buckets + from.hashCode();
  }
}
