package io.rowguard.client;

import java.io.IOException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;

/**
 * Handling of the futures of HBase's client.
 *
 * <p>A future swallows what its handlers throw. So each handler names a way to report that.
 */
final class Futures {
  private Futures() {}

  /** Handles the outcome of a future. */
  interface Handler<T> {
    /**
     * Takes the result and null, or null and the failure itself.
     *
     * @throws IOException and anything else: it is reported
     */
    void handle(T result, Throwable failure) throws IOException;
  }

  /** A future that has failed. */
  static <T> CompletableFuture<T> failed(Throwable failure) {
    CompletableFuture<T> failed = new CompletableFuture<>();
    failed.completeExceptionally(failure);
    return failed;
  }

  /**
   * Has the outcome of a future handled.
   *
   * @param report takes whatever the handler throws
   */
  static <T> void then(
      CompletableFuture<T> future, Handler<? super T> handler, Consumer<Throwable> report) {
    // The handler sees the failure, so what depends on it needs no look.
    CompletableFuture<T> unused =
        future.whenComplete(
            (result, failure) -> {
              try {
                handler.handle(result, failure == null ? null : withoutWrapping(failure));
              } catch (IOException | RuntimeException | Error e) {
                report.accept(e);
              }
            });
  }

  /** Has another future come to the same end. */
  static <T> void pass(CompletableFuture<? extends T> from, CompletableFuture<T> to) {
    then(
        from,
        (result, failure) -> {
          if (failure == null) {
            to.complete(result);
          } else {
            to.completeExceptionally(failure);
          }
        },
        to::completeExceptionally);
  }

  /** The result of a future that has come to its end, or its failure itself. */
  static Object outcome(CompletableFuture<?> future) {
    try {
      return future.join();
    } catch (CompletionException e) {
      return withoutWrapping(e);
    } catch (CancellationException e) {
      return e;
    }
  }

  /** Dependent futures see a failure wrapped. */
  private static Throwable withoutWrapping(Throwable failure) {
    return failure instanceof CompletionException && failure.getCause() != null
        ? failure.getCause()
        : failure;
  }
}
