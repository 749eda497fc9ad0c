package io.rowguard.client;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;

/**
 * Collects what a scan gives, suspends it now and then, and checks that it is told of nothing while
 * it is suspended or in a call already. Another thread resumes, before or after the call has ended.
 */
final class CollectingConsumer implements AdvancedScanResultConsumer {
  private final Random random;
  private final int most;
  private final List<Result> results = new ArrayList<>();
  private final CompletableFuture<List<Result>> all = new CompletableFuture<>();
  private boolean isIn;
  private boolean isSuspended;
  private int calls;
  private int suspensions;
  private ScanMetrics metrics;

  /**
   * @param most after so many results the scan is terminated
   */
  CollectingConsumer(Random random, int most) {
    this.random = random;
    this.most = most;
  }

  private synchronized void enter() {
    if (isIn || isSuspended || all.isDone()) {
      all.completeExceptionally(
          new AssertionError("in=" + isIn + " suspended=" + isSuspended + " done=" + all.isDone()));
    }
    isIn = true;
  }

  @Override
  public void onNext(Result[] some, ScanController controller) {
    enter();
    calls++;
    for (Result result : some) {
      results.add(result);
    }
    if (results.size() >= most) {
      controller.terminate();
    } else if (random.nextInt(3) == 0) {
      suspend(controller);
    }
    leave();
  }

  private void suspend(ScanController controller) {
    suspensions++;
    ScanResumer resumer;
    synchronized (this) {
      isSuspended = true;
      resumer = controller.suspend();
    }
    Runnable resume =
        () -> {
          synchronized (this) {
            isSuspended = false;
          }
          resumer.resume();
          resumer.resume();
        };
    if (random.nextBoolean()) {
      // Before the call has ended.
      resume.run();
    } else {
      CompletableFuture<Void> unused = CompletableFuture.runAsync(resume);
    }
  }

  private synchronized void leave() {
    isIn = false;
  }

  @Override
  public void onError(Throwable failure) {
    enter();
    all.completeExceptionally(failure);
  }

  @Override
  public void onComplete() {
    enter();
    all.complete(results);
  }

  @Override
  public void onScanMetricsCreated(ScanMetrics created) {
    metrics = created;
  }

  /** All results, when the scan has ended; throws as the scan did. */
  List<Result> await() throws IOException {
    return AsyncView.get(all);
  }

  int calls() {
    return calls;
  }

  int suspensions() {
    return suspensions;
  }

  ScanMetrics metrics() {
    return metrics;
  }
}
