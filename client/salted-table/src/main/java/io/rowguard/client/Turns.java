package io.rowguard.client;

import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * The number of each key's next choice, where writers choose the bucket. One number for all keys
 * would give each of several that are always written in the same order a few buckets, or one. Keys
 * of the same hash share a number. Clients do not begin with the same. Thread-safe.
 */
final class Turns {
  private static final int NUMBERS = 256;

  private final AtomicIntegerArray numbers = new AtomicIntegerArray(NUMBERS);
  private final int first = ThreadLocalRandom.current().nextInt();

  /** The number of this choice, which is one more than the last; it may be negative. */
  int next(byte[] bareKey) {
    int hash = Arrays.hashCode(bareKey);
    return first + numbers.getAndIncrement(Math.floorMod(hash ^ hash >>> 8, NUMBERS));
  }
}
