package io.rowguard.observer;

import io.rowguard.config.OtherPlaceException;
import io.rowguard.config.StaleLayoutException;
import io.rowguard.observer.load.LoadMeter;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HConstants.OperationStatusCode;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.regionserver.OperationStatus;
import org.apache.hadoop.hbase.util.Pair;

/**
 * What the hooks of {@link LayoutRegionObserver} do in a region that has something to guard.
 * Thread-safe. It may throw anything: {@link HookGuard} sees to that. Not final for the tests of
 * just this.
 */
class RegionHooks {
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

  RegionHooks(
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
