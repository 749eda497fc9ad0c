package io.rowguard.client;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;

/** Has the answers to writes of several rows get lost: each is carried out, and fails. */
public final class LostCommits implements RegionCoprocessor, RegionObserver {
  /** How many answers are still to be lost. */
  static final AtomicInteger LEFT = new AtomicInteger();

  @Override
  public Optional<RegionObserver> getRegionObserver() {
    return Optional.of(this);
  }

  @Override
  public void postBatchMutateIndispensably(
      ObserverContext<RegionCoprocessorEnvironment> context,
      MiniBatchOperationInProgress<Mutation> batch,
      boolean success)
      throws IOException {
    if (success && batch.size() > 1 && LEFT.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
      throw new IOException("The answer gets lost.");
    }
  }
}
