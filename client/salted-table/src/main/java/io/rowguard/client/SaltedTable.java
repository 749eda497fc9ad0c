package io.rowguard.client;

import io.rowguard.layout.RowkeyLayout;
import io.rowguard.readdressing.ReaddressedResult;
import java.io.IOException;
import java.util.ArrayList;
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
import org.apache.hadoop.hbase.client.Durability;
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
 *       the table itself. Mutations, gets and scans that are given are never changed.
 *   <li>A scan becomes one sub-scan per bucket, which are read in parallel and merged in the order
 *       of bare keys; see {@link #plan}.
 *   <li>Where writers choose the bucket, a put goes to one of those of its key, in turns, a delete
 *       to all, and reads make one row of what the buckets have. Operations that need the whole row
 *       on a server, such as an increment, are refused with a {@link DoNotRetryIOException}.
 *   <li>A row that is no bare key of the layout fails with a {@link DoNotRetryIOException} before
 *       anything is sent; of a batch with such a row in it, nothing is sent.
 *   <li>Rows of the table that do not conform to the layout are left out of scans and counted:
 *       {@link #notConforming()}.
 *   <li>The salted row of a bare key is {@link #saltedRow}.
 *   <li>A coprocessor can be called in all regions, or in that of one bare key; not in those of a
 *       range of bare keys, which is no range of regions.
 *   <li>Of a layout in which nothing is derived, each key is its own row, whether it conforms or
 *       not, and every method does what it does in HBase's own table; but the table follows its
 *       rows when they get a salt.
 * </ul>
 *
 * <p>Its methods are those of {@code Table} in the release of HBase that it runs on.
 *
 * <p>As thread-safe as the {@code Table} that HBase's connection gives (which is not meant for
 * several threads, but cheap). Closing it closes neither the connection nor the scanners that are
 * open; see {@link #close}.
 */
public abstract class SaltedTable extends DelegatingTable {
  private final LayoutCache layouts;
  private final FetchThreads threads;
  private final LayoutCalls calls;
  private final SaltedLists lists;
  private final LongAdder notConforming = new LongAdder();

  SaltedTable(Table table, LayoutCache layouts, FetchThreads threads) {
    super(table);
    this.layouts = layouts;
    this.threads = threads;
    this.calls = new LayoutCalls(layouts, this::operationTimeout);
    this.lists = new SaltedLists(table, layouts, this::operationTimeout);
  }

  /**
   * The class for the HBase that runs.
   *
   * @param table of salted rows, which is closed with this
   */
  static SaltedTable of(Table table, LayoutCache layouts, FetchThreads threads) {
    return SaltedTableOfHBase3.isThere()
        ? new SaltedTableOfHBase3(table, layouts, threads)
        : new SaltedTableOfHBase2(table, layouts, threads);
  }

  /** Whether a bare key has several rows at a time, as writers choose the bucket. */
  private boolean hasChoice() {
    return layouts.now().hasChoice();
  }

  private long operationTimeout() {
    return table.getOperationTimeout(TimeUnit.MILLISECONDS);
  }

  /** The same table, for what is done with its entity groups. */
  GroupTable groups() {
    return new GroupTable(table, layouts);
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
    return layouts.now().primary();
  }

  /** The layouts of the moment. */
  TableLayouts layouts() {
    return layouts.now();
  }

  /** The same table, for what is made of its ranges of bare keys. */
  RangeKeys rangeKeys() {
    return new RangeKeys(layouts, this::getScanner);
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
   * The salted row of a bare key, which takes its writes; the key itself where nothing is derived.
   * While the layout changes, it is good for the moment. Where writers choose the bucket, another
   * one at each call, in turns; a task that may be run again takes {@link
   * RowkeyLayout#completeIfBare(byte[], int)} of {@link #layout}, with the same choice each time.
   *
   * @throws DoNotRetryIOException when it is no bare key of the layout
   */
  public byte[] saltedRow(byte[] bareKey) throws DoNotRetryIOException {
    return layouts.now().rowToWrite(bareKey);
  }

  /**
   * The sub-scans that {@link #getScanner(Scan)} merges, for those who want to run them otherwise:
   * on HBase's own table, from a connection that {@link io.rowguard.config.RawConnections#of} has
   * the configuration for, since they are scans of salted rows; {@link SubScan#bare} has their
   * results with bare keys.
   *
   * <p>Once the layout has changed they fail with a {@link
   * io.rowguard.config.StaleLayoutException}, or with an exception caused by one, where the servers
   * have the region observer. Without it, and with a layout given by hand, they do not.
   *
   * @throws DoNotRetryIOException when the scan cannot be answered through buckets: too many of
   *     them, cursor results, or a filter that would not see bare keys; while the layout changes,
   *     since sub-scans alone would miss rows then; and where writers choose the bucket, since each
   *     would give parts of rows
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
    now.requireOneRow("Read through getScanner: each sub-scan would give a part.");
    return ScanPlan.of(scan, now.target(), now.filters(), now.maxBuckets());
  }

  /**
   * How many results the scans of this table, as far as they are closed, have left out because
   * their row does not conform to the layout. A row between the buckets counts for each that met
   * it.
   */
  public long notConforming() {
    return notConforming.sum();
  }

  /** Shows regions as ranges of bare keys, as {@link SaltedConnection#getRegionLocator} does. */
  @Override
  public RegionLocator getRegionLocator() throws IOException {
    return new BareRangeLocator(table.getRegionLocator(), this);
  }

  @Override
  public boolean exists(Get get) throws IOException {
    return hasChoice() ? lists.exists(get) : calls.read(get, table::exists, found -> !found);
  }

  @Override
  public Result get(Get get) throws IOException {
    if (hasChoice()) {
      return lists.get(get);
    }
    Result result = calls.read(get, table::get, BatchRounds::showsNothing);
    return ReaddressedResult.of(result, get.getRow());
  }

  @Override
  public void put(Put put) throws IOException {
    calls.write(
        put,
        salted -> {
          table.put(salted);
          return null;
        });
  }

  @Override
  public void delete(Delete delete) throws IOException {
    if (hasChoice()) {
      lists.delete(delete);
      return;
    }
    calls.write(
        delete,
        salted -> {
          table.delete(salted);
          return null;
        });
  }

  @Override
  public boolean[] exists(List<Get> gets) throws IOException {
    return lists.exists(gets);
  }

  @Override
  public Result[] get(List<Get> gets) throws IOException {
    return lists.get(gets);
  }

  @Override
  public void put(List<Put> puts) throws IOException {
    lists.put(puts);
  }

  /** As HBase's own table does: on HBase 2 those that succeed are taken out of the list. */
  @Override
  public void delete(List<Delete> deletes) throws IOException {
    lists.delete(deletes);
  }

  @Override
  public List<CheckAndMutateResult> checkAndMutate(List<CheckAndMutate> checks) throws IOException {
    if (checks.size() < 2) {
      List<CheckAndMutateResult> results = new ArrayList<>(checks.size());
      for (CheckAndMutate check : checks) {
        results.add(checkAndMutate(check));
      }
      return results;
    }
    return lists.checkAndMutate(checks);
  }

  /**
   * As HBase's own table does. The results have what failed; the text of HBase 3's exception names
   * salted rows, as it is made below this table.
   */
  @Override
  public void batch(List<? extends Row> actions, Object[] results)
      throws IOException, InterruptedException {
    lists.batch(actions, results);
  }

  /**
   * As {@link #batch}.
   *
   * @param callback is told the results under bare keys; null for none
   */
  @Override
  public <R> void batchCallback(
      List<? extends Row> actions, Object[] results, Batch.Callback<R> callback)
      throws IOException, InterruptedException {
    if (callback == null) {
      lists.batch(actions, results);
    } else {
      lists.batchCallback(actions, results, callback);
    }
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
    return BareScanner.open(
        SaltedRows.of(table, threads), scan, layouts, notConforming, operationTimeout());
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
    Result result = calls.write(append, table::append);
    return ReaddressedResult.of(result, append.getRow());
  }

  @Override
  public Result increment(Increment increment) throws IOException {
    Result result = calls.write(increment, table::increment);
    return ReaddressedResult.of(result, increment.getRow());
  }

  /** Synced, as {@code Table} says, whatever durability the table has. */
  @Override
  public long incrementColumnValue(byte[] row, byte[] family, byte[] qualifier, long amount)
      throws IOException {
    return incrementColumnValue(row, family, qualifier, amount, Durability.SYNC_WAL);
  }

  @Override
  public long incrementColumnValue(
      byte[] row, byte[] family, byte[] qualifier, long amount, Durability durability)
      throws IOException {
    // HBase's own table refuses these before it sends anything, each release in its own way.
    return row == null || family == null
        ? table.incrementColumnValue(row, family, qualifier, amount, durability)
        : super.incrementColumnValue(row, family, qualifier, amount, durability);
  }

  @Override
  public Result mutateRow(RowMutations mutations) throws IOException {
    Result result = calls.write(mutations, table::mutateRow);
    return ReaddressedResult.of(result, mutations.getRow());
  }

  @Override
  public CheckAndMutateResult checkAndMutate(CheckAndMutate check) throws IOException {
    CheckAndMutateResult result = calls.write(check, table::checkAndMutate);
    return ReaddressedResult.of(result, check.getRow());
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
    byte[] salted = rowOfArgument(row);
    try {
      layouts.now().actions().filter(filter, salted);
    } catch (DoNotRetryIOException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
    return new BareChecks.OfFilter(this, row, filter);
  }

  /**
   * A call to the region of one bare key. The rows in a call of HBase's {@code
   * MultiRowMutationEndpoint} are bare keys; they have to lie in that region. Rows in calls of
   * other endpoints are not translated.
   *
   * @throws IllegalArgumentException when it is no bare key of the layout, or writers choose the
   *     bucket of a row, so that it lies in several regions; from the call, when a row inside is no
   *     bare key, or lies elsewhere
   */
  @Override
  public CoprocessorRpcChannel coprocessorService(byte[] row) {
    if (row == null) {
      // HBase's own refuses it, in the call.
      return table.coprocessorService(row);
    }
    rowOfArgument(row);
    try {
      layouts.now().requireOneRow("Call the regions of all rows, with empty keys.");
    } catch (DoNotRetryIOException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
    return MultiRowChannel.to(row, table, layouts);
  }

  /**
   * Refuses a range of bare keys where it is no range of regions, since something is derived. Reads
   * the descriptor where nothing is believed to be: the call names no layouts, so no server would
   * refuse it.
   */
  final void requireAllRegions(byte[] startKey, byte[] endKey) throws IOException {
    boolean bounded =
        (startKey != null && startKey.length > 0) || (endKey != null && endKey.length > 0);
    if (bounded && (layouts.now().isDeriving() || layouts.declared().isDeriving())) {
      throw DelegatingTable.rangeOfRegions(getName());
    }
  }

  /** For methods that may not throw an IOException. */
  private byte[] rowOfArgument(byte[] row) {
    try {
      return layouts.now().primaryRow(row);
    } catch (DoNotRetryIOException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  /**
   * Ends the threads that are this table's own. Scanners that are open go on, and are to be closed
   * by themselves. With a timeout set, those of HBase 2 fail at their next call to a server, as
   * with HBase's own table: they read on threads that end with it.
   */
  @Override
  public void close() throws IOException {
    threads.close();
    table.close();
  }
}
