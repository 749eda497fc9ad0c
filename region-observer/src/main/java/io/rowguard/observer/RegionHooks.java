package io.rowguard.observer;

import io.rowguard.config.Mode;
import io.rowguard.config.TableConfig;
import io.rowguard.observer.relayout.Askers;
import io.rowguard.observer.relayout.OldSide;
import io.rowguard.observer.relayout.OwnEdits;
import io.rowguard.relayout.Question;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HConstants.OperationStatusCode;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.regionserver.OperationStatus;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.BulkLoadHFileRequest;
import org.apache.hadoop.hbase.util.Pair;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the hooks of {@link LayoutRegionObserver} do in a region that has something to guard.
 * Thread-safe. It may throw anything: {@link HookGuard} sees to that. Not final for the tests of
 * just this.
 */
class RegionHooks {
  private static final Logger LOG = LoggerFactory.getLogger(LayoutRegionObserver.class);

  private final WriteCheck writes;
  private final AddedRows addedRows;
  private final BulkLoadCheck bulkLoads;

  /** Null unless bare keys are salted. */
  private final Forwarder forwarder;

  /** Null unless bare keys are salted. */
  private final BareReads bareReads;

  private final OwnEdits ownEdits;
  private final OldSide oldSide;
  private final Askers askers;
  private final Closeable closer;

  private RegionHooks(
      WriteCheck writes,
      BulkLoadCheck bulkLoads,
      Forwarder forwarder,
      BareReads bareReads,
      OwnEdits ownEdits,
      OldSide oldSide,
      Askers askers,
      Closeable closer) {
    this.writes = writes;
    this.addedRows = new AddedRows(writes);
    this.bulkLoads = bulkLoads;
    this.forwarder = forwarder;
    this.bareReads = bareReads;
    this.ownEdits = ownEdits;
    this.oldSide = oldSide;
    this.askers = askers;
    this.closer = closer;
  }

  /** The same as others. */
  RegionHooks(RegionHooks others) {
    this(
        others.writes,
        others.bulkLoads,
        others.forwarder,
        others.bareReads,
        others.ownEdits,
        others.oldSide,
        others.askers,
        others.closer);
  }

  /** The hooks of a region that opens; null where there is nothing to guard, or mode is off. */
  static RegionHooks of(RegionCoprocessorEnvironment env, HookGuard guard) {
    TableDescriptor table = env.getRegion().getTableDescriptor();
    guard.setTable(table.getTableName());
    TableConfig config = TableConfig.of(table, env.getConfiguration());
    String name = table.getTableName().getNameAsString();
    boolean off = config.mode() == Mode.OFF;
    for (String warning : config.warnings()) {
      LOG.warn("Configuration that concerns no table yet. table={} {}", name, warning);
    }
    if (config.isWrong()) {
      LOG.error(
          config.problemMessage(
              name, off ? "its writes are not checked" : "all its writes are refused"));
    } else if (!config.hasLayout()) {
      return null;
    }
    WriteMetrics metrics =
        new WriteMetrics(env.getMetricRegistryForRegionServer(), table.getTableName());
    guard.setMetrics(metrics);
    return off ? null : of(env, table, config, metrics);
  }

  private static RegionHooks of(
      RegionCoprocessorEnvironment env,
      TableDescriptor table,
      TableConfig config,
      WriteMetrics metrics) {
    String name = table.getTableName().getNameAsString();
    SampleLog log = SampleLog.of(env.getSharedData(), name);
    Forwarder forwarder = null;
    BareReads bareReads = null;
    Closeable closer = () -> {};
    if (config.hasLayout() && config.mode() == Mode.SALT) {
      ServerForwards forwards =
          ServerForwards.of(env.getServerName(), env.getConnection().getConfiguration());
      RowSender sender =
          new RowSender(
              table.getTableName(),
              env.getServerName(),
              env.getOnlineRegions(),
              forwards,
              metrics,
              log);
      forwarder = new Forwarder(sender, forwards, table.getTableName(), config, metrics, log);
      bareReads = new BareReads(name, config, sender, metrics);
      closer =
          () -> {
            try {
              sender.closed(env.getRegion());
            } finally {
              forwards.leave();
            }
          };
    }
    OwnEdits ownEdits = new OwnEdits();
    return new RegionHooks(
        new WriteCheck(name, config, metrics, log),
        new BulkLoadCheck(name, config, metrics, log),
        forwarder,
        bareReads,
        ownEdits,
        new OldSide((HRegion) env.getRegion(), config, ownEdits),
        Askers.of(env),
        closer);
  }

