package io.rowguard.observer.peers;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads that forward, the same for all regions of a server. Thread-safe.
 *
 * <p>What may block, a region of this server, has threads of its own, so that what does not block
 * never waits for that: a handler could do it itself, but not with a bound.
 *
 * <p>Threads end when they have been idle for a minute, but for that of the timer; all are daemons.
 */
final class PeerThreads implements AutoCloseable {
  /** Limit of threads that hang in regions of this server at a time. */
  private static final int MOST_BLOCKING = 64;

  private final ExecutorService blocking = pool(MOST_BLOCKING, "rowguard-forward-here-");
  private final ExecutorService sending =
      pool(Runtime.getRuntime().availableProcessors(), "rowguard-forward-");
  private final ScheduledThreadPoolExecutor timer =
      new ScheduledThreadPoolExecutor(1, named("rowguard-forward-timer-"));

  PeerThreads() {
    timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
  }

  private static ExecutorService pool(int most, String name) {
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            most, most, 1, TimeUnit.MINUTES, new LinkedBlockingQueue<>(), named(name));
    pool.allowCoreThreadTimeOut(true);
    return pool;
  }

  /** The threads for what may block. */
  ExecutorService blocking() {
    return blocking;
  }

  /** The threads for what does not block. */
  ExecutorService sending() {
    return sending;
  }

  /** Runs something that does not block, after a time; answers whether it will. */
  @SuppressWarnings("FutureReturnValueIgnored") // the tasks see to their own failures
  boolean later(Runnable task, long nanos) {
    try {
      timer.schedule(task, nanos, TimeUnit.NANOSECONDS);
      return true;
    } catch (Throwable e) {
      return false; // no thread to be had, or the last region that forwards has closed
    }
  }

  /** Runs something that does not block and does not fail, again and again, until this closes. */
  @SuppressWarnings("FutureReturnValueIgnored") // as above
  void every(Runnable task, long nanos) {
    timer.scheduleWithFixedDelay(task, nanos, nanos, TimeUnit.NANOSECONDS);
  }

  @Override
  public void close() {
    blocking.shutdown();
    sending.shutdown();
    timer.shutdown();
  }

  private static ThreadFactory named(String prefix) {
    AtomicInteger count = new AtomicInteger();
    return task -> {
      Thread thread = new Thread(task, prefix + count.incrementAndGet());
      thread.setDaemon(true);
      return thread;
    };
  }
}
