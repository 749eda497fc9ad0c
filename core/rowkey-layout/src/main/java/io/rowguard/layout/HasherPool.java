package io.rowguard.layout;

import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * A few {@link Hasher}s that threads take and give back, so that checking a row allocates nothing
 * once the pool is warm. Thread-safe and lock-free.
 *
 * <p>No {@code ThreadLocal}: every layout has a pool, a server has hundreds of handlers, and an
 * entry in each would outlive the region that it was made for. A thread that finds its slot empty
 * makes a new hasher; of two that come back to one slot, one is dropped.
 */
final class HasherPool {
  private static final int SLOTS = 64;
  // Neighbouring slots share a cache line; threads with neighbouring ids should not.
  private static final int STRIDE = 16;

  private final AtomicReferenceArray<Hasher> slots = new AtomicReferenceArray<>(SLOTS * STRIDE);

  Hasher take() {
    Hasher hasher = slots.getAndSet(slot(), null);
    return hasher == null ? new Hasher() : hasher;
  }

  void giveBack(Hasher hasher) {
    slots.lazySet(slot(), hasher);
  }

  private static int slot() {
    return ((int) Thread.currentThread().getId() & (SLOTS - 1)) * STRIDE;
  }
}
