package io.rowguard.client;

import static io.rowguard.client.Tables.F;
import static io.rowguard.client.Tables.Q;
import static io.rowguard.client.Tables.bytes;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.layout.RowkeyLayout;
import io.rowguard.relayout.RelayoutRequest;
import io.rowguard.relayout.RelayoutResponse;
import io.rowguard.testing.MiniCluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.AsyncBufferedMutator;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.AsyncTableRegionLocator;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.ScanResultConsumer;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.coprocessor.Batch;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;
import org.apache.hadoop.hbase.coprocessor.MultiRowMutationEndpoint;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Programs that the properties give a table in which nothing is derived, and that have it open when
 * it gets its first salt. Each has a connection of its own, so none learns of the change by
 * another's refusal.
 */
@ExtendWith(MiniCluster.class)
class FirstSaltIT {
  private static final String UNSALTED = "{user:word}|{item:digits(4)}";
  private static final RowkeyLayout SALTED =
      RowkeyLayout.parse("{salt:digits(2)=murmur3(user)%16}-{user:word}|{item:digits(4)}");
  private static final List<String> KEYS = Tables.keys(60, 3);
  private static final byte[] N = bytes("n");
  private static final byte[] R = bytes("r");
  private static final Class<?> SERVICE = MultiRowMutationEndpoint.class.getSuperclass();

  private final HBaseTestingUtility hbase;
  private final ExecutorService pool = Executors.newCachedThreadPool();
  private TableName name;
  private AsyncConnection own;

  FirstSaltIT(HBaseTestingUtility hbase) {
    this.hbase = hbase;
  }

  @BeforeEach
  void create() throws Exception {
    name = Tables.create(hbase, UNSALTED, "reject", "08-", "u0020|", "u0040|");
    own =
        ConnectionFactory.createAsyncConnection(new Configuration(hbase.getConfiguration())).get();
    List<Put> puts = new ArrayList<>();
    for (String key : KEYS) {
      puts.add(Tables.put(key, key).addColumn(F, R, bytes(key)));
    }
    try (Table raw = Tables.salted(hbase, name)) {
      raw.put(puts);
    }
  }

  @AfterEach
  void drop() throws IOException {
    own.close();
    pool.shutdown();
    Tables.drop(hbase, name);
  }

  private Connection blocking() throws IOException {
    return SaltedConnection.over(hbase.getConnection());
  }

  private AsyncConnection async() {
    return SaltedAsyncConnection.over(own);
  }

  /** All rows go to their new place; the table is left as in the middle of a relayout. */
  private void relayout() throws Exception {
    LayoutSteps steps = new LayoutSteps(hbase.getConnection(), name);
    steps.prepare(SALTED);
    steps.move();
    long generation = steps.config().relayout().generation();
    try (Table raw = Tables.salted(hbase, name)) {
      for (String key : KEYS) {
        byte[] row = SALTED.complete(bytes(key));
        RelayoutRequest touch = RelayoutRequest.touch(generation, List.of(row));
        assertEquals(
            RelayoutResponse.Outcome.DONE,
            RelayoutResponse.of(raw.get(touch.toGet(row))).items().get(0).outcome());
      }
    }
    assertTrue(steps.isNothingLeft());
  }

  /** Reads what it has opened before. */
  private interface Reader {
    List<String> read() throws Exception;
  }

  private static List<String> keys(Iterable<Result> results) {
    List<String> keys = new ArrayList<>();
    for (Result result : results) {
      keys.add(Bytes.toString(result.getRow()));
    }
    return keys;
  }

  /** A scanner that has begun already. */
  private static Reader begun(ResultScanner scanner) throws IOException {
    List<Result> results = new ArrayList<>(List.of(scanner.next(7)));
    assertEquals(7, results.size());
    return () -> {
      scanner.forEach(results::add);
      return keys(results);
    };
  }

