package io.rowguard.client;

import static io.rowguard.client.Tables.F;
import static io.rowguard.client.Tables.Q;
import static io.rowguard.client.Tables.bytes;
import static io.rowguard.client.Tables.put;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.testing.Eventually;
import io.rowguard.testing.MiniCluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.filter.PageFilter;
import org.apache.hadoop.hbase.filter.PrefixFilter;
import org.apache.hadoop.hbase.filter.RowFilter;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Scans: all buckets in one stream, in the order of bare keys. */
@ExtendWith(MiniCluster.class)
@Tag("long")
class ScansIT {
  private static final List<String> KEYS = Tables.keys(60, 5);

  private HBaseTestingUtility hbase;
  private SaltedTable table;

  @BeforeEach
  void open(HBaseTestingUtility hbase) throws IOException {
    this.hbase = hbase;
    table = Tables.open(hbase);
    Tables.fill(table, KEYS);
  }

  @AfterEach
  void close() throws IOException {
    table.close();
    Tables.drop(hbase, table.getName());
  }

  @Test
  void scan_wholeTable_isInTheOrderOfBareKeys() throws IOException {
    assertEquals(KEYS, Tables.rows(table, new Scan()));
    assertEquals(reversed(KEYS), Tables.rows(table, new Scan().setReversed(true)));
    for (int caching : new int[] {1, 2, 3, 1000}) {
      assertEquals(KEYS, Tables.rows(table, new Scan().setCaching(caching)));
    }
    assertEquals(KEYS, Tables.rows(table, new Scan().setMaxResultSize(1)));
  }

  @Test
  void scan_range_holdsItsBareKeys() throws IOException {
    Scan scan = new Scan().withStartRow(bytes("u0010|0002")).withStopRow(bytes("u0020|0003"));
    assertEquals(KEYS.subList(52, 103), Tables.rows(table, scan));
    scan.withStartRow(bytes("u0010|0002"), false).withStopRow(bytes("u0020|0003"), true);
    assertEquals(KEYS.subList(53, 104), Tables.rows(table, scan));
    Scan down =
        new Scan()
            .setReversed(true)
            .withStartRow(bytes("u0020|0003"))
            .withStopRow(bytes("u0010|0002"));
    assertEquals(reversed(KEYS.subList(53, 104)), Tables.rows(table, down));
    assertEquals(List.of(), Tables.rows(table, new Scan().withStartRow(bytes("x"))));
    assertEquals(
        List.of(), Tables.rows(table, new Scan().withStartRow(bytes("b")).withStopRow(bytes("a"))));
  }

  @Test
  void scan_reversedWithReversedFilters_holdsItsBareKeys() throws IOException {
    FilterList filters =
        new FilterList(
            new RowFilter(CompareOperator.LESS, new BinaryComparator(bytes("u0020|0003"))),
            new FilterList(
                FilterList.Operator.MUST_PASS_ONE,
                new PrefixFilter(bytes("u0019|")),
                new PrefixFilter(bytes("u0020|"))),
            new FirstKeyOnlyFilter(),
            new PageFilter(5));
    filters.setReversed(true);
    assertEquals(
        reversed(KEYS.subList(98, 103)),
        Tables.rows(table, new Scan().setReversed(true).setFilter(filters)));
  }

  @Test
  void scan_limit_isThatOfAllBucketsTogether() throws IOException {
    assertEquals(KEYS.subList(0, 7), Tables.rows(table, new Scan().setLimit(7)));
    assertEquals(KEYS.subList(0, 1), Tables.rows(table, new Scan().setOneRowLimit()));
    assertEquals(KEYS, Tables.rows(table, new Scan().setLimit(1000)));
    try (ResultScanner scanner = table.getScanner(new Scan().setLimit(2))) {
      assertEquals(2, scanner.next(10).length);
      assertNull(scanner.next());
    }
  }

  @Test
  void scan_rangeFixesTheSalt_readsOneBucket() throws IOException {
    Scan scan = new Scan().setScanMetricsEnabled(true);
    assertEquals(16, buckets(scan));
    assertEquals(1, buckets(scan.setStartStopRowForPrefixScan(bytes("u0010|"))));
    assertEquals(5, Tables.rows(table, scan).size());
    scan.withStartRow(bytes("u0010|0001")).withStopRow(bytes("u0010|0003"));
    assertEquals(1, buckets(scan));
    assertEquals(0, buckets(scan.withStartRow(bytes("|")).withStopRow(bytes("}"))));
  }

