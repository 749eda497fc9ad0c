package io.rowguard.client;

import io.rowguard.layout.RowkeyLayout;
import io.rowguard.layout.SaltBuckets;
import io.rowguard.readdressing.ReaddressedResult;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.coprocessor.Batch;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.ipc.CoprocessorRpcChannel;

/**
 * A table of salted rows, read and written with bare keys: the rows without what is derived in
 * them.
 *
 * <p>Rows are completed on the way in and shown bare on the way out, so existing code keeps its
 * calls. The servers need no plugin, and do not mind those of Rowguard.
 *
 * <ul>
 *   <li>Reads and writes of single rows go to the salted row at once: they cost what they cost on
 *       the table itself. What is given (mutations, gets, scans) is never changed.
 *   <li>A scan becomes one sub-scan per bucket, which are read in parallel and merged in the order
 *       of bare keys; see {@link #plan}.
 *   <li>A row that is no bare key of the layout fails with a {@link DoNotRetryIOException} before
 *       anything is sent; of a batch with such a row in it, nothing is sent.
 *   <li>Rows of the table that do not conform to the layout are left out of scans and counted:
 *       {@link #notConforming()}.
 *   <li>The salted row of a bare key is {@link #saltedRow}.
 *   <li>A coprocessor can be called in all regions, or in that of one bare key; not in those of a
 *       range of bare keys, which is no range of regions.
 * </ul>
 *
 * <p>Its methods are those of {@code Table} in the release of HBase that it runs on.
 *
 * <p>As thread-safe as the {@code Table} that HBase's connection gives (which is not meant for
 * several threads, but cheap). Closing it closes neither the connection nor the scanners that are
 * open.
 */
public abstract class SaltedTable extends DelegatingTable {
  private final KnownLayouts layouts;
  private final FetchThreads threads;
  private final FilterRules filters;
  private final LayoutCalls calls;
  private final LongAdder notConforming = new LongAdder();

  SaltedTable(Table table, KnownLayouts layouts, FetchThreads threads, FilterRules filters) {
    super(table);
    this.layouts = layouts;
    this.threads = threads;
    this.filters = filters;
    this.calls = new LayoutCalls(layouts, this::operationTimeout);
  }

  private long operationTimeout() {
    return table.getOperationTimeout(TimeUnit.MILLISECONDS);
  }

  /**
   * Opens a table whose descriptor, or hbase-site.xml, declares its layout.
   *
   * @param connection is left open
   * @throws IOException when the descriptor cannot be read, has no layout, or a wrong one
   */
  public static SaltedTable open(Connection connection, TableName name) throws IOException {
    return builder(connection, name).build();
  }

  /** Opens a table with options, such as a layout that its descriptor does not declare. */
  public static SaltedTableBuilder builder(Connection connection, TableName name) {
    return new SaltedTableBuilder(connection, name);
  }

  /**
   * The layout of the salted rows; while it changes, that of the rows which take the writes at the
   * moment.
   */
  public RowkeyLayout layout() {
    return layouts.now().homeLayout();
  }

  /**
   * Whether the layout of the table is changing, so that some rows stand under the old layout still
   * and others under the new one. As it was when this table last had to know; within a minute it
   * knows of the end.
   */
  public boolean isLayoutChanging() {
    return layouts.now().isChanging();
  }

  /**
   * The salted row of a bare key, which takes its writes; while the layout changes, it is good for
   * the moment.
   *
   * @throws DoNotRetryIOException when it is no bare key of the layout
   */
  public byte[] saltedRow(byte[] bareKey) throws DoNotRetryIOException {
    return layouts.now().home().row(bareKey);
  }

  /**
   * The sub-scans that {@link #getScanner(Scan)} merges, for those who want to run them otherwise.
   * Once the layout has changed they fail with a {@link io.rowguard.config.StaleLayoutException}.
   *
   * @throws DoNotRetryIOException when the scan cannot be answered through buckets: too many of
   *     them, cursor results, or a filter that would not see bare keys; and while the layout
   *     changes, since sub-scans alone would miss rows then
   */
  public ScanPlan plan(Scan scan) throws IOException {
    TableLayouts now = layouts.now();
    if (now.isChanging()) {
      throw new DoNotRetryIOException(
          "The layout of the table is changing, and a plan of sub-scans would miss rows on their"
              + " way. table="
              + getName()
              + ". Read through getScanner, or wait until it is over. "
              + now);
    }
    return ScanPlan.of(scan, now.current(), filters, now.maxBuckets());
  }

  /**
   * How many results the scans of this table, as far as they are closed, have left out because
   * their row does not conform to the layout. A row between the buckets counts for each that met
   * it.
   */
  public long notConforming() {
    return notConforming.sum();
  }

