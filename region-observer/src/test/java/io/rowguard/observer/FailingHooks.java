package io.rowguard.observer;

import io.rowguard.observer.fixture.Servers;
import io.rowguard.observer.request.RegionFeature;
import java.io.IOException;
import java.util.List;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.util.Pair;
import org.apache.hadoop.hbase.wal.WALKey;

/** Hooks as they are, but for one that fails. */
final class FailingHooks extends RegionHooks {
  /** Where they fail. */
  enum Where {
    /** Before each mutation by itself. */
    BEFORE_MUTATION,
    BEFORE_BATCH,
    /** When all who may add rows to the batch have been asked. */
    WAL_APPEND,
    /** When the batch is stored. */
    STORED,
    /** Before anything of it is done. */
    AFTER_BATCH,
    /** When rows are forwarded and statuses set. */
    AT_THE_END,
    /** Not at all: when a batch is judged they are gone, as if the table were not guarded since. */
    GONE,
    CHECK_AND_MUTATE,
    /** Asked of a Delete of the latest version, and of every Get. */
    SALTED_ROW,
    GET,
    SCAN,
    /** When what a scan or a Get has given is counted. */
    COUNTED,
    BULK_LOAD
  }

  private final LayoutRegionObserver observer;
  private final Where where;
  private final Supplier<Throwable> error;

  private FailingHooks(LayoutRegionObserver observer, Where where, Supplier<Throwable> error) {
    super(observer.hooks());
    this.observer = observer;
    this.where = where;
    this.error = error;
  }

  /** Lets the hooks of all regions of a table fail there, until they are opened anew. */
  static void in(Servers servers, TableName table, Where where, Supplier<Throwable> error) {
    for (HRegion region : servers.regionsOf(table)) {
      in(region, where, error);
    }
  }

  /** The same of the last region only, to which bare keys come. */
  static void inLastRegion(
      Servers servers, TableName table, Where where, Supplier<Throwable> error) {
    List<HRegion> regions = servers.regionsOf(table);
    in(regions.get(regions.size() - 1), where, error);
  }

  private static void in(HRegion region, Where where, Supplier<Throwable> error) {
    LayoutRegionObserver observer = (LayoutRegionObserver) Servers.observerOf(region);
    observer.setHooks(new FailingHooks(observer, where, error));
  }

  private void failAt(Where here) {
    if (where == here) {
      FailingHooks.<RuntimeException>fail(error.get());
    }
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // any error, undeclared
  private static <E extends Throwable> void fail(Throwable error) throws E {
    throw (E) error;
  }

  @Override
  void preBatchMutate(MiniBatchOperationInProgress<Mutation> batch) throws IOException {
    failAt(Where.BEFORE_BATCH);
    super.preBatchMutate(batch);
    if (where == Where.GONE) {
      observer.setHooks(null);
    }
  }

  @Override
  void preWALAppend(WALKey key) throws IOException {
    failAt(Where.WAL_APPEND);
    super.preWALAppend(key);
  }

  @Override
  void postBatchMutate(MiniBatchOperationInProgress<Mutation> batch) {
    failAt(Where.STORED);
    super.postBatchMutate(batch);
  }

  @Override
  void postBatchMutateIndispensably(MiniBatchOperationInProgress<Mutation> batch, boolean success)
      throws IOException {
    failAt(Where.AFTER_BATCH);
    super.postBatchMutateIndispensably(batch, success);
    failAt(Where.AT_THE_END);
  }

  @Override
  void preCheckAndMutate(CheckAndMutate checkAndMutate) throws IOException {
    failAt(Where.CHECK_AND_MUTATE);
    super.preCheckAndMutate(checkAndMutate);
  }

  @Override
  void before(Mutation mutation) throws IOException {
    failAt(Where.BEFORE_MUTATION);
    super.before(mutation);
  }

  @Override
  boolean isElsewhere(Mutation mutation) {
    failAt(Where.SALTED_ROW);
    return super.isElsewhere(mutation);
  }

  @Override
  RegionFeature withCells(Get get) {
    failAt(Where.SALTED_ROW);
    return super.withCells(get);
  }

  @Override
  List<Cell> cells(RegionFeature feature, Get get) throws IOException {
    failAt(Where.GET);
    return super.cells(feature, get);
  }

  @Override
  void preScannerOpen(Scan scan) throws IOException {
    failAt(Where.SCAN);
    super.preScannerOpen(scan);
  }

  @Override
  void read(Get get) {
    failAt(Where.COUNTED);
    super.read(get);
  }

  @Override
  void scanned(List<Result> rows) {
    failAt(Where.COUNTED);
    super.scanned(rows);
  }

  @Override
  void preBulkLoadHFile(List<Pair<byte[], String>> familyPaths, Configuration conf)
      throws IOException {
    failAt(Where.BULK_LOAD);
    super.preBulkLoadHFile(familyPaths, conf);
  }
}
