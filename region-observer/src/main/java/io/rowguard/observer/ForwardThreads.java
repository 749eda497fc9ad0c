package io.rowguard.observer;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads that forward, the same for all regions of a server. Thread-safe.
 *
 * <p>A handler could call HBase's client itself, but not with a bound: where {@code hbase:meta} is
 * slow or gone, the client looks for it far longer than any timeout of the operation. So the call
 * runs here, and the handler waits for it no longer than it may.
 *
 * <p>Threads end when they have been idle for a minute; all are daemons.
 */
final class ForwardThreads {
  private static final String CALLERS_KEY = "rowguard.forward-callers";
  private static final String SENDERS_KEY = "rowguard.forward-senders";
  private static final String REFRESHING_KEY = "rowguard.forward-refreshing";

  /** As many as HBase's client uses for its own calls (hbase.hconnection.threads.max). */
  private static final int MOST_THREADS = 256;

  private final ExecutorService callers;
  private final ExecutorService senders;
  private final AtomicBoolean refreshing;

  private ForwardThreads(
      ExecutorService callers, ExecutorService senders, AtomicBoolean refreshing) {
    this.callers = callers;
    this.senders = senders;
    this.refreshing = refreshing;
  }

  /**
   * The threads of this server.
   *
   * @param shared the data that all instances of the coprocessor share; it gets nothing but the
   *     JDK's own classes, see {@link RegionClaim}
   */
  static ForwardThreads of(ConcurrentMap<String, Object> shared) {
    return new ForwardThreads(
        (ExecutorService) shared.computeIfAbsent(CALLERS_KEY, key -> newCallers()),
        (ExecutorService) shared.computeIfAbsent(SENDERS_KEY, key -> newSenders()),
        (AtomicBoolean) shared.computeIfAbsent(REFRESHING_KEY, key -> new AtomicBoolean()));
  }

  /** A call finds a thread at once or is refused: nothing waits here but for the other server. */
  private static ExecutorService newCallers() {
    return new ThreadPoolExecutor(
        0, MOST_THREADS, 1, TimeUnit.MINUTES, new SynchronousQueue<>(), named("rowguard-forward-"));
  }

  private static ExecutorService newSenders() {
    ThreadPoolExecutor senders =
        new ThreadPoolExecutor(
            MOST_THREADS,
            MOST_THREADS,
            1,
            TimeUnit.MINUTES,
            new LinkedBlockingQueue<>(),
            named("rowguard-send-"));
    senders.allowCoreThreadTimeOut(true);
    return senders;
  }

  /** For calls that find a thread at once or are refused. */
  ExecutorService callers() {
    return callers;
  }

  /**
   * Where HBase's client sends the parts of a batch, one thread for each server that has some of
   * it, and where rows are sent one by one: they queue when all threads are taken.
   */
  ExecutorService senders() {
    return senders;
  }

  /** Whether one of the threads is refreshing locations now; see {@link LocationRefresher}. */
  AtomicBoolean refreshing() {
    return refreshing;
  }

  /**
   * Calls, and waits for the answer.
   *
   * @throws IOException what the call throws; or that it took too long, was interrupted, or found
   *     no thread. It may still be under way then
   */
  <T> T call(Callable<T> call, long timeoutMillis) throws IOException {
    Future<T> answer;
    try {
      answer = callers.submit(call);
    } catch (RejectedExecutionException e) {
      throw new IOException("Too many forwards at once. threads=" + MOST_THREADS, e);
    }
    try {
      return answer.get(timeoutMillis, TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw new IOException("No answer in time. timeoutMillis=" + timeoutMillis, e);
    } catch (InterruptedException e) {
      // HBase interrupts its handlers when a region closes; it wants to see that afterwards too.
      Thread.currentThread().interrupt();
      throw (IOException) new InterruptedIOException("Interrupted while waiting").initCause(e);
    } catch (ExecutionException e) {
      throw failureOf(e);
    } finally {
      answer.cancel(true);
    }
  }

  /**
   * What a thread has failed with, as an IOException.
   *
   * @throws LinkageError where this HBase lacks what was called: of no use to try again, so it is
   *     for {@link HookGuard}
   */
  static IOException failureOf(ExecutionException e) {
    Throwable cause = e.getCause();
    if (cause instanceof LinkageError) {
      throw (LinkageError) cause;
    }
    return cause instanceof IOException ? (IOException) cause : new IOException(cause);
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
