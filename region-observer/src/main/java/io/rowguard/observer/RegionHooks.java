package io.rowguard.observer;

import io.rowguard.config.OtherRowException;
import io.rowguard.config.StaleLayoutException;
import io.rowguard.observer.decide.BatchCheck;
import io.rowguard.observer.decide.Refusal;
import io.rowguard.observer.decide.VersionCheck;
import io.rowguard.observer.decide.WriteCheck;
import io.rowguard.observer.request.OpenBatches;
import io.rowguard.observer.request.RegionFeature;
import java.io.IOException;
import java.util.List;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.util.Pair;
import org.apache.hadoop.hbase.wal.WALKey;

/**
 * The work of {@link LayoutRegionObserver}'s hooks in a region that has something to guard: its
 * {@link RegionFeature}s, and the judging of writes. Thread-safe. It may throw anything, which
 * {@link HookGuard} sees to. Not final for the tests of just this.
 */
class RegionHooks {
  private final List<RegionFeature> features;
  private final RegionFeature[] beforeMutation;
  private final RegionFeature[] read;
  private final WriteCheck writes;
  private final BatchCheck batches;
  private final VersionCheck versions;

  RegionHooks(
      List<RegionFeature> features, WriteCheck writes, BatchCheck batches, VersionCheck versions) {
    this.features = features;
    this.beforeMutation = RegionFeature.overriding(features, "before", Mutation.class);
    this.read = RegionFeature.overriding(features, "read", Get.class);
    this.writes = writes;
    this.batches = batches;
    this.versions = versions;
  }

  /** Copies the hooks of a region. */
  RegionHooks(RegionHooks others) {
    this(others.features, others.writes, others.batches, others.versions);
  }

  /** Closes all features, also where one of them fails. */
  void close() throws IOException {
    close(features);
  }

  /** Closes all, also where one of them fails. */
  static void close(List<RegionFeature> features) throws IOException {
    if (!features.isEmpty()) {
      try {
        features.get(0).close();
      } finally {
        close(features.subList(1, features.size()));
      }
    }
  }

  void before(Mutation mutation) throws IOException {
    for (RegionFeature feature : beforeMutation) {
      feature.before(mutation);
    }
  }

  void preBatchMutate(MiniBatchOperationInProgress<Mutation> batch) throws IOException {
    for (RegionFeature feature : features) {
      feature.beforeBatch();
    }
    batches.judge(batch);
  }

  void preWALAppend(WALKey key) throws IOException {
    batches.beforeLog(key);
  }

  void postBatchMutate(MiniBatchOperationInProgress<Mutation> batch) {
    batches.stored(batch);
  }

  void postBatchMutateIndispensably(MiniBatchOperationInProgress<Mutation> batch, boolean success)
      throws IOException {
    batches.conclude(batch, success);
  }

  void preCheckAndMutate(CheckAndMutate conditional) throws IOException {
    List<Mutation> mutations = WriteCheck.mutations(conditional);
    try {
      for (RegionFeature feature : features) {
        feature.before(conditional, mutations);
      }
      Refusal refusal = writes.refusal(conditional);
      if (refusal != null) {
        throw refusal.exception();
      }
    } catch (StaleLayoutException | OtherRowException e) {
      versions.repeats().requireNew(conditional.getRow());
      throw e;
    }
  }

  void preCheckAndMutateAfterRowLock(CheckAndMutate conditional) throws IOException {
    for (RegionFeature feature : features) {
      feature.afterRowLock(conditional, WriteCheck.mutations(conditional));
    }
  }

  void preEndpointInvocation(String service, Supplier<byte[]> request) throws IOException {
    for (RegionFeature feature : features) {
      feature.beforeEndpoint(service, request);
    }
  }

  void postEndpointInvocation() {
    features.forEach(RegionFeature::afterEndpoint);
  }

  /** Whether a mutation will be stored under another row, in another region mostly. */
  boolean isElsewhere(Mutation mutation) {
    for (RegionFeature feature : features) {
      if (feature.isElsewhere(mutation)) {
        return true;
      }
    }
    return false;
  }

  /** The cell that takes the place of a Get's own result; null where there is none. */
  Cell preGetOp(Get get) throws IOException {
    for (RegionFeature feature : features) {
      Cell answer = feature.answer(get);
      if (answer != null) {
        return answer;
      }
    }
    return null;
  }

  /** The feature that has other cells for a Get which was carried out here; null for none. */
  RegionFeature withCells(Get get) {
    for (RegionFeature feature : features) {
      if (feature.hasCells(get)) {
        return feature;
      }
    }
    return null;
  }

  /** Gives the cells that one of the features has for a Get. */
  List<Cell> cells(RegionFeature feature, Get get) throws IOException {
    return feature.cells(get);
  }

  void read(Get get) {
    for (RegionFeature feature : read) {
      feature.read(get);
    }
  }

  void preScannerOpen(Scan scan) throws IOException {
    for (RegionFeature feature : features) {
      feature.before(scan);
    }
  }

  void scanned(List<Result> rows) {
    for (RegionFeature feature : features) {
      feature.scanned(rows);
    }
  }

  void preBulkLoadHFile(List<Pair<byte[], String>> familyPaths, Configuration conf)
      throws IOException {
    for (RegionFeature feature : features) {
      feature.beforeBulkLoad(familyPaths, conf);
    }
  }

  /** The batches under way; for tests. */
  OpenBatches openBatches() {
    return batches.open();
  }
}