  /** Finds regions by bare key; the keys of the regions are those of salted rows. */
  @Override
  public RegionLocator getRegionLocator() throws IOException {
    return new BareRegionLocator(table.getRegionLocator(), this);
  }

  @Override
  public boolean exists(Get get) throws IOException {
    return calls.read(get.getRow(), actions -> table.exists(actions.get(get)), found -> !found);
  }

  @Override
  public boolean[] exists(List<Get> gets) throws IOException {
    TableLayouts plan = layouts.now();
    if (!plan.isChanging()) {
      SaltedBatch<Get> batch = new SaltedBatch<>(gets, plan.home()::get);
      try {
        return table.exists(batch.salted());
      } catch (IOException e) {
        throwUnlessStale(plan, batch, e);
      }
    }
    Object[] results = reads(gets, SaltedActions::existence);
    boolean[] exist = new boolean[results.length];
    for (int i = 0; i < exist.length; i++) {
      exist[i] = !BatchRounds.showsNothing((Result) results[i]);
    }
    return exist;
  }

  @Override
  public Result get(Get get) throws IOException {
    Result result =
        calls.read(get.getRow(), actions -> table.get(actions.get(get)), BatchRounds::showsNothing);
    return ReaddressedResult.of(result, get.getRow());
  }

  @Override
  public Result[] get(List<Get> gets) throws IOException {
    TableLayouts plan = layouts.now();
    if (!plan.isChanging()) {
      SaltedBatch<Get> batch = new SaltedBatch<>(gets, plan.home()::get);
      try {
        Result[] results = table.get(batch.salted());
        batch.strip(results, results);
        return results;
      } catch (IOException e) {
        throwUnlessStale(plan, batch, e);
      }
    }
    Object[] results = reads(gets, SaltedActions::get);
    return Arrays.copyOf(results, results.length, Result[].class);
  }

  /** Reads are begun anew as a whole: nobody has seen what some of them have found. */
  private Object[] reads(List<Get> gets, BatchRounds.Translation<Get> translation)
      throws IOException {
    BatchRounds<Get> rounds = rounds(gets, translation);
    run(rounds, table::batch);
    throwIfAny(listFailure(rounds));
    return rounds.results();
  }

  private static void throwUnlessStale(TableLayouts plan, SaltedBatch<?> batch, IOException e)
      throws IOException {
    if (!plan.isVersioned() || !LayoutFailures.isIn(e)) {
      throw batch.named(e);
    }
  }

  @Override
  public void put(Put put) throws IOException {
    calls.write(
        actions -> {
          table.put(actions.put(put));
          return null;
        });
  }

  @Override
  public void put(List<Put> puts) throws IOException {
    TableLayouts plan = layouts.now();
    BatchRounds<Put> rounds;
    if (plan.isChanging()) {
      rounds = rounds(puts, SaltedActions::put);
    } else {
      SaltedBatch<Put> batch = new SaltedBatch<>(puts, plan.home()::put);
      Object[] answers = new Object[puts.size()];
      try {
        putAll(batch.salted(), answers);
        return;
      } catch (IOException e) {
        throwUnlessStale(plan, batch, e);
        rounds = rounds(puts, SaltedActions::put);
        rounds.begin(plan, batch.all(), answers, e);
      }
    }
    run(rounds, this::putAll);
    throwIfAny(listFailure(rounds));
  }

  @Override
  public void delete(Delete delete) throws IOException {
    calls.write(
        actions -> {
          table.delete(actions.delete(delete));
          return null;
        });
  }

  /** As HBase's own table does: on HBase 2 those that succeed are taken out of the list. */
  @Override
  public void delete(List<Delete> deletes) throws IOException {
    TableLayouts plan = layouts.now();
    BatchRounds<Delete> rounds;
    if (plan.isChanging()) {
      rounds = rounds(deletes, SaltedActions::delete);
    } else {
      SaltedBatch<Delete> batch = new SaltedBatch<>(deletes, plan.home()::delete);
      Object[] answers = new Object[deletes.size()];
      try {
        deleteAll(batch.salted(), answers);
        batch.keepLeft(deletes);
        return;
      } catch (IOException e) {
        if (!plan.isVersioned() || !LayoutFailures.isIn(e)) {
          IOException named = batch.named(e);
          batch.keepLeft(deletes);
          throw named;
        }
        rounds = rounds(deletes, SaltedActions::delete);
        rounds.begin(plan, batch.all(), answers, e);
      }
    }
    try {
      run(rounds, this::deleteAll);
    } finally {
      if (deletesShortenTheirList()) {
        rounds.keepFailed(deletes);
      }
    }
    throwIfAny(listFailure(rounds));
  }

