package io.rowguard.client;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads on which sub-scans read ahead. Thread-safe.
 *
 * <p>Nothing depends on a thread being free: a reader whose rows are not being fetched yet fetches
 * them itself. So any number of scans share a few threads without waiting for each other in a
 * circle.
 */
final class FetchThreads implements AutoCloseable {
  /** They wait for servers nearly all of the time, so more than there are processors. */
  static final int SHARED = 64;

  private static final AtomicInteger COUNT = new AtomicInteger();
  private static final FetchThreads OF_ALL = new FetchThreads(newThreads(SHARED), false);

  private final ExecutorService executor;
  private final boolean own;

  private FetchThreads(ExecutorService executor, boolean own) {
    this.executor = executor;
    this.own = own;
  }

  /** The threads that all tables share which have no others. */
  static FetchThreads shared() {
    return OF_ALL;
  }

  /** Threads of one table's own, which end when it is closed. */
  static FetchThreads ofOwn(int threads) {
    return new FetchThreads(newThreads(threads), true);
  }

  /** Threads of the user's, which are left alone. */
  static FetchThreads of(ExecutorService executor) {
    return new FetchThreads(executor, false);
  }

  /** Daemons that end after a minute without work. */
  private static ExecutorService newThreads(int threads) {
    ThreadPoolExecutor executor =
        new ThreadPoolExecutor(
            threads,
            threads,
            1,
            TimeUnit.MINUTES,
            new LinkedBlockingQueue<>(),
            task -> {
              Thread thread = new Thread(task, "rowguard-scan-" + COUNT.incrementAndGet());
              thread.setDaemon(true);
              return thread;
            });
    executor.allowCoreThreadTimeOut(true);
    return executor;
  }

  /** Has a fetch run soon, if the executor takes it. */
  void offer(Runnable fetch) {
    try {
      executor.execute(fetch);
    } catch (RejectedExecutionException e) {
      // Full or shut down: the thread that needs the rows fetches them.
    }
  }

  @Override
  public void close() {
    if (own) {
      executor.shutdown();
    }
  }
}
