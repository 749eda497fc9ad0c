package io.rowguard.observer.relayout;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Per-key locks of a region's instance: one thread pulls a key at a time. Thread-safe.
 *
 * <p>They are no row locks of HBase's: writers hold those, and must not wait for another server
 * under them. Threads get a key in the order in which they come.
 */
final class KeyLocks {
  private final Map<ByteBuffer, KeyLock> locks = new HashMap<>();

  /** The lock of one key, as long as a thread has it or waits for it. */
  private static final class KeyLock {
    private final Semaphore permit = new Semaphore(1, true);
    private int users;
  }

  /** Keys that the current thread has locked, until it closes this. */
  final class Held implements AutoCloseable {
    private final List<ByteBuffer> keys;
    private final boolean waited;

    private Held(List<ByteBuffer> keys, boolean waited) {
      this.keys = keys;
      this.waited = waited;
    }

    /** Whether another thread had one of them. */
    boolean waited() {
      return waited;
    }

    @Override
    public void close() {
      keys.forEach(KeyLocks.this::release);
    }
  }

  /**
   * Locks keys, all or none. Two threads that want some of the same take them in one order, so they
   * do not wait for each other.
   *
   * @param sorted the keys, in one order for all who come, each once
   * @param nanos how long to wait, at most
   * @return null when the time was over before
   */
  Held lock(List<byte[]> sorted, long nanos) throws InterruptedException {
    long until = System.nanoTime() + nanos;
    List<ByteBuffer> held = new ArrayList<>(sorted.size());
    boolean waited = false;
    boolean all = false;
    try {
      for (byte[] row : sorted) {
        ByteBuffer key = ByteBuffer.wrap(row);
        KeyLock lock = enter(key);
        boolean got = false;
        try {
          got = lock.permit.tryAcquire(0, TimeUnit.NANOSECONDS);
          if (!got) {
            waited = true;
            got = lock.permit.tryAcquire(until - System.nanoTime(), TimeUnit.NANOSECONDS);
          }
        } finally {
          if (!got) {
            leave(key, lock);
          }
        }
        if (!got) {
          return null;
        }
        held.add(key);
      }
      all = true;
      return new Held(held, waited);
    } finally {
      if (!all) {
        held.forEach(this::release);
      }
    }
  }

  /** Whether a thread has a key, or waits for it. */
  synchronized boolean isLocked(byte[] row) {
    return locks.containsKey(ByteBuffer.wrap(row));
  }

  /** The number of keys that are locked or waited for; for tests. */
  synchronized int size() {
    return locks.size();
  }

  private synchronized KeyLock enter(ByteBuffer key) {
    KeyLock lock = locks.computeIfAbsent(key, absent -> new KeyLock());
    lock.users++;
    return lock;
  }

  private synchronized void leave(ByteBuffer key, KeyLock lock) {
    lock.users--;
    if (lock.users == 0) {
      locks.remove(key);
    }
  }

  private void release(ByteBuffer key) {
    KeyLock lock;
    synchronized (this) {
      lock = locks.get(key);
    }
    lock.permit.release();
    leave(key, lock);
  }
}