  private long buckets(Scan scan) throws IOException {
    try (ResultScanner scanner = table.getScanner(scan)) {
      scanner.next();
      return scanner.getScanMetrics().getMetricsMap(false).get(SaltedScanMetrics.BUCKETS);
    }
  }

  @Test
  void scan_metrics_areTheSumOfAllBuckets() throws IOException {
    try (ResultScanner scanner = table.getScanner(new Scan().setScanMetricsEnabled(true))) {
      assertEquals(KEYS.size(), scanner.next(1000).length);
      assertEquals(KEYS.size(), scanner.getScanMetrics().countOfRowsScanned.get());
      assertTrue(scanner.getScanMetrics().countOfRegions.get() >= 16);
    }
    try (ResultScanner scanner = table.getScanner(new Scan())) {
      assertNull(scanner.getScanMetrics());
    }
  }

  @Test
  void scan_cursorResults_areRefused() {
    Scan scan = new Scan().setNeedCursorResult(true);
    DoNotRetryIOException e =
        assertThrows(DoNotRetryIOException.class, () -> table.getScanner(scan));
    assertTrue(e.getMessage().contains("Cursor results"), e.getMessage());
  }

  @Test
  void scan_partialResults_addUpToWholeRows() throws IOException {
    byte[] row = bytes("wide|0001");
    for (int i = 0; i < 10; i++) {
      table.put(put("wide|0001", "v" + i).addColumn(F, Bytes.toBytes(i), new byte[1000]));
    }
    Scan scan =
        new Scan()
            .setAllowPartialResults(true)
            .setMaxResultSize(1)
            .setStartStopRowForPrefixScan(row);
    for (Scan one :
        new Scan[] {scan, new Scan(scan).setStartStopRowForPrefixScan(bytes("w")).setLimit(1)}) {
      int cells = 0;
      int results = 0;
      try (ResultScanner scanner = table.getScanner(one)) {
        for (Result result : scanner) {
          assertEquals("wide|0001", Bytes.toString(result.getRow()));
          cells += result.size();
          results++;
        }
      }
      assertEquals(11, cells);
      assertTrue(results > 1, "results=" + results);
    }
  }

  @Test
  void scan_limitOfRowsInSeveralResults_countsRows() throws IOException {
    for (String key : KEYS) {
      table.put(put(key, "v").addColumn(F, F, F).addColumn(Tables.G, Q, Q));
    }
    for (int limit : new int[] {1, 4, 17}) {
      Scan scan = new Scan().setLimit(limit).setBatch(2).setCaching(3);
      List<String> expected = new ArrayList<>();
      for (String key : KEYS.subList(0, limit)) {
        expected.addAll(List.of(key, key));
      }
      assertEquals(expected, Tables.rows(table, scan));
    }
  }

  /** HBase 3.0 renews leases by itself, and says of every scanner that it did not. */
  @Test
  void renewLease_openScanner_renewsEveryBucket() throws IOException {
    Scan scan = new Scan().setCaching(2);
    try (ResultScanner scanner = table.getScanner(scan);
        Table salted = Tables.salted(hbase, table.getName());
        ResultScanner ofHBase = salted.getScanner(scan)) {
      assertFalse(scanner.renewLease());
      assertNotNull(scanner.next());
      assertNotNull(ofHBase.next());
      assertEquals(ofHBase.renewLease(), scanner.renewLease());
    }
  }

  @Test
  void close_early_leavesNothingOpen() throws Exception {
    Tables.load(hbase, table.getName(), OpenScanners.class);
    for (int i = 0; i < 20; i++) {
      try (ResultScanner scanner = table.getScanner(new Scan().setCaching(1 + i % 3))) {
        for (int n = 0; n < i; n++) {
          assertNotNull(scanner.next());
        }
      }
    }
    assertTrue(OpenScanners.opened(table.getName()) > 100);
    Eventually.isTrue("all are closed", () -> OpenScanners.open(table.getName()) == 0);
    ResultScanner closed = table.getScanner(new Scan());
    closed.close();
    assertNull(closed.next());
  }