  /**
   * As HBase's own table does. The results have what failed; the text of HBase 3's exception names
   * salted rows, as it is made below this table.
   */
  @Override
  public void batch(List<? extends Row> actions, Object[] results)
      throws IOException, InterruptedException {
    batch(layouts.now(), actions, results, table::batch, null);
  }

  @Override
  public <R> void batchCallback(
      List<? extends Row> actions, Object[] results, Batch.Callback<R> callback)
      throws IOException, InterruptedException {
    TableLayouts plan = layouts.now();
    SaltBuckets buckets = plan.current().buckets();
    Batch.Callback<R> bare =
        (region, row, result) -> {
          byte[] bareKey = buckets.bareKeyOf(row, 0, row.length);
          callback.update(region, bareKey, shown(result, bareKey));
        };
    batch(
        plan,
        actions,
        results,
        (salted, answers) -> table.batchCallback(salted, answers, bare),
        callback);
  }

  @SuppressWarnings("unchecked") // results stay of their own class
  private static <R> R shown(R result, byte[] bareKey) {
    return (R) ReaddressedResult.of((Object) result, bareKey);
  }

  /**
   * @param all sends all actions at once, as long as the layout does not change
   * @param callback is told the results of what was sent otherwise; null for nobody
   */
  private <R> void batch(
      TableLayouts plan,
      List<? extends Row> actions,
      Object[] results,
      BatchRounds.Sender<Row> all,
      Batch.Callback<R> callback)
      throws IOException, InterruptedException {
    SaltedBatch<Row> batch = new SaltedBatch<>(actions, plan.home()::action);
    Object[] saltedResults = batch.saltedResults(results);
    BatchRounds<Row> rounds = null;
    if (plan.isChanging()) {
      rounds = rounds(actions, SaltedActions::action);
    } else {
      try {
        all.send(batch.salted(), saltedResults);
      } catch (IOException e) {
        throwUnlessStale(plan, batch, e);
        rounds = rounds(actions, SaltedActions::action);
        rounds.begin(plan, batch.all(), saltedResults, e);
      } finally {
        if (rounds == null) {
          batch.strip(saltedResults, results);
        }
      }
    }
    if (rounds != null) {
      batchInRounds(rounds, results, callback);
    }
  }

  private <R> void batchInRounds(
      BatchRounds<Row> rounds, Object[] results, Batch.Callback<R> callback)
      throws IOException, InterruptedException {
    try {
      if (callback == null) {
        rounds.run(table::batch, null);
      } else {
        BatchRounds.Regions regions = new BatchRounds.Regions();
        rounds.run(
            (salted, answers) -> table.batchCallback(salted, answers, regions),
            (salted, bareKey, shown) -> {
              @SuppressWarnings("unchecked") // as above
              R result = (R) shown;
              callback.update(regions.of(salted), bareKey, result);
            });
      }
    } finally {
      if (results != null) {
        Object[] shown = rounds.results();
        System.arraycopy(shown, 0, results, 0, shown.length);
      }
    }
    throwIfAny(batchFailure(rounds));
  }

  /**
   * The rows of a range of bare keys, in their order. When the layout of the table changes, the
   * scan goes on under the new one.
   *
   * @throws DoNotRetryIOException when the scan cannot be answered through buckets: too many of
   *     them, cursor results, or a filter that would not see bare keys
   */
  @Override
  public ResultScanner getScanner(Scan scan) throws IOException {
    TableLayouts plan = layouts.now();
    return plan.isVersioned()
        ? new ReplannedScanner(
            table, scan, layouts, filters, threads, notConforming, operationTimeout())
        : new SaltedScanner(
            table,
            scan,
            ScanPlan.of(scan, plan.current(), filters, plan.maxBuckets()),
            threads,
            notConforming);
  }

  @Override
  public ResultScanner getScanner(byte[] family) throws IOException {
    return getScanner(new Scan().addFamily(family));
  }

  @Override
  public ResultScanner getScanner(byte[] family, byte[] qualifier) throws IOException {
    return getScanner(new Scan().addColumn(family, qualifier));
  }

  @Override
  public Result append(Append append) throws IOException {
    Result result = calls.write(actions -> table.append(actions.append(append)));
    return ReaddressedResult.of(result, append.getRow());
  }

  @Override
  public Result increment(Increment increment) throws IOException {
    Result result = calls.write(actions -> table.increment(actions.increment(increment)));
    return ReaddressedResult.of(result, increment.getRow());
  }

  @Override
  public Result mutateRow(RowMutations mutations) throws IOException {
    Result result = calls.write(actions -> table.mutateRow(actions.rowMutations(mutations)));
    return ReaddressedResult.of(result, mutations.getRow());
  }

