package io.rowguard.layout;

import java.util.Locale;

/**
 * How the 32-bit number of a hash, which Java takes for a signed one, becomes a bucket: the
 * remainder by the number of buckets, or the quotient by a divisor, that programs write in several
 * ways. All agree on the hashes that are not negative.
 *
 * <p>As with the hashes themselves, a bucket is part of the stored data; golden vectors pin them.
 */
public enum Remainder {
  /** {@code Integer.remainderUnsigned(h, b)}: of the hash as a number from 0 to 2^32 - 1. */
  UNSIGNED,
  /** {@code (h & 0x7fffffff) % b}: of the hash without its sign bit. */
  MASKED,
  /**
   * {@code Math.abs(h % b)}: of the absolute value, that of -2^31 being 2^31. {@code Math.abs(h) %
   * b} gives the same but for this one hash, of which it makes a negative number, or 0 where the
   * buckets are a power of two.
   */
  ABS,
  /** {@code Math.floorMod(h, b)}: counted up from below for a negative hash. */
  FLOOR;

  private static final long MOST_UNSIGNED = 0xffff_ffffL;

  /** The word in a layout's text. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The bucket of a hash: 0 (inclusive) to {@code buckets} (exclusive). Allocates nothing. */
  int of(int hash, int buckets) {
    if (this == UNSIGNED) {
      boolean powerOfTwo = (buckets & (buckets - 1)) == 0;
      return powerOfTwo ? hash & (buckets - 1) : Integer.remainderUnsigned(hash, buckets);
    }
    if (this == ABS) {
      return Math.abs(hash % buckets);
    }
    return this == MASKED ? (hash & Integer.MAX_VALUE) % buckets : Math.floorMod(hash, buckets);
  }

  /** Whether no quotient is negative, so that {@link #quotient} is a bucket. */
  boolean hasQuotients() {
    return this != FLOOR;
  }

  /**
   * The quotient of a hash, rounded down: 0 (inclusive) to {@link #quotients} (exclusive).
   * Allocates nothing. Not of {@link #FLOOR}.
   */
  int quotient(int hash, long divisor) {
    switch (this) {
      case UNSIGNED:
        return (int) ((hash & MOST_UNSIGNED) / divisor);
      case MASKED:
        return (int) ((hash & Integer.MAX_VALUE) / divisor);
      default:
        return (int) (Math.abs((long) hash) / divisor);
    }
  }

  /** How many quotients there are. */
  long quotients(long divisor) {
    return largest() / divisor + 1;
  }

  /** The smallest divisor that leaves at most so many quotients, 2 or more. */
  long smallestDivisor(long quotients) {
    return largest() / quotients + 1;
  }

  /** The largest of the numbers that are divided. */
  long largest() {
    return this == UNSIGNED ? MOST_UNSIGNED : this == MASKED ? Integer.MAX_VALUE : 1L << 31;
  }
}
