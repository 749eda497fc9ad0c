package io.rowguard.observer;

import io.rowguard.config.Mode;
import io.rowguard.config.OtherPlaceException;
import io.rowguard.config.StaleLayoutException;
import io.rowguard.config.TableConfig;
import io.rowguard.observer.load.LoadMeter;
import io.rowguard.observer.relayout.Askers;
import io.rowguard.observer.relayout.GlobalMemstore;
import io.rowguard.observer.relayout.Leftovers;
import io.rowguard.observer.relayout.OldSide;
import io.rowguard.observer.relayout.OwnEdits;
import io.rowguard.observer.relayout.Puller;
import io.rowguard.observer.relayout.RelayoutMetrics;
import io.rowguard.observer.relayout.TouchSide;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HConstants.OperationStatusCode;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.regionserver.OperationStatus;
import org.apache.hadoop.hbase.util.Pair;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the hooks of {@link LayoutRegionObserver} do in a region that has something to guard.
 * Thread-safe. It may throw anything: {@link HookGuard} sees to that. Not final for the tests of
 * just this.
 */
class RegionHooks {
  private static final Logger LOG = LoggerFactory.getLogger(LayoutRegionObserver.class);

  /** Of so many rows that are refused for now each has its status: HBase adds a stack trace. */
  private static final int MOST_BUSY = 32;

  private final WriteCheck writes;
  private final AddedRows addedRows;
  private final BulkLoadCheck bulkLoads;

  /** Null unless bare keys are salted, or the layout changes. */
  private final Forwarder forwarder;

  /** Null unless bare keys are salted. */
  private final BareReads bareReads;

  /** Null unless the layout changes. */
  private final RelayoutWrites relayout;

  private final VersionCheck versions;
  private final Questions questions;

  /** Null where no load is counted. */
  private final LoadMeter load;

  private final Closeable closer;

  private RegionHooks(
      WriteCheck writes,
      BulkLoadCheck bulkLoads,
      Forwarder forwarder,
      BareReads bareReads,
      RelayoutWrites relayout,
      VersionCheck versions,
      Questions questions,
      LoadMeter load,
      Closeable closer) {
    this.writes = writes;
    this.addedRows = new AddedRows(writes);
    this.bulkLoads = bulkLoads;
    this.forwarder = forwarder;
    this.bareReads = bareReads;
    this.relayout = relayout;
    this.versions = versions;
    this.questions = questions;
    this.load = load;
    this.closer = closer;
  }

