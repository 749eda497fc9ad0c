package io.rowguard.client;

import com.google.protobuf.RpcChannel;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.AsyncTableRegionLocator;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.ScanResultConsumerBase;
import org.apache.hadoop.hbase.client.ServiceCaller;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.filter.Filter;

/**
 * HBase's {@code AsyncTable} over a table of salted rows, read and written with bare keys; what
 * {@link SaltedTable} says of rows, batches, scans and filters holds here too. Thread-safe.
 *
 * <p>A row that is no bare key fails its future with a {@link DoNotRetryIOException}, and so all of
 * the same batch; nothing of it is sent then. What HBase's own table throws at once, this does too.
 *
 * <p>Scans, in {@link #getScanner}, {@link #scanAll} and {@code scan}, are merged by the scanners
 * of {@link SaltedTable}, over those of HBase's asynchronous table.
 *
 * <p>The channel in the signatures of {@code coprocessorService} is of another protobuf on HBase 3,
 * which these methods, compiled once, are the same for: it is the parameter of a parameter.
 *
 * @param <C> HBase's kind of consumer of scans
 */
abstract class SaltedAsyncTable<C extends ScanResultConsumerBase> implements AsyncTable<C> {
  private final AsyncTable<C> own;
  private final AsyncTable<AdvancedScanResultConsumer> salted;
  private final LayoutCache layouts;
  private final FetchThreads threads;
  private final AsyncTableRegionLocator locator;
  private final LongAdder notConforming = new LongAdder();

  /**
   * @param own what HBase would give to the user
   * @param salted the same without a pool, which may be the same object
   * @param locator of bare keys
   */
  SaltedAsyncTable(
      AsyncTable<C> own,
      AsyncTable<AdvancedScanResultConsumer> salted,
      LayoutCache layouts,
      FetchThreads threads,
      AsyncTableRegionLocator locator) {
    this.own = own;
    this.salted = salted;
    this.layouts = layouts;
    this.threads = threads;
    this.locator = locator;
  }

  /** Where the user's own code is run; null for any thread. */
  abstract Executor pool();

  /** A scan of bare keys. */
  final BareScanner open(Scan scan) throws IOException {
    return BareScanner.open(
        SaltedRows.of(salted), new Scan(scan), layouts, notConforming, operationTimeout());
  }

  /** The rest of a scan of bare keys, behind what HBase's own has given. */
  final BareScanner openBehind(Scan scan, PlainConsumer before) throws IOException {
    return new ReplannedScanner(
        SaltedRows.of(salted), scan, layouts, notConforming, operationTimeout(), before);
  }

  /** Tells a consumer of the rows of a range of bare keys, on whichever threads. */
  final void tell(Scan scan, AdvancedScanResultConsumer consumer) {
    TableLayouts plan = layouts.now();
    if (plan.isDeriving()) {
      AsyncScan.begin(this, scan, consumer);
      return;
    }
    Scan given;
    Scan stamped;
    try {
      given = new Scan(scan);
      stamped = plan.target().marked(new Scan(scan));
    } catch (IOException e) {
      consumer.onError(e);
      return;
    }
    salted.scan(stamped, new PlainConsumer(this, given, consumer));
  }

  final FetchThreads threads() {
    return threads;
  }

  private long operationTimeout() {
    return salted.getOperationTimeout(TimeUnit.MILLISECONDS);
  }

  private <R extends Row> List<CompletableFuture<Object>> send(
      List<? extends R> given, AsyncRounds.Sender<R> sender) {
    return AsyncRounds.send(rounds(given), threads, sender);
  }

  private <R extends Row> BatchRounds<R> rounds(List<? extends R> given) {
    return new BatchRounds<>(layouts, operationTimeout(), given);
  }

  private <R extends Row, T> CompletableFuture<T> one(
      R given, Function<R, CompletableFuture<?>> sender) {
    return shown(send(Collections.singletonList(given), AsyncRounds.Sender.ofOne(sender)).get(0));
  }