  @Override
  public CheckAndMutateResult checkAndMutate(CheckAndMutate check) throws IOException {
    CheckAndMutateResult result =
        calls.write(actions -> table.checkAndMutate(actions.checkAndMutate(check)));
    return ReaddressedResult.of(result, check.getRow());
  }

  @Override
  public List<CheckAndMutateResult> checkAndMutate(List<CheckAndMutate> checks) throws IOException {
    List<CheckAndMutateResult> results = new ArrayList<>(checks.size());
    if (checks.size() < 2) {
      for (CheckAndMutate check : checks) {
        results.add(checkAndMutate(check));
      }
      return results;
    }
    TableLayouts plan = layouts.now();
    BatchRounds<CheckAndMutate> rounds;
    if (plan.isChanging()) {
      rounds = rounds(checks, SaltedActions::checkAndMutate);
    } else {
      SaltedBatch<CheckAndMutate> batch = new SaltedBatch<>(checks, plan.home()::checkAndMutate);
      Object[] answers = new Object[checks.size()];
      try {
        checkAll(batch.salted(), answers);
        batch.strip(answers, answers);
        return checked(answers);
      } catch (IOException e) {
        throwUnlessStale(plan, batch, e);
        rounds = rounds(checks, SaltedActions::checkAndMutate);
        rounds.begin(plan, batch.all(), answers, e);
      }
    }
    run(rounds, this::checkAll);
    throwIfAny(listFailure(rounds));
    return checked(rounds.results());
  }

  private static List<CheckAndMutateResult> checked(Object[] answers) {
    List<CheckAndMutateResult> results = new ArrayList<>(answers.length);
    for (Object answer : answers) {
      results.add((CheckAndMutateResult) answer);
    }
    return results;
  }

  /**
   * Sends puts on salted rows.
   *
   * @param answers filled, where something fails and the failure does not say what
   */
  abstract void putAll(List<Put> salted, Object[] answers) throws IOException;

  /** As {@link #putAll}. */
  abstract void deleteAll(List<Delete> salted, Object[] answers) throws IOException;

  /** As {@link #putAll}, but the answers are filled always. */
  abstract void checkAll(List<CheckAndMutate> salted, Object[] answers) throws IOException;

  /** Whether {@code delete} takes out of its list what it has done. */
  abstract boolean deletesShortenTheirList();

  /** What HBase's own table throws when some actions of a list have failed; null if none has. */
  abstract IOException listFailure(BatchRounds<?> rounds);

  /** What HBase's own table throws when some actions of a batch have failed; null if none has. */
  abstract IOException batchFailure(BatchRounds<?> rounds);

  private static void throwIfAny(IOException failure) throws IOException {
    if (failure != null) {
      throw failure;
    }
  }

  private <R extends Row> BatchRounds<R> rounds(
      List<? extends R> actions, BatchRounds.Translation<R> translation) {
    return new BatchRounds<>(layouts, operationTimeout(), actions, translation);
  }

  private static <R extends Row> void run(BatchRounds<R> rounds, BatchRounds.Sender<R> sender)
      throws IOException {
    try {
      rounds.run(sender, null);
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  /** What HBase's own table makes of an interruption where it may not throw it. */
  static InterruptedIOException interrupted(InterruptedException e) {
    return (InterruptedIOException) new InterruptedIOException(e.getMessage()).initCause(e);
  }

  @Override
  @Deprecated
  public CheckAndMutateBuilder checkAndMutate(byte[] row, byte[] family) {
    rowOfArgument(row);
    return new BareChecks.OfColumn(this, row, family);
  }

  @Override
  @Deprecated
  public CheckAndMutateWithFilterBuilder checkAndMutate(byte[] row, Filter filter) {
    rowOfArgument(row);
    try {
      layouts.now().home().filter(filter, row);
    } catch (DoNotRetryIOException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
    return new BareChecks.OfFilter(this, row, filter);
  }

  /**
   * A call to the region of one bare key. What is said there about rows is not translated.
   *
   * @throws IllegalArgumentException when it is no bare key of the layout
   */
  @Override
  public CoprocessorRpcChannel coprocessorService(byte[] row) {
    return table.coprocessorService(rowOfArgument(row));
  }

  /** For methods that may not throw an IOException. */
  private byte[] rowOfArgument(byte[] row) {
    try {
      return saltedRow(row);
    } catch (DoNotRetryIOException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  /** Ends the threads that are this table's own. Scanners that are open stay so. */
  @Override
  public void close() throws IOException {
    threads.close();
    table.close();
  }
}