  @Test
  void scan_fewerThreadsThanBuckets_ends() throws Exception {
    try (SaltedTable oneThread =
        SaltedTable.builder(hbase.getConnection(), table.getName()).setThreads(1).build()) {
      assertEquals(KEYS, Tables.rows(oneThread, new Scan().setCaching(3)));
    }
    // Scans that run on the very threads that they would have read ahead for them.
    ExecutorService two = Executors.newFixedThreadPool(2);
    try (SaltedTable same =
        SaltedTable.builder(hbase.getConnection(), table.getName()).setExecutor(two).build()) {
      List<Future<List<String>>> scans = new ArrayList<>();
      for (int i = 0; i < 6; i++) {
        scans.add(two.submit(() -> Tables.rows(same, new Scan().setCaching(3))));
      }
      for (Future<List<String>> scan : scans) {
        assertEquals(KEYS, scan.get());
      }
    } finally {
      two.shutdown();
    }
    assertTrue(two.isShutdown());
    try (SaltedTable without =
        SaltedTable.builder(hbase.getConnection(), table.getName()).setExecutor(two).build()) {
      assertEquals(KEYS, Tables.rows(without, new Scan()));
    }
  }

  @Test
  void scan_tooManyBuckets_isRefusedAndPointsWork() throws IOException {
    TableName name = Tables.create(hbase, "{hash:hex(8)=md5(id)}{id:digits(4)}{n:digits(2)}", null);
    try (SaltedTable many = SaltedTable.open(hbase.getConnection(), name)) {
      many.put(put("000107", "v"));
      many.put(put("000103", "v"));
      DoNotRetryIOException e =
          assertThrows(DoNotRetryIOException.class, () -> many.getScanner(new Scan()));
      assertTrue(e.getMessage().contains("buckets=4294967296"), e.getMessage());
      assertTrue(e.getMessage().contains("rowguard.scan.max.buckets=256"), e.getMessage());
      assertTrue(many.exists(Tables.get("000107")));
      Scan ofOneId = new Scan().setStartStopRowForPrefixScan(bytes("0001"));
      assertEquals(List.of("000103", "000107"), Tables.rows(many, ofOneId));
    }
    try (SaltedTable few =
        SaltedTable.builder(hbase.getConnection(), table.getName()).setMaxBuckets(15).build()) {
      assertThrows(DoNotRetryIOException.class, () -> few.getScanner(new Scan()));
    }
    Tables.drop(hbase, name);
  }

  @Test
  void scan_rowsThatDoNotConform_areLeftOutAndCounted() throws IOException {
    try (Table salted = Tables.salted(hbase, table.getName())) {
      // Before, between and after rows of the bucket 04.
      Tables.fill(salted, List.of("04-", "04-a", "04-u0030", "04-zz|1", "03-u0000|0000x", "??"));
    }
    assertEquals(KEYS, Tables.rows(table, new Scan()));
    assertEquals(5, table.notConforming());
    for (int limit = 1; limit < 10; limit++) {
      assertEquals(KEYS.subList(0, limit), Tables.rows(table, new Scan().setLimit(limit)));
      assertEquals(
          reversed(KEYS).subList(0, limit),
          Tables.rows(table, new Scan().setReversed(true).setLimit(limit)));
    }
    assertEquals(KEYS.subList(0, 299), Tables.rows(table, new Scan().setLimit(299).setCaching(20)));
  }

  @Test
  void getScanner_familyAndQualifier_selectColumns() throws IOException {
    table.put(put("zz|0001", "v").addColumn(Tables.G, F, Q));
    try (ResultScanner scanner = table.getScanner(Tables.G)) {
      assertEquals(List.of("zz|0001"), rows(scanner));
    }
    try (ResultScanner scanner = table.getScanner(F, Q)) {
      assertEquals(KEYS.size() + 1, rows(scanner).size());
    }
  }

  private static List<String> rows(ResultScanner scanner) {
    List<String> rows = new ArrayList<>();
    scanner.forEach(result -> rows.add(Bytes.toString(result.getRow())));
    return rows;
  }

  private static List<String> reversed(List<String> list) {
    List<String> reversed = new ArrayList<>(list);
    Collections.reverse(reversed);
    return reversed;
  }
}