  private <R extends Row, T> List<CompletableFuture<T>> all(
      List<? extends R> given, AsyncRounds.Sender<R> sender) {
    List<CompletableFuture<T>> shown = new ArrayList<>(given.size());
    for (CompletableFuture<Object> future : send(given, sender)) {
      shown.add(shown(future));
    }
    return shown;
  }

  /** The answers to all, or the failure of one. */
  @SuppressWarnings("unchecked") // an answer is of the class that HBase's own is of
  private <R extends Row, T> CompletableFuture<List<T>> together(
      List<? extends R> given, AsyncRounds.Sender<R> sender) {
    return this.<List<Object>>shown(AsyncRounds.sendAll(rounds(given), threads, sender))
        .thenApply(all -> (List<T>) all);
  }

  /** Completes where the user wants his code to run, with the failure as it is. */
  @SuppressWarnings("unchecked") // an answer is of the class that HBase's own is of
  private <T> CompletableFuture<T> shown(CompletableFuture<?> future) {
    Executor pool = pool();
    if (pool == null) {
      return (CompletableFuture<T>) future;
    }
    CompletableFuture<T> shown = new CompletableFuture<>();
    // Everything that depends on it runs where this comes to its end.
    Futures.pass(
        ((CompletableFuture<T>) future).whenCompleteAsync((answer, failure) -> {}, pool), shown);
    return shown;
  }

  @Override
  public CompletableFuture<Result> get(Get get) {
    return one(get, salted::get);
  }

  @Override
  public CompletableFuture<Void> put(Put put) {
    return one(put, salted::put);
  }

  @Override
  public CompletableFuture<Void> delete(Delete delete) {
    return one(delete, salted::delete);
  }

  @Override
  public CompletableFuture<Result> append(Append append) {
    return one(append, salted::append);
  }

  @Override
  public CompletableFuture<Result> increment(Increment increment) {
    return one(increment, salted::increment);
  }

  @Override
  public CompletableFuture<Result> mutateRow(RowMutations mutations) {
    return one(mutations, salted::mutateRow);
  }

  @Override
  public CompletableFuture<CheckAndMutateResult> checkAndMutate(CheckAndMutate check) {
    return one(check, salted::checkAndMutate);
  }

  @Override
  @Deprecated
  public CheckAndMutateBuilder checkAndMutate(byte[] row, byte[] family) {
    return new AsyncBareChecks.OfColumn(this, row, family);
  }

  @Override
  @Deprecated
  public CheckAndMutateWithFilterBuilder checkAndMutate(byte[] row, Filter filter) {
    return new AsyncBareChecks.OfFilter(this, row, filter);
  }

  @Override
  public List<CompletableFuture<CheckAndMutateResult>> checkAndMutate(List<CheckAndMutate> checks) {
    return all(checks, salted::checkAndMutate);
  }

  @Override
  public List<CompletableFuture<Result>> get(List<Get> gets) {
    return all(gets, salted::get);
  }

  @Override
  public List<CompletableFuture<Void>> put(List<Put> puts) {
    return all(puts, salted::put);
  }

  @Override
  public List<CompletableFuture<Void>> delete(List<Delete> deletes) {
    return all(deletes, salted::delete);
  }

  @Override
  public <T> List<CompletableFuture<T>> batch(List<? extends Row> actions) {
    return this.<Row, T>all(actions, salted::batch);
  }

  @Override
  public CompletableFuture<List<Result>> getAll(List<Get> gets) {
    return together(gets, salted::get);
  }

  @Override
  public CompletableFuture<Void> putAll(List<Put> puts) {
    return together(puts, salted::put).thenApply(all -> null);
  }

  @Override
  public CompletableFuture<Void> deleteAll(List<Delete> deletes) {
    return together(deletes, salted::delete).thenApply(all -> null);
  }

  @Override
  public <T> CompletableFuture<List<T>> batchAll(List<? extends Row> actions) {
    return this.<Row, T>together(actions, salted::batch);
  }