  /** A scanner in the middle of a row; each cell is a result of its own. */
  private static Reader inARow(ResultScanner scanner) throws IOException {
    List<Result> results = new ArrayList<>(List.of(scanner.next(7)));
    return () -> {
      scanner.forEach(results::add);
      List<String> keys = new ArrayList<>();
      for (int i = 0; i < results.size(); i++) {
        assertEquals(1, results.get(i).size());
        assertTrue(results.get(i).containsColumn(F, i % 2 == 0 ? Q : R), "" + i);
        if (i % 2 == 0) {
          keys.add(Bytes.toString(results.get(i).getRow()));
        }
      }
      return keys;
    };
  }

  /** A consumer that has suspended its scan after the first rows. */
  private static final class Suspended implements AdvancedScanResultConsumer {
    private final List<Result> results = new ArrayList<>();
    private final CompletableFuture<List<Result>> all = new CompletableFuture<>();
    private final CountDownLatch first = new CountDownLatch(1);
    private ScanResumer resumer;
    private ScanMetrics metrics;

    @Override
    public void onNext(Result[] some, ScanController controller) {
      results.addAll(List.of(some));
      if (resumer == null) {
        resumer = controller.suspend();
        first.countDown();
      }
    }

    @Override
    public void onScanMetricsCreated(ScanMetrics created) {
      assertEquals(null, metrics);
      metrics = created;
    }

    @Override
    public void onError(Throwable failure) {
      all.completeExceptionally(failure);
    }

    @Override
    public void onComplete() {
      all.complete(results);
    }
  }

  private Reader suspended() throws Exception {
    Suspended consumer = new Suspended();
    async().getTable(name).scan(new Scan().setCaching(7).setScanMetricsEnabled(true), consumer);
    assertTrue(consumer.first.await(1, TimeUnit.MINUTES));
    return () -> {
      consumer.resumer.resume();
      List<String> keys = keys(AsyncView.get(consumer.all));
      long rows = consumer.metrics.getMetricsMap(false).get("ROWS_SCANNED");
      assertTrue(rows >= KEYS.size() && rows < 2L * KEYS.size(), "" + rows);
      return keys;
    };
  }

