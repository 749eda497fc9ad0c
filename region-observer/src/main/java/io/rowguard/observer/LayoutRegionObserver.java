package io.rowguard.observer;

import io.rowguard.config.Mode;
import io.rowguard.config.TableConfig;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.util.Optional;
import org.apache.hadoop.hbase.CoprocessorEnvironment;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HConstants.OperationStatusCode;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.regionserver.Region;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Refuses writes whose row does not fit the table's layout. Thread-safe.
 *
 * <p>Enable it per table, {@code 'COPROCESSOR$1' =>
 * '|io.rowguard.observer.LayoutRegionObserver|1001|'}, or for all tables through {@code
 * hbase.coprocessor.user.region.classes}. Tables without {@code rowguard.layout} are untouched, as
 * are HBase's own.
 *
 * <p>Every Put, Delete, Append, Increment, RowMutations and checkAndMutate passes through {@link
 * #preBatchMutate}; replay of the write-ahead log and compaction do not. In a batch only the rows
 * that do not fit fail; what is atomic fails whole (see {@link AtomicBatches}).
 *
 * <p>Configuration is read when the region opens; an {@code alter} reopens the regions. Wrong
 * configuration lets the region open and be read, and refuses every write with the reason.
 */
public final class LayoutRegionObserver implements RegionCoprocessor, RegionObserver {
  private static final Logger LOG = LoggerFactory.getLogger(LayoutRegionObserver.class);

  /** Null where there is nothing to guard. */
  private volatile WriteCheck check;

  /** The region that this instance was started for; weak, as HBase may forget to stop it. */
  private volatile WeakReference<Region> guarded = new WeakReference<>(null);

  /** For HBase, which makes one instance per region. */
  public LayoutRegionObserver() {}

  @Override
  public Optional<RegionObserver> getRegionObserver() {
    return Optional.of(this);
  }

  @Override
  @SuppressWarnings("rawtypes") // HBase's own signature
  public void start(CoprocessorEnvironment environment) {
    RegionCoprocessorEnvironment env = (RegionCoprocessorEnvironment) environment;
    TableDescriptor table = env.getRegion().getTableDescriptor();
    if (table.getTableName().isSystemTable() || !isFirstOfRegion(env)) {
      return;
    }
    TableConfig config = TableConfig.of(table, env.getConfiguration());
    String name = table.getTableName().getNameAsString();
    for (String warning : config.warnings()) {
      LOG.warn("Configuration that concerns no table yet. table={} {}", name, warning);
    }
    if (config.isWrong()) {
      boolean off = config.mode() == Mode.OFF;
      LOG.error(
          config.problemMessage(
              name, off ? "its writes are not checked" : "all its writes are refused"));
    }
    if (config.isWrong() || config.hasLayout()) {
      check =
          new WriteCheck(
              name,
              config,
              new WriteMetrics(env.getMetricRegistryForRegionServer(), table.getTableName()),
              SampleLog.of(env.getSharedData(), name));
    }
  }

  /**
   * Whether no other instance guards the region: HBase makes two where the class is configured for
   * all tables and in the table's descriptor as well, and then every write would count twice.
   *
   * <p>An instance is known by the opened region and not by the region's name: HBase does not stop
   * the coprocessors of a region whose opening and closing both fail, and what is left of it must
   * not keep the next opening unguarded. The other instance may be of another class loader, hence a
   * reference and not the instance: HBase shares data by the class's name, whatever jar it is from.
   */
  private boolean isFirstOfRegion(RegionCoprocessorEnvironment env) {
    WeakReference<Region> own = new WeakReference<>(env.getRegion());
    guarded = own;
    return own
        == env.getSharedData()
            .compute(
                regionKey(env),
                (key, other) ->
                    other instanceof WeakReference
                            && ((WeakReference<?>) other).get() == env.getRegion()
                        ? other
                        : own);
  }

  @Override
  @SuppressWarnings("rawtypes") // HBase's own signature
  public void stop(CoprocessorEnvironment environment) {
    RegionCoprocessorEnvironment env = (RegionCoprocessorEnvironment) environment;
    env.getSharedData().remove(regionKey(env), guarded);
  }

  private static String regionKey(RegionCoprocessorEnvironment env) {
    return "rowguard.guarded-region." + env.getRegionInfo().getRegionNameAsString();
  }

  @Override
  public void preBatchMutate(
      ObserverContext<RegionCoprocessorEnvironment> context,
      MiniBatchOperationInProgress<Mutation> batch)
      throws IOException {
    WriteCheck writes = check;
    if (writes == null) {
      return;
    }
    boolean asked = false;
    for (int i = 0; i < batch.size(); i++) {
      if (batch.getOperationStatus(i).getOperationStatusCode() != OperationStatusCode.NOT_RUN) {
        continue;
      }
      String refusal = writes.refusal(batch.getOperation(i));
      if (refusal == null) {
        continue;
      }
      if (!asked) {
        asked = true;
        if (AtomicBatches.failsWhole(batch, context.getEnvironment().getRegionInfo())) {
          throw new DoNotRetryIOException(refusal);
        }
      }
      batch.setOperationStatus(i, new RefusedStatus(refusal));
    }
  }

  @Override
  public void postBatchMutateIndispensably(
      ObserverContext<RegionCoprocessorEnvironment> context,
      MiniBatchOperationInProgress<Mutation> batch,
      boolean success) {
    if (check != null) {
      RefusedStatus.conclude(batch);
    }
  }

  /**
   * Refuses before the condition is looked at: a row that can never be written would otherwise
   * answer "condition not met", which a client takes for a fact about the row.
   */
  @Override
  public CheckAndMutateResult preCheckAndMutate(
      ObserverContext<RegionCoprocessorEnvironment> context,
      CheckAndMutate checkAndMutate,
      CheckAndMutateResult result)
      throws IOException {
    WriteCheck writes = check;
    String refusal = writes == null ? null : writes.refusal(checkAndMutate);
    if (refusal != null) {
      throw new DoNotRetryIOException(refusal);
    }
    return result;
  }
}