  /** The rows of a range of bare keys; a scan that cannot be answered fails at its first result. */
  @Override
  public ResultScanner getScanner(Scan scan) {
    try {
      return open(scan);
    } catch (IOException e) {
      return new FailedScanner(e);
    }
  }

  @Override
  public CompletableFuture<List<Result>> scanAll(Scan scan) {
    CompletableFuture<List<Result>> all = new CompletableFuture<>();
    List<Result> results = new ArrayList<>();
    tell(
        scan,
        new AdvancedScanResultConsumer() {
          @Override
          public void onNext(Result[] some, ScanController controller) {
            Collections.addAll(results, some);
          }

          @Override
          public void onError(Throwable failure) {
            all.completeExceptionally(failure);
          }

          @Override
          public void onComplete() {
            all.complete(results);
          }
        });
    return shown(all);
  }

  /**
   * A call to the region of one bare key; where it is none, or lies in several regions as writers
   * choose the bucket, the future fails. Rows in calls of endpoints are not translated.
   */
  @Override
  public <S, R> CompletableFuture<R> coprocessorService(
      Function<RpcChannel, S> stub, ServiceCaller<S, R> call, byte[] row) {
    try {
      layouts.now().requireOneRow("Call the regions of all rows, with empty keys.");
      return own.coprocessorService(stub, call, layouts.now().primaryRow(row));
    } catch (DoNotRetryIOException e) {
      return shown(Futures.failed(e));
    }
  }

  /**
   * A call to all regions; where something is derived, a range of bare keys is no range of them,
   * and is refused.
   */
  @Override
  public <S, R> CoprocessorServiceBuilder<S, R> coprocessorService(
      Function<RpcChannel, S> stub, ServiceCaller<S, R> call, CoprocessorCallback<R> callback) {
    return ofRegions(own.coprocessorService(stub, call, callback), callback::onError);
  }

  /** As above. HBase has this method from 2.6 on. */
  @SuppressWarnings("MissingOverride") // 2.5 lacks it
  public <S, R> CoprocessorServiceBuilder<S, R> coprocessorService(
      Function<RpcChannel, S> stub,
      ServiceCaller<S, R> call,
      PartialResultCoprocessorCallback<S, R> callback) {
    return ofRegions(own.coprocessorService(stub, call, callback), callback::onError);
  }

  private <S, R> CoprocessorServiceBuilder<S, R> ofRegions(
      CoprocessorServiceBuilder<S, R> call, Consumer<Throwable> onError) {
    return new RegionsCall<>(call, onError, layouts, threads, getName());
  }

  @Override
  public TableName getName() {
    return own.getName();
  }

  @Override
  public Configuration getConfiguration() {
    return own.getConfiguration();
  }

  @Override
  public CompletableFuture<TableDescriptor> getDescriptor() {
    return own.getDescriptor();
  }

  /** Shows regions as ranges of bare keys, as that of the connection. */
  @Override
  public AsyncTableRegionLocator getRegionLocator() {
    return locator;
  }

  @Override
  public long getRpcTimeout(TimeUnit unit) {
    return own.getRpcTimeout(unit);
  }

  @Override
  public long getReadRpcTimeout(TimeUnit unit) {
    return own.getReadRpcTimeout(unit);
  }

  @Override
  public long getWriteRpcTimeout(TimeUnit unit) {
    return own.getWriteRpcTimeout(unit);
  }

  @Override
  public long getOperationTimeout(TimeUnit unit) {
    return own.getOperationTimeout(unit);
  }

  @Override
  public long getScanTimeout(TimeUnit unit) {
    return own.getScanTimeout(unit);
  }

  /** HBase has this method from 2.6 on. */
  @SuppressWarnings("MissingOverride") // 2.5 lacks it
  public Map<String, byte[]> getRequestAttributes() {
    return own.getRequestAttributes();
  }
}