  private List<String> pooled(AsyncTable<ScanResultConsumer> table) throws Exception {
    CompletableFuture<List<Result>> all = new CompletableFuture<>();
    List<Result> results = new ArrayList<>();
    table.scan(
        new Scan(),
        new ScanResultConsumer() {
          @Override
          public boolean onNext(Result result) {
            return results.add(result);
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
    return keys(AsyncView.get(all));
  }

  private static List<Get> gets() {
    List<Get> gets = new ArrayList<>();
    KEYS.forEach(key -> gets.add(Tables.get(key)));
    return gets;
  }

  /** Whether rows are there, as rows. */
  private static List<String> existing(boolean[] exist) {
    List<String> keys = new ArrayList<>();
    for (int i = 0; i < exist.length; i++) {
      if (exist[i]) {
        keys.add(KEYS.get(i));
      }
    }
    return keys;
  }

  private Map<String, Reader> readers() throws Exception {
    Map<String, Reader> readers = new LinkedHashMap<>();
    Table gets = blocking().getTable(name);
    Table lists = blocking().getTableBuilder(name, null).build();
    Table exists = blocking().getTable(name);
    Table scans = blocking().getTable(name);
    readers.put(
        "get",
        () -> {
          List<Result> results = new ArrayList<>();
          for (Get get : gets()) {
            results.add(gets.get(get));
          }
          return keys(results);
        });
    readers.put("list of gets", () -> keys(List.of(lists.get(gets()))));
    readers.put("exists", () -> existing(exists.exists(gets())));
    readers.put("scan", () -> Tables.rows(scans, new Scan()));
    readers.put(
        "scan, begun",
        begun(blocking().getTable(name).getScanner(new Scan().setCaching(5).setLimit(1000))));
    readers.put(
        "scan, in a row",
        inARow(blocking().getTable(name).getScanner(new Scan().setCaching(5).setBatch(1))));
    AsyncTable<AdvancedScanResultConsumer> asyncGets = async().getTable(name);
    AsyncTable<AdvancedScanResultConsumer> asyncScans = async().getTable(name);
    AsyncTable<ScanResultConsumer> pooledGets = async().getTable(name, pool);
    AsyncTable<ScanResultConsumer> pooledScans = async().getTable(name, pool);
    readers.put("asynchronous gets", () -> keys(AsyncView.get(asyncGets.getAll(gets()))));
    readers.put("pooled gets", () -> keys(AsyncView.get(pooledGets.getAll(gets()))));
    readers.put("scanAll", () -> keys(AsyncView.get(asyncScans.scanAll(new Scan()))));
    readers.put("pooled scan", () -> pooled(pooledScans));
    readers.put(
        "asynchronous scanner, begun",
        begun(async().getTable(name).getScanner(new Scan().setCaching(5))));
    readers.put(
        "asynchronous scanner, in a row",
        inARow(async().getTable(name).getScanner(new Scan().setCaching(5).setBatch(1))));
    readers.put("asynchronous scan, suspended", suspended());
    return readers;
  }

  @Test
  void readers_tableOpenedBefore_missNothing() throws Exception {
    Map<String, Reader> readers = readers();
    relayout();
    for (Map.Entry<String, Reader> reader : readers.entrySet()) {
      assertEquals(KEYS, reader.getValue().read(), reader.getKey());
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void limitedScans_inARowThatGoes_countThatRow(boolean whole) throws Exception {
    Scan scan = new Scan().setCaching(1).setBatch(1).setLimit(3);
    List<ResultScanner> scanners =
        List.of(
            blocking().getTable(name).getScanner(scan), async().getTable(name).getScanner(scan));
    List<List<Result>> results = new ArrayList<>();
    for (ResultScanner scanner : scanners) {
      results.add(new ArrayList<>(List.of(scanner.next())));
    }
    relayout();
    try (Table table = blocking().getTable(name)) {
      Delete delete = new Delete(bytes(KEYS.get(0)));
      table.delete(whole ? delete : delete.addColumns(F, R));
    }
    for (int i = 0; i < scanners.size(); i++) {
      scanners.get(i).forEach(results.get(i)::add);
      assertEquals(KEYS.subList(0, 3), keys(results.get(i)).stream().distinct().toList());
    }
  }

  @Test
  void writers_tableOpenedBefore_writeToTheSaltedRows() throws Exception {
    Table counts = blocking().getTable(name);
    BufferedMutator late = blocking().getBufferedMutator(name);
    BufferedMutator buffered = blocking().getBufferedMutator(name);
    AsyncTable<ScanResultConsumer> asyncTable = async().getTable(name, pool);
    AsyncBufferedMutator asyncLate = async().getBufferedMutator(name);
    AsyncBufferedMutator asyncBuffered = async().getBufferedMutator(name);
    buffered.mutate(Tables.put("u0000|0000", "buffered before"));
    CompletableFuture<Void> before =
        asyncBuffered.mutate(Tables.put("u0001|0000", "buffered before"));
    counts.increment(new Increment(bytes("u0005|0000")).addColumn(F, N, 1));
    relayout();
    buffered.close();
    asyncBuffered.close();
    AsyncView.get(before);
    late.mutate(Tables.put("u0002|0000", "late"));
    late.close();
    CompletableFuture<Void> after = asyncLate.mutate(Tables.put("u0003|0000", "late"));
    asyncLate.close();
    AsyncView.get(after);
    AsyncView.get(asyncTable.put(Tables.put("u0004|0000", "late")));
    Result sum = counts.increment(new Increment(bytes("u0005|0000")).addColumn(F, N, 1));
    assertEquals(2, Bytes.toLong(sum.getValue(F, N)));

    List<String> values = new ArrayList<>();
    try (Table raw = Tables.salted(hbase, name);
        ResultScanner scanner = raw.getScanner(new Scan())) {
      for (Result result : scanner) {
        assertTrue(SALTED.check(result.getRow()).conforms(), Bytes.toString(result.getRow()));
      }
      for (int user = 0; user < 5; user++) {
        byte[] row = SALTED.complete(bytes("u000" + user + "|0000"));
        values.add(Bytes.toString(raw.get(new Get(row)).getValue(F, Q)));
      }
    }
    assertEquals(List.of("buffered before", "buffered before", "late", "late", "late"), values);
  }

  private static void requireAll(List<HRegionLocation> ranges) {
    byte[] end = new byte[0];
    for (HRegionLocation range : ranges) {
      assertEquals(Bytes.toString(end), Bytes.toString(range.getRegion().getStartKey()));
      end = range.getRegion().getEndKey();
    }
    assertEquals(0, end.length);
  }

  @Test
  void locators_tableOpenedBefore_showAllKeysOnce() throws Exception {
    Connection blocking = blocking();
    AsyncConnection async = async();
    RegionLocator locator = blocking.getRegionLocator(name);
    AsyncTableRegionLocator asyncLocator = async.getRegionLocator(name);
    RegionLocator ofTable = blocking.getTable(name).getRegionLocator();
    byte[] key = bytes("u0030|0001");
    try (RegionLocator regions = hbase.getConnection().getRegionLocator(name)) {
      List<HRegionLocation> all = regions.getAllRegionLocations();
      assertEquals(all, locator.getAllRegionLocations());
      assertEquals(all, AsyncView.get(asyncLocator.getAllRegionLocations()));
      assertEquals(all, ofTable.getAllRegionLocations());
      HRegionLocation one = regions.getRegionLocation(key, true);
      assertEquals(one.getRegion(), locator.getRegionLocation(key, true).getRegion());
      assertEquals(
          one.getRegion(), AsyncView.get(asyncLocator.getRegionLocation(key, true)).getRegion());
    }
    relayout();
    requireAll(locator.getAllRegionLocations());
    requireAll(AsyncView.get(asyncLocator.getAllRegionLocations()));
    // A request of the same connection learns of the change.
    assertEquals(KEYS, Tables.rows(blocking.getTable(name), new Scan()));
    assertEquals(KEYS, keys(AsyncView.get(async.getTable(name).scanAll(new Scan()))));
    requireAll(locator.getAllRegionLocations());
    requireAll(AsyncView.get(asyncLocator.getAllRegionLocations()));
    try (RegionLocator regions = hbase.getConnection().getRegionLocator(name)) {
      byte[] at = regions.getRegionLocation(SALTED.complete(key), true).getRegion().getRegionName();
      assertEquals(
          Bytes.toStringBinary(at),
          Bytes.toStringBinary(ofTable.getRegionLocation(key, true).getRegion().getRegionName()));
    }
  }

  /** A range of rows, which endpoints read as they are stored. */
  @Test
  @SuppressWarnings({"unchecked", "rawtypes"}) // releases have different bounds for a service
  void endpoint_rangeOfRows_isCalledUntilRowsHaveASalt() throws Throwable {
    Table table = blocking().getTable(name);
    AtomicInteger calls = new AtomicInteger();
    Batch.Call call = service -> calls.incrementAndGet();
    byte[] from = bytes("u0030|");
    table.coprocessorService((Class) SERVICE, from, bytes("u0050|"), call);
    assertEquals(2, calls.get());
    relayout();
    assertThrows(
        DoNotRetryIOException.class,
        () -> table.coprocessorService((Class) SERVICE, from, null, call));
    assertEquals(2, calls.get());
    assertFalse(Tables.rows(table, new Scan().withStartRow(from)).isEmpty());
  }
}
