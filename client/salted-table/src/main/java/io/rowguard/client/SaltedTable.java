package io.rowguard.client;

import io.rowguard.layout.RowkeyLayout;
import io.rowguard.layout.SaltBuckets;
import io.rowguard.readdressing.ReaddressedResult;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
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
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
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
  private final SaltBuckets buckets;
  private final int maxBuckets;
  private final FetchThreads threads;
  private final FilterRules filters;
  final SaltedActions actions;
  private final LongAdder notConforming = new LongAdder();

  SaltedTable(
      Table table,
      RowkeyLayout layout,
      int maxBuckets,
      FetchThreads threads,
      Set<Class<? extends Filter>> rowBlind) {
    super(table);
    this.buckets = SaltBuckets.of(layout);
    this.maxBuckets = maxBuckets;
    this.threads = threads;
    this.filters = new FilterRules(table.getName(), rowBlind);
    this.actions = new SaltedActions(table.getName(), buckets, filters);
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

  /** The layout of the salted rows. */
  public RowkeyLayout layout() {
    return buckets.layout();
  }

  /**
   * The salted row of a bare key.
   *
   * @throws DoNotRetryIOException when it is no bare key of the layout
   */
  public byte[] saltedRow(byte[] bareKey) throws DoNotRetryIOException {
    return actions.row(bareKey);
  }

  /**
   * The sub-scans that {@link #getScanner(Scan)} merges, for those who want to run them otherwise.
   *
   * @throws DoNotRetryIOException when the scan cannot be answered through buckets: too many of
   *     them, cursor results, or a filter that would not see bare keys
   */
  public ScanPlan plan(Scan scan) throws IOException {
    return ScanPlan.of(scan, buckets, filters, maxBuckets);
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
    return new BareRegionLocator(table.getRegionLocator(), actions);
  }

  @Override
  public boolean exists(Get get) throws IOException {
    return table.exists(actions.get(get));
  }

  @Override
  public boolean[] exists(List<Get> gets) throws IOException {
    SaltedBatch<Get> batch = new SaltedBatch<>(gets, actions::get);
    try {
      return table.exists(batch.salted());
    } catch (RetriesExhaustedWithDetailsException e) {
      throw batch.named(e);
    }
  }

  @Override
  public Result get(Get get) throws IOException {
    return ReaddressedResult.of(table.get(actions.get(get)), get.getRow());
  }

  @Override
  public Result[] get(List<Get> gets) throws IOException {
    SaltedBatch<Get> batch = new SaltedBatch<>(gets, actions::get);
    try {
      Result[] results = table.get(batch.salted());
      batch.strip(results, results);
      return results;
    } catch (RetriesExhaustedWithDetailsException e) {
      throw batch.named(e);
    }
  }

  @Override
  public void put(Put put) throws IOException {
    table.put(actions.put(put));
  }

  @Override
  public void put(List<Put> puts) throws IOException {
    SaltedBatch<Put> batch = new SaltedBatch<>(puts, actions::put);
    try {
      table.put(batch.salted());
    } catch (RetriesExhaustedWithDetailsException e) {
      throw batch.named(e);
    }
  }

  @Override
  public void delete(Delete delete) throws IOException {
    table.delete(actions.delete(delete));
  }

  /** As HBase's own table does: on HBase 2 those that succeed are taken out of the list. */
  @Override
  public void delete(List<Delete> deletes) throws IOException {
    SaltedBatch<Delete> batch = new SaltedBatch<>(deletes, actions::delete);
    try {
      table.delete(batch.salted());
    } catch (RetriesExhaustedWithDetailsException e) {
      throw batch.named(e);
    } finally {
      batch.keepLeft(deletes);
    }
  }

  /**
   * As HBase's own table does. The results have what failed; the text of HBase 3's exception names
   * salted rows, as it is made below this table.
   */
  @Override
  public void batch(List<? extends Row> actions, Object[] results)
      throws IOException, InterruptedException {
    SaltedBatch<Row> batch = new SaltedBatch<>(actions, this.actions::action);
    Object[] saltedResults = batch.saltedResults(results);
    try {
      table.batch(batch.salted(), saltedResults);
    } catch (RetriesExhaustedWithDetailsException e) {
      throw batch.named(e);
    } finally {
      batch.strip(saltedResults, results);
    }
  }

  @Override
  public <R> void batchCallback(
      List<? extends Row> actions, Object[] results, Batch.Callback<R> callback)
      throws IOException, InterruptedException {
    SaltedBatch<Row> batch = new SaltedBatch<>(actions, this.actions::action);
    Object[] saltedResults = batch.saltedResults(results);
    Batch.Callback<R> bare =
        (region, row, result) -> {
          byte[] bareKey = buckets.bareKeyOf(row, 0, row.length);
          @SuppressWarnings("unchecked") // results stay of their own class
          R shown = (R) ReaddressedResult.of((Object) result, bareKey);
          callback.update(region, bareKey, shown);
        };
    try {
      table.batchCallback(batch.salted(), saltedResults, bare);
    } catch (RetriesExhaustedWithDetailsException e) {
      throw batch.named(e);
    } finally {
      batch.strip(saltedResults, results);
    }
  }

  /**
   * The rows of a range of bare keys, in their order.
   *
   * @throws DoNotRetryIOException as {@link #plan}
   */
  @Override
  public ResultScanner getScanner(Scan scan) throws IOException {
    return new SaltedScanner(table, scan, plan(scan), threads, notConforming);
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
    return ReaddressedResult.of(table.append(actions.append(append)), append.getRow());
  }

  @Override
  public Result increment(Increment increment) throws IOException {
    return ReaddressedResult.of(table.increment(actions.increment(increment)), increment.getRow());
  }

  @Override
  public Result mutateRow(RowMutations mutations) throws IOException {
    return ReaddressedResult.of(
        table.mutateRow(actions.rowMutations(mutations)), mutations.getRow());
  }

  @Override
  public CheckAndMutateResult checkAndMutate(CheckAndMutate check) throws IOException {
    return ReaddressedResult.of(
        table.checkAndMutate(actions.checkAndMutate(check)), check.getRow());
  }

  @Override
  public List<CheckAndMutateResult> checkAndMutate(List<CheckAndMutate> checks) throws IOException {
    SaltedBatch<CheckAndMutate> batch = new SaltedBatch<>(checks, actions::checkAndMutate);
    try {
      List<CheckAndMutateResult> results = new ArrayList<>(checks.size());
      for (CheckAndMutateResult result : table.checkAndMutate(batch.salted())) {
        results.add(ReaddressedResult.of(result, checks.get(results.size()).getRow()));
      }
      return results;
    } catch (RetriesExhaustedWithDetailsException e) {
      throw batch.named(e);
    }
  }

  @Override
  @Deprecated
  public CheckAndMutateBuilder checkAndMutate(byte[] row, byte[] family) {
    return new BareChecks.OfColumn(table.checkAndMutate(rowOfArgument(row), family), actions);
  }

  @Override
  @Deprecated
  public CheckAndMutateWithFilterBuilder checkAndMutate(byte[] row, Filter filter) {
    byte[] salted = rowOfArgument(row);
    try {
      Filter translated = filters.ofOneStream(buckets.bucketOf(row)).translate(filter);
      return new BareChecks.OfFilter(table.checkAndMutate(salted, translated), actions);
    } catch (DoNotRetryIOException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
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
      return actions.row(row);
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
