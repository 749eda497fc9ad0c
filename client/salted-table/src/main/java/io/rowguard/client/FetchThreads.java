package io.rowguard.client;

import java.io.IOException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

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
  private static final ScheduledThreadPoolExecutor TIMER = newTimer();

  /** Calls back after a while. */
  interface Timer {
    void later(Runnable task, long millis);
  }

  private final ExecutorService executor;
  private final boolean own;
  private final Timer timer;

  private FetchThreads(ExecutorService executor, boolean own, Timer timer) {
    this.executor = executor;
    this.own = own;
    this.timer = timer;
  }

  private FetchThreads(ExecutorService executor, boolean own) {
    this(executor, own, FetchThreads::later);
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

  /** The threads that all share, with another clock. */
  static FetchThreads withTimer(Timer timer) {
    return new FetchThreads(OF_ALL.executor, false, timer);
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

  private static void later(Runnable task, long millis) {
    ScheduledFuture<?> unused = TIMER.schedule(task, millis, TimeUnit.MILLISECONDS);
  }

  /** Only hands over to other threads, so one is enough; it ends after a minute without work. */
  private static ScheduledThreadPoolExecutor newTimer() {
    ScheduledThreadPoolExecutor timer =
        new ScheduledThreadPoolExecutor(
            1,
            task -> {
              Thread thread = new Thread(task, "rowguard-timer");
              thread.setDaemon(true);
              return thread;
            });
    timer.setKeepAliveTime(1, TimeUnit.MINUTES);
    timer.allowCoreThreadTimeOut(true);
    return timer;
  }

  /** A task that something waits for. */
  interface Task {
    /** Does it; whatever it throws is reported. */
    void run() throws IOException;
  }

  /**
   * Has a task run soon, or its failure reported: what it throws itself, or what keeps it from
   * being run.
   *
   * @param report takes the failure, on any thread
   */
  void run(Task task, Consumer<Throwable> report) {
    Runnable reporting =
        () -> {
          try {
            task.run();
          } catch (IOException | RuntimeException | Error e) {
            report.accept(e);
          }
        };
    try {
      executor.execute(reporting);
    } catch (RuntimeException | Error e) {
      report.accept(e);
    }
  }

  /** As {@link #run}, after a while. */
  void runLater(Task task, long millis, Consumer<Throwable> report) {
    if (millis <= 0) {
      run(task, report);
      return;
    }
    try {
      timer.later(() -> run(task, report), millis);
    } catch (RuntimeException | Error e) {
      report.accept(e);
    }
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
