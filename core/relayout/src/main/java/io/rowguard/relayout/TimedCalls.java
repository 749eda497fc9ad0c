package io.rowguard.relayout;

import io.rowguard.layout.FailureText;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Makes several calls at a time, which together take no longer than the caller is ready to wait.
 */
public final class TimedCalls {
  private static final int THREADS = 16;

  private static final String INTERRUPTED = "the wait for it was interrupted";

  private TimedCalls() {}

  /** The stand-in for the result of a call that has none. */
  public interface Failed<T> {
    /**
     * The result.
     *
     * @param index of the call
     * @param reason why there is none, as a clause
     */
    T result(int index, String reason);
  }

  /**
   * The results of calls, in their order.
   *
   * @param calls those that are on their way when the time is over are interrupted
   * @param millis how long all of them may take
   * @param name of the threads
   * @return one result for each call. An interrupted wait leaves the thread interrupted, and only
   *     failures
   */
  public static <T> List<T> all(
      List<Callable<T>> calls, long millis, String name, Failed<T> failed) {
    ExecutorService threads =
        Executors.newFixedThreadPool(
            Math.max(1, Math.min(THREADS, calls.size())),
            task -> {
              Thread thread = new Thread(task, name);
              thread.setDaemon(true);
              return thread;
            });
    List<Future<T>> futures = new ArrayList<>();
    try {
      futures = threads.invokeAll(calls, millis, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      threads.shutdownNow();
    }
    List<T> results = new ArrayList<>();
    for (int i = 0; i < calls.size(); i++) {
      results.add(
          i < futures.size()
              ? result(i, futures.get(i), millis, failed)
              : failed.result(i, INTERRUPTED));
    }
    return results;
  }

  private static <T> T result(int index, Future<T> call, long millis, Failed<T> failed) {
    try {
      return call.get(); // which is there, since all have ended or are cancelled
    } catch (CancellationException e) {
      return failed.result(index, "no answer in " + millis / 1000 + " s");
    } catch (ExecutionException e) {
      return failed.result(index, FailureText.of(e.getCause()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return failed.result(index, INTERRUPTED);
    }
  }
}
