package io.rowguard.observer;

import io.rowguard.config.Mode;
import io.rowguard.config.RowguardKey;
import io.rowguard.config.TableConfig;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CoprocessorEnvironment;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HConstants.OperationStatusCode;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.regionserver.OperationStatus;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.BulkLoadHFileRequest;
import org.apache.hadoop.hbase.util.Pair;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
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
 * that do not fit fail; what is atomic fails whole (see {@link BatchKind}).
 *
 * <p>Configuration is read when the region opens; an {@code alter} reopens the regions. Wrong
 * configuration lets the region open and be read, and refuses every write with the reason.
 */
public final class LayoutRegionObserver implements RegionCoprocessor, RegionObserver {
  private static final Logger LOG = LoggerFactory.getLogger(LayoutRegionObserver.class);

  /** Null where there is nothing to guard. */
  private volatile WriteCheck check;

  private volatile BulkLoadCheck bulkLoads;

  /** Null unless bare keys are salted. */
  private volatile Forwarder forwarder;

  /** Null unless bare keys are salted. */
  private volatile BareReads bareReads;

  /**
   * The region that this instance was started for, and the host of coprocessors that was in place
   * then; weak, as HBase may forget to stop it.
   */
  private volatile List<WeakReference<Object>> guarded = new ArrayList<>();

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
    if (!isFirstOfRegion(env)) {
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
      WriteMetrics metrics =
          new WriteMetrics(env.getMetricRegistryForRegionServer(), table.getTableName());
      SampleLog log = SampleLog.of(env.getSharedData(), name);
      bulkLoads = new BulkLoadCheck(name, config, metrics, log);
      if (config.hasLayout() && config.mode() == Mode.SALT) {
        RowSender sender =
            new RowSender(
                env.getConnection(),
                table.getTableName(),
                ForwardThreads.of(env.getSharedData()),
                config.saltTimeoutMillis(),
                log);
        forwarder = new Forwarder(sender, table.getTableName(), metrics, log);
        bareReads = new BareReads(name, config, sender, metrics);
      }
      check = new WriteCheck(name, config, metrics, log);
    }
  }

  /**
   * Whether no other instance guards the region: HBase makes two where the class is configured for
   * all tables and in the table's descriptor as well, and then every write would count twice.
   *
   * <p>An instance is known by the opened region and not by the region's name: HBase does not stop
   * the coprocessors of a region whose opening and closing both fail, and what is left of it must
   * not keep the next opening unguarded. Nor by the region alone: when its configuration changes,
   * HBase loads the coprocessors of an open region anew and forgets the old ones ({@code
   * HRegion.onConfigurationChange}); two of one loading begin with the same host of coprocessors in
   * place, the old one or none. The other instance may be of another class loader, hence references
   * and not the instance: HBase shares data by the class's name, whatever jar it is from.
   */
  private boolean isFirstOfRegion(RegionCoprocessorEnvironment env) {
    Region region = env.getRegion();
    List<WeakReference<Object>> own = new ArrayList<>(2);
    own.add(new WeakReference<>(region));
    own.add(new WeakReference<>(((HRegion) region).getCoprocessorHost()));
    guarded = own;
    return own
        == env.getSharedData()
            .compute(regionKey(env), (key, other) -> isSameLoading(other, own) ? other : own);
  }

  private static boolean isSameLoading(Object other, List<WeakReference<Object>> own) {
    if (!(other instanceof List)) {
      return false;
    }
    for (int i = 0; i < own.size(); i++) {
      Object reference = ((List<?>) other).get(i);
      if (!(reference instanceof WeakReference)
          || ((WeakReference<?>) reference).get() != own.get(i).get()) {
        return false;
      }
    }
    return true;
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
    if (writes == null || writes.isOff()) {
      return;
    }
    int conforming = 0;
    BatchKind kind = null;
    for (int i = 0; i < batch.size(); i++) {
      if (batch.getOperationStatus(i).getOperationStatusCode() != OperationStatusCode.NOT_RUN) {
        continue;
      }
      OperationStatus status = writes.judge(batch.getOperation(i));
      if (status == null) {
        conforming++;
        continue;
      }
      if (status == WriteCheck.LET_THROUGH) {
        continue;
      }
      kind = kind == null ? BatchKind.of(batch, context.getEnvironment().getRegionInfo()) : kind;
      if (status instanceof ForwardStatus && kind == BatchKind.WHOLE) {
        throw new DoNotRetryIOException(
            writes.refusalOfBareKey(batch.getOperation(i), (ForwardStatus) status));
      }
      if (status instanceof RefusedStatus && kind != BatchKind.ROW_BY_ROW) {
        throw new DoNotRetryIOException(status.getExceptionMsg());
      }
      batch.setOperationStatus(i, status);
    }
    writes.conforming(conforming);
  }

  /** Makes refusals final, and stores bare rows; not when the batch has failed as a whole. */
  @Override
  public void postBatchMutateIndispensably(
      ObserverContext<RegionCoprocessorEnvironment> context,
      MiniBatchOperationInProgress<Mutation> batch,
      boolean success)
      throws IOException {
    if (check != null) {
      RefusedStatus.conclude(batch);
    }
    Forwarder bareRows = forwarder;
    if (bareRows != null && success) {
      bareRows.forward(batch, context.getEnvironment().getRegionInfo());
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
    String refusal = writes == null || writes.isOff() ? null : writes.refusal(checkAndMutate);
    if (refusal != null) {
      throw new DoNotRetryIOException(refusal);
    }
    return result;
  }

  /**
   * Leaves the timestamp of a bare row's "delete the latest version" open: HBase would look for
   * that version here, where the row never is.
   */
  @Override
  @SuppressWarnings("deprecation") // deprecated for users; HBase has no other place to ask
  public void prePrepareTimeStampForDeleteVersion(
      ObserverContext<RegionCoprocessorEnvironment> context,
      Mutation mutation,
      Cell cell,
      byte[] now,
      Get get) {
    BareReads bare = bareReads;
    if (bare != null && bare.saltedRow(mutation.getRow()) != null) {
      context.bypass();
    }
  }

  /**
   * Answers a Get of a bare key, also one that asks for existence only, with the cells of its
   * salted row. Only when the Get has been carried out here: by then HBase's access control has
   * agreed to it, in whatever order coprocessors are called.
   */
  @Override
  public void postGetOp(
      ObserverContext<RegionCoprocessorEnvironment> context, Get get, List<Cell> results)
      throws IOException {
    BareReads bare = bareReads;
    byte[] saltedRow = bare == null ? null : bare.saltedRow(get.getRow());
    if (saltedRow != null) {
      results.clear();
      results.addAll(bare.get(get, saltedRow));
    }
  }

  /** Refuses a scan that could only find nothing. */
  @Override
  public void preScannerOpen(ObserverContext<RegionCoprocessorEnvironment> context, Scan scan)
      throws IOException {
    BareReads bare = bareReads;
    if (bare != null) {
      bare.check(scan, context.getEnvironment().getRegionInfo());
    }
  }

  /**
   * Refuses HFiles that hold rows which do not fit, before HBase moves them. Reads the files with
   * the rights of the user who loads them, and holds no lock meanwhile.
   */
  @Override
  public void preBulkLoadHFile(
      ObserverContext<RegionCoprocessorEnvironment> context, List<Pair<byte[], String>> familyPaths)
      throws IOException {
    BulkLoadCheck files = bulkLoads;
    if (files == null || !files.isDue()) {
      return;
    }
    Configuration conf = context.getEnvironment().getConfiguration();
    boolean replicated = isReplicatedLoad();
    try {
      RequestUser.run(
          () -> {
            for (Pair<byte[], String> file : familyPaths) {
              files.check(new Path(file.getSecond()), conf, replicated);
            }
          });
    } catch (RuntimeException | LinkageError e) {
      // What is in the files comes from outside, and what reads them from this HBase's release;
      // neither may abort the server.
      throw new DoNotRetryIOException(
          "HFiles of a bulk load cannot be looked into. To load them unseen set "
              + RowguardKey.BULKLOAD.key()
              + "=off. "
              + e,
          e);
    }
  }

  /** Loads that arrive by replication carry the clusters they have been on. */
  private static boolean isReplicatedLoad() {
    Message request = RpcServer.getCurrentCall().map(RpcCall::getParam).orElse(null);
    return request instanceof BulkLoadHFileRequest
        && ((BulkLoadHFileRequest) request).getClusterIdsCount() > 0;
  }
}
