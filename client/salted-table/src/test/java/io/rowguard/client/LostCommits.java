package io.rowguard.client;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;

/**
 * Has writes of several rows get lost, on the way to the region or on the way back, and conditional
 * writes of one row on their way to it. Each fails as a call without an answer does, so that
 * HBase's client tries again.
 */
public final class LostCommits implements RegionCoprocessor, RegionObserver {
  /** How many writes are still to be lost before they are carried out. */
  static final AtomicInteger REQUESTS = new AtomicInteger();

  /** How many writes are still to be carried out and fail. */
  static final AtomicInteger ANSWERS = new AtomicInteger();

  /** How many conditional writes of one row are still to be lost. */
  static final AtomicInteger CONDITIONAL = new AtomicInteger();

  /** How long conditional writes of one row are on their way, in milliseconds. */
  static final AtomicLong CONDITIONAL_LATE = new AtomicLong();

  /** While it is not open, writes of several rows wait on their way to the region. */
  static final AtomicReference<CountDownLatch> GATE = new AtomicReference<>(new CountDownLatch(0));

  /** How many stand there. */
  static final AtomicInteger WAITING = new AtomicInteger();

  static void reset() {
    GATE.get().countDown();
    CONDITIONAL_LATE.set(0);
    REQUESTS.set(0);
    ANSWERS.set(0);
    CONDITIONAL.set(0);
  }

  private static void loseOneOf(AtomicInteger left) throws IOException {
    if (left.getAndUpdate(each -> Math.max(0, each - 1)) > 0) {
      throw new IOException("The test has this get lost.");
    }
  }

  @Override
  public Optional<RegionObserver> getRegionObserver() {
    return Optional.of(this);
  }

  @Override
  public void preBatchMutate(
      ObserverContext<RegionCoprocessorEnvironment> context,
      MiniBatchOperationInProgress<Mutation> batch)
      throws IOException {
    if (batch.size() > 1) {
      WAITING.incrementAndGet();
      try {
        GATE.get().await();
      } catch (InterruptedException e) {
        throw new InterruptedIOException(e.getMessage());
      } finally {
        WAITING.decrementAndGet();
      }
      loseOneOf(REQUESTS);
    }
  }

  @Override
  public void postBatchMutateIndispensably(
      ObserverContext<RegionCoprocessorEnvironment> context,
      MiniBatchOperationInProgress<Mutation> batch,
      boolean success)
      throws IOException {
    if (success && batch.size() > 1) {
      loseOneOf(ANSWERS);
    }
  }

  @Override
  public CheckAndMutateResult preCheckAndMutate(
      ObserverContext<RegionCoprocessorEnvironment> context,
      CheckAndMutate conditional,
      CheckAndMutateResult result)
      throws IOException {
    loseOneOf(CONDITIONAL);
    try {
      Thread.sleep(CONDITIONAL_LATE.get());
    } catch (InterruptedException e) {
      throw new InterruptedIOException(e.getMessage());
    }
    return result;
  }
}