  /** The region has closed, or HBase has loaded its coprocessors anew. */
  void close() throws IOException {
    closer.close();
  }

  void preBatchMutate(
      MiniBatchOperationInProgress<Mutation> batch, RegionCoprocessorEnvironment env)
      throws IOException {
    int conforming = 0;
    int bare = 0;
    BatchKind kind = null;
    for (int i = 0; i < batch.size(); i++) {
      if (batch.getOperationStatus(i).getOperationStatusCode() != OperationStatusCode.NOT_RUN) {
        continue;
      }
      if (ownEdits.isOwn(batch.getOperation(i))) {
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
      kind = kind == null ? BatchKind.of(batch, env.getRegionInfo()) : kind;
      if (status instanceof ForwardStatus && kind == BatchKind.WHOLE) {
        throw new DoNotRetryIOException(
            writes.refusalOfBareKey(batch.getOperation(i), (ForwardStatus) status));
      }
      if (status instanceof RefusedStatus && kind != BatchKind.ROW_BY_ROW) {
        throw new DoNotRetryIOException(status.getExceptionMsg());
      }
      if (status instanceof ForwardStatus) {
        bare++;
      }
      batch.setOperationStatus(i, status);
    }
    if (bare > 0) {
      forwarder.requireRoom(bare);
    }
    addedRows.judge(batch);
    writes.conforming(conforming);
  }

  void preWALAppend() throws IOException {
    addedRows.judgeAll();
  }

  void postBatchMutate(MiniBatchOperationInProgress<Mutation> batch) {
    addedRows.stored(batch);
  }

  /** Makes refusals final, and stores bare rows; not when the batch has failed as a whole. */
  void postBatchMutateIndispensably(
      MiniBatchOperationInProgress<Mutation> batch,
      RegionCoprocessorEnvironment env,
      boolean success)
      throws IOException {
    addedRows.over(batch);
    boolean hasBareRows = RefusedStatus.conclude(batch);
    if (!hasBareRows || !success) {
      return;
    }
    if (forwarder == null) {
      // HBase has loaded its coprocessors anew in between, and the table is not salted any more.
      throw new IllegalStateException("There is nothing to forward bare rows with.");
    }
    forwarder.forward(batch, env.getRegionInfo());
  }

  void preCheckAndMutate(CheckAndMutate checkAndMutate) throws IOException {
    String refusal = writes.refusal(checkAndMutate);
    if (refusal != null) {
      throw new DoNotRetryIOException(refusal);
    }
  }

  /** For tests. */
  AddedRows addedRows() {
    return addedRows;
  }

  /** The salted row of a bare key; null where rows are not salted, or this is none. */
  byte[] saltedRow(byte[] row) {
    return bareReads == null ? null : bareReads.saltedRow(row);
  }

  /** What a Get of a bare key finds under its {@link #saltedRow}. */
  List<Cell> get(Get get, byte[] saltedRow) throws IOException {
    return bareReads.get(get, saltedRow);
  }

  /** The answer to a question that travels as a Get; null for any other Get. */
  Cell preGetOp(Get get) throws IOException {
    Question question = Question.of(get);
    if (question == null) {
      return null;
    }
    askers.require(question.kind());
    return oldSide.answer(question).toCell(get.getRow());
  }

  /**
   * Refuses a question to a region whose layout is not guarded. An empty Get would be taken for a
   * server without Rowguard.
   */
  static void refuseQuestion(Get get) throws IOException {
    if (Question.of(get) != null) {
      throw new DoNotRetryIOException(
          "The region has no layout that is guarded, so nothing is answered about a change of it.");
    }
  }

  void preScannerOpen(Scan scan, RegionCoprocessorEnvironment env) throws IOException {
    if (bareReads != null) {
      bareReads.check(scan, env.getRegionInfo());
    }
  }

  void preBulkLoadHFile(List<Pair<byte[], String>> familyPaths, RegionCoprocessorEnvironment env)
      throws IOException {
    if (!bulkLoads.isDue()) {
      return;
    }
    Configuration conf = env.getConfiguration();
    boolean replicated = isReplicatedLoad();
    RequestUser.run(
        () -> {
          for (Pair<byte[], String> file : familyPaths) {
            bulkLoads.check(new Path(file.getSecond()), conf, replicated);
          }
        });
  }

  /** Loads that arrive by replication carry the clusters they have been on. */
  private static boolean isReplicatedLoad() {
    Message request = RpcServer.getCurrentCall().map(RpcCall::getParam).orElse(null);
    return request instanceof BulkLoadHFileRequest
        && ((BulkLoadHFileRequest) request).getClusterIdsCount() > 0;
  }
}