  /** The same as others. */
  RegionHooks(RegionHooks others) {
    this(
        others.writes,
        others.bulkLoads,
        others.forwarder,
        others.bareReads,
        others.relayout,
        others.versions,
        others.questions,
        others.load,
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
    HRegion region = (HRegion) env.getRegion();
    VersionCheck versions =
        new VersionCheck(
            name,
            config,
            StoredLayouts.of(region, env.getConfiguration(), config),
            new RepeatCheck(region.getRegionInfo(), env.getOnlineRegions()),
            () -> relayoutMetrics(env, table.getTableName()));
    Forwarder forwarder = null;
    BareReads bareReads = null;
    RelayoutWrites relayout = null;
    Puller puller = null;
    OwnEdits own = new OwnEdits();
    Closeable closer = () -> {};
    if (config.hasLayout() && (config.mode() == Mode.SALT || config.relayout() != null)) {
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
      if (config.mode() == Mode.SALT) {
        bareReads = new BareReads(name, config, sender, metrics);
      }
      if (config.relayout() != null) {
        puller =
            new Puller(
                region,
                config.relayout().change(),
                config.relayout().generation(),
                new ServerWire(
                    table.getTableName(), sender, forwards, config.saltMaxBytes(), metrics, log),
                own,
                relayoutMetrics(env, table.getTableName()));
        relayout =
            new RelayoutWrites(
                region.getRegionInfo(),
                config,
                puller,
                new Leftovers(region),
                own,
                forwards.requestPulls(),
                log);
      }
      closer =
          () -> {
            try {
              sender.closed(region);
            } finally {
              forwards.leave();
            }
          };
    }
    return new RegionHooks(
        new WriteCheck(name, config, relayout, metrics, log),
        new BulkLoadCheck(name, config, metrics, log),
        forwarder,
        bareReads,
        relayout,
        versions,
        new Questions(
            Askers.of(env),
            new OldSide(region, config, own, GlobalMemstore.of(env.getOnlineRegions())),
            new TouchSide(region.getRegionInfo(), config, puller),
            config.saltTimeoutMillis()),
        LoadMeter.of(env, config),
        closer);
  }

  private static RelayoutMetrics relayoutMetrics(
      RegionCoprocessorEnvironment env, TableName table) {
    return new RelayoutMetrics(env.getMetricRegistryForRegionServer(), table, env.getServerName());
  }

  /** The region has closed, or HBase has loaded its coprocessors anew. */
  void close() throws IOException {
    try {
      closer.close();
    } finally {
      if (load != null) {
        load.close();
      }
    }
  }

  void preBatchMutate(
      MiniBatchOperationInProgress<Mutation> batch, RegionCoprocessorEnvironment env)
      throws IOException {
    if (relayout != null) {
      relayout.writing();
    }
    int conforming = 0;
    int bare = 0;
    int busy = 0;
    BatchKind kind = null;
    for (int i = 0; i < batch.size(); i++) {
      if (batch.getOperationStatus(i).getOperationStatusCode() != OperationStatusCode.NOT_RUN
          || (relayout != null && relayout.isOwn(batch.getOperation(i)))) {
        continue;
      }
      if (RepeatCheck.hasNonce(batch.getOperation(i))) {
        versions.check(batch.getOperation(i));
      }
      OperationStatus status = writes.judge(batch.getOperation(i));
      if (load != null && (status == null || status == WriteCheck.LET_THROUGH)) {
        load.write(batch.getOperation(i).getRow());
      }
      if (status == null) {
        conforming++;
        continue;
      }
      if (status == WriteCheck.LET_THROUGH) {
        continue;
      }
      kind = kind == null ? BatchKind.of(batch, env.getRegionInfo()) : kind;
      if (status instanceof ForwardStatus && kind == BatchKind.WHOLE) {
        RefusedStatus otherwise = ((ForwardStatus) status).otherwise();
        throw otherwise != null
            ? otherwise.exception()
            : new DoNotRetryIOException(
                writes.refusalOfBareKey(batch.getOperation(i), (ForwardStatus) status));
      }
      if (status instanceof RefusedStatus && kind != BatchKind.ROW_BY_ROW) {
        throw versions.repeats().failure(batch, batch.getOperation(i), (RefusedStatus) status);
      }
      if (status instanceof ForwardStatus) {
        bare++;
      } else if (((RefusedStatus) status).isBusy() && ++busy > MOST_BUSY) {
        throw ((RefusedStatus) status).exception();
      }
      batch.setOperationStatus(i, status);
    }
    if (bare > 0) {
      forwarder.requireRoom(bare);
    }
    if (relayout != null) { // a row that is not judged could have another's cells removed
      AddedRows.bringToLog(batch, env.getRegion().getTableDescriptor().getDurability());
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

  /** Before anything is locked, of each mutation by itself. */
  void before(Mutation mutation) throws IOException {
    if (RepeatCheck.hasNonce(mutation)) {
      versions.prepare(mutation); // checked by preBatchMutate, behind HBase's nonces
    } else {
      versions.checkNew(mutation);
    }
    if (relayout != null) {
      relayout.before(mutation, addedRows::isUnderWay);
    }
  }

  /** Null unless the layout changes. */
  RelayoutWrites relayout() {
    return relayout;
  }

  void preCheckAndMutate(CheckAndMutate checkAndMutate) throws IOException {
    List<Mutation> mutations = WriteCheck.mutations(checkAndMutate);
    try {
      for (Mutation mutation : mutations) {
        versions.check(mutation);
      }
      if (relayout != null) {
        relayout.before(checkAndMutate, mutations);
      }
    } catch (StaleLayoutException | OtherPlaceException e) {
      versions.repeats().requireNew(checkAndMutate.getRow());
      throw e;
    }
    String refusal = writes.refusal(checkAndMutate);
    if (refusal != null) {
      throw new DoNotRetryIOException(refusal);
    }
  }

  void preCheckAndMutateAfterRowLock(CheckAndMutate checkAndMutate) throws IOException {
    if (relayout != null) {
      relayout.afterRowLock(checkAndMutate, WriteCheck.mutations(checkAndMutate));
    }
  }

  /** For tests. */
  AddedRows addedRows() {
    return addedRows;
  }

  /** Whether a mutation will be stored under another row, in another region mostly. */
  boolean isElsewhere(Mutation mutation) {
    return (relayout != null && relayout.isElsewhere(mutation))
        || (bareReads != null && bareReads.isBare(mutation.getRow()));
  }

  /** Whether a Get is to be answered with the cells of another row: it asks for a bare key. */
  boolean isBare(Get get) {
    return bareReads != null && bareReads.isBare(get);
  }

  /** A Get was carried out here. */
  void read(Get get) {
    if (load != null) {
      load.read(get.getRow());
    }
  }

  /** A scan gave rows. */
  void scanned(List<Result> rows) {
    if (load != null) {
      load.scanned(rows);
    }
  }

  /** What a Get of a bare key finds under its salted row. */
  List<Cell> get(Get get) throws IOException {
    return bareReads.get(get);
  }

  /** The answer to a question that travels as a Get; null for any other Get. */
  Cell preGetOp(Get get) throws IOException {
    Cell answer = questions.answer(get);
    if (answer == null) {
      versions.check(get);
    }
    return answer;
  }

  void preScannerOpen(Scan scan, RegionCoprocessorEnvironment env) throws IOException {
    versions.check(scan);
    if (bareReads != null) {
      bareReads.check(scan, env.getRegionInfo());
    }
  }

  void preBulkLoadHFile(List<Pair<byte[], String>> familyPaths, RegionCoprocessorEnvironment env)
      throws IOException {
    bulkLoads.check(familyPaths, env.getConfiguration());
  }
}
