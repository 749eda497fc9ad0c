package io.rowguard.client;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.AsyncTableRegionLocator;

/**
 * {@link BareRangeLocator} for HBase's asynchronous client. Thread-safe.
 *
 * <p>The ranges are made on a thread that may wait: as that does, and again after a failure.
 */
final class AsyncBareRangeLocator implements AsyncTableRegionLocator {
  private final AsyncTableRegionLocator salted;
  private final LayoutCache layouts;
  private final RangeKeys keys;
  private final FetchThreads threads;
  // Null until they are asked for. No lock: two calls at once make ranges that are right both.
  private volatile CompletableFuture<BareRangeMap> ranges;

  AsyncBareRangeLocator(
      AsyncTableRegionLocator salted,
      AsyncTable<AdvancedScanResultConsumer> table,
      LayoutCache layouts,
      FetchThreads threads) {
    this.salted = salted;
    this.layouts = layouts;
    this.threads = threads;
    this.keys =
        new RangeKeys(
            layouts,
            scan ->
                BareScanner.open(
                    SaltedRows.of(table),
                    scan,
                    layouts,
                    new LongAdder(),
                    table.getOperationTimeout(TimeUnit.MILLISECONDS)));
  }

  /** As that of {@link BareRangeLocator}. */
  private boolean isPlain() {
    return !layouts.now().isDeriving();
  }

  private CompletableFuture<BareRangeMap> ranges() {
    CompletableFuture<BareRangeMap> known = ranges;
    if (known == null || known.isCompletedExceptionally()) {
      known = made();
      ranges = known;
    }
    return known;
  }

  private CompletableFuture<BareRangeMap> made() {
    CompletableFuture<BareRangeMap> made = new CompletableFuture<>();
    Futures.then(
        salted.getAllRegionLocations(),
        (locations, failure) -> {
          if (failure == null) {
            threads.run(
                () -> made.complete(BareRangeMap.of(locations, keys)), made::completeExceptionally);
          } else {
            made.completeExceptionally(failure);
          }
        },
        made::completeExceptionally);
    return made;
  }

  /** Completes with what is made of the ranges, or fails as the ranges do. */
  private <T> CompletableFuture<T> ofRanges(Function<BareRangeMap, CompletableFuture<T>> what) {
    CompletableFuture<T> shown = new CompletableFuture<>();
    Futures.pass(ranges().thenCompose(what), shown);
    return shown;
  }

  @Override
  public CompletableFuture<List<HRegionLocation>> getAllRegionLocations() {
    if (isPlain()) {
      return salted.getAllRegionLocations();
    }
    ranges = null;
    return ofRanges(made -> CompletableFuture.completedFuture(made.all()));
  }

  /** A page of all ranges, as they were made last. HBase has this method from 2.6.6 on. */
  @SuppressWarnings("MissingOverride") // compiles against releases that lack it
  public CompletableFuture<List<HRegionLocation>> getRegionLocationsPage(
      byte[] startKey, int limit) {
    return isPlain()
        ? salted
            .getAllRegionLocations()
            .thenApply(regions -> BareRangeMap.ofRegions(regions).page(startKey, limit))
        : ofRanges(made -> CompletableFuture.completedFuture(made.page(startKey, limit)));
  }

  /** Of a bare key, or of anything else that may be the bound of a range of them. */
  @Override
  public CompletableFuture<HRegionLocation> getRegionLocation(
      byte[] row, int replicaId, boolean reload) {
    return isPlain()
        ? salted.getRegionLocation(row, replicaId, reload)
        : getRegionLocations(row, reload)
            .thenApply(replicas -> BareRangeMap.replica(replicas, replicaId));
  }

  @Override
  public CompletableFuture<List<HRegionLocation>> getRegionLocations(byte[] row, boolean reload) {
    if (isPlain()) {
      return salted.getRegionLocations(row, reload);
    }
    Objects.requireNonNull(row, "row");
    return ofRanges(
        made -> {
          BareRangeMap.Range range = made.of(row, layouts.now());
          return salted.getRegionLocations(range.saltedRow(), reload).thenApply(range::bare);
        });
  }

  @Override
  public void clearRegionLocationCache() {
    salted.clearRegionLocationCache();
    ranges = null;
  }

  @Override
  public TableName getName() {
    return salted.getName();
  }
}
