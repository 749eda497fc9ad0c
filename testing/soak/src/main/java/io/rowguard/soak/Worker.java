package io.rowguard.soak;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A thread that does one thing after the other until it is told to end. It is watched: one that has
 * failed, ended by itself, or taken too long for one thing has a complaint, whatever else holds.
 */
final class Worker {
  /** One thing that a worker does, again and again. */
  interface Task {
    void run() throws Exception;
  }

  private final String name;
  private final long patienceNanos;
  private final Thread thread;
  private final AtomicLong count = new AtomicLong();
  private volatile boolean isOver;
  private volatile long lastDone = System.nanoTime();
  private volatile long longestNanos;
  private volatile Throwable failure;

  /**
   * Starts it.
   *
   * @param patienceSeconds how long one run of the task may take
   */
  Worker(String name, int patienceSeconds, Task task) {
    this.name = name;
    this.patienceNanos = TimeUnit.SECONDS.toNanos(patienceSeconds);
    thread = new Thread(() -> work(task), name);
    thread.setDaemon(true);
    thread.start();
  }

  private void work(Task task) {
    try {
      while (!isOver) {
        task.run();
        long now = System.nanoTime();
        longestNanos = Math.max(longestNanos, now - lastDone);
        lastDone = now;
        count.incrementAndGet();
      }
    } catch (Throwable e) {
      // An Error too ends this worker, and must be seen.
      failure = e;
    }
  }

  /** Lets it end after what it does now. */
  void end() {
    isOver = true;
  }

  /** Waits until it has ended, for so long at most; returns whether it has. */
  boolean join(long nanos) throws InterruptedException {
    TimeUnit.NANOSECONDS.timedJoin(thread, Math.max(nanos, 1));
    return !thread.isAlive();
  }

  String name() {
    return name;
  }

  /** How many things it has done. */
  long count() {
    return count.get();
  }

  /** The complaint about it; null where all is well. */
  String complaint() {
    Throwable e = failure;
    if (e != null) {
      return name + " failed after " + count + " operations: " + e;
    }
    boolean isAlive = thread.isAlive();
    if (!isAlive && !isOver) {
      return name + " ended by itself after " + count + " operations";
    }
    long idle = System.nanoTime() - lastDone;
    if (isAlive && idle > patienceNanos) {
      return name + " has done nothing for " + TimeUnit.NANOSECONDS.toSeconds(idle) + " s";
    }
    if (longestNanos > patienceNanos) {
      return name
          + " took "
          + TimeUnit.NANOSECONDS.toSeconds(longestNanos)
          + " s for one operation";
    }
    if (!isAlive && count.get() == 0) {
      return name + " did nothing";
    }
    return null;
  }

  /** The failure with its trace; null where there is none. */
  Throwable failure() {
    return failure;
  }

  /** A trace of what it does now, to see what a worker waits for that does not go on. */
  Throwable trace() {
    Throwable trace = new Throwable(name + " is here");
    trace.setStackTrace(thread.getStackTrace());
    return trace;
  }

  @Override
  public String toString() {
    long longest = TimeUnit.NANOSECONDS.toSeconds(longestNanos);
    return name + ": operations=" + count + " longest=" + longest + " s";
  }
}
