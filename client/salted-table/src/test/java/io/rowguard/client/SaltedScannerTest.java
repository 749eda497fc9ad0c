package io.rowguard.client;

import static io.rowguard.client.Tables.F;
import static io.rowguard.client.Tables.Q;
import static io.rowguard.client.Tables.bytes;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.layout.KeyRange;
import io.rowguard.layout.RowkeyLayout;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The merge, with scanners of salted rows that the test sees through; no cluster. */
class SaltedScannerTest {
  private static final RowkeyLayout LAYOUT = RowkeyLayout.parse(Tables.LAYOUT);
  private static final LayoutSide SIDE = LayoutSide.byHand(LAYOUT);
  private static final List<String> KEYS = Tables.keys(200, 5);

  private final TreeMap<byte[], Result> rows = new TreeMap<>(Bytes.BYTES_COMPARATOR);
  private final Set<FakeScanner> open = ConcurrentHashMap.newKeySet();
  private final AtomicInteger opened = new AtomicInteger();
  private final AtomicInteger given = new AtomicInteger();
  private volatile IOException failure;

  SaltedScannerTest() {
    write(KEYS);
  }

  private void write(List<String> keys) {
    for (String key : keys) {
      byte[] row = LAYOUT.complete(bytes(key));
      rows.put(row, Result.create(List.of(new KeyValue(row, F, Q, 1, bytes("v")))));
    }
  }

  /** Gives the rows of a range, one by one, and closes itself at its limit, as servers do. */
  private final class FakeScanner implements ResultScanner {
    private final Iterator<Result> results;
    private int left;
    private volatile boolean isRead;
    private final AtomicInteger users = new AtomicInteger();

    FakeScanner(Scan scan) {
      KeyRange range = ScanPlan.rangeOf(scan);
      List<Result> inRange = new ArrayList<>();
      left = scan.getLimit() > 0 ? scan.getLimit() : Integer.MAX_VALUE;
      (scan.isReversed() ? rows.descendingMap() : rows)
          .forEach(
              (row, result) -> {
                if (range.contains(row)) {
                  inRange.add(result);
                }
              });
      results = inRange.iterator();
      open.add(this);
      opened.incrementAndGet();
    }

    @Override
    public Result next() throws IOException {
      assertEquals(1, users.incrementAndGet(), "only one thread may use a scanner");
      try {
        if (failure != null) {
          throw failure;
        }
        given.incrementAndGet();
        isRead = true;
        Result next = left > 0 && results.hasNext() ? results.next() : null;
        if (next == null || --left == 0) {
          open.remove(this);
        }
        return next;
      } finally {
        users.decrementAndGet();
      }
    }

    @Override
    public void close() {
      open.remove(this);
    }

    @Override
    public boolean renewLease() {
      return open.contains(this);
    }

    @Override
    public ScanMetrics getScanMetrics() {
      return null;
    }
  }

  private Table table() {
    return (Table)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {Table.class},
            (proxy, method, args) ->
                method.getName().equals("getScanner")
                    ? new FakeScanner((Scan) args[0])
                    : new Configuration(false));
  }

  private SaltedScanner scanner(Scan scan, FetchThreads threads) throws IOException {
    FilterRules filters = new FilterRules(TableName.valueOf("t"), Set.of());
    ScanPlan plan = ScanPlan.of(scan, SIDE, filters, 256);
    return new SaltedScanner(SaltedRows.of(table(), threads), scan, plan, new LongAdder());
  }

  private static String row(Result result) {
    return Bytes.toString(result.getRow());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 10, 101})
  void next_anyCaching_readsAheadNoMoreThanThatPerBucket(int caching) throws IOException {
    FetchThreads threads = FetchThreads.ofOwn(4);
    try (SaltedScanner scanner = scanner(new Scan().setCaching(caching), threads)) {
      for (int i = 0; i < KEYS.size(); i++) {
        assertEquals(KEYS.get(i), row(scanner.next()));
        int ahead = given.get() - i - 1;
        // An end is counted as a row here, and the row just given is still at its bucket.
        assertTrue(ahead <= 16 * (caching + 1 + 1), "i=" + i + " ahead=" + ahead);
      }
      assertNull(scanner.next());
      assertEquals(Set.of(), open);
    } finally {
      threads.close();
    }
  }

  @Test
  void next_noThreadEverFree_fetchesHere() throws IOException {
    FetchThreads never = FetchThreads.of(refusing());
    try (SaltedScanner scanner = scanner(new Scan().setCaching(3), never)) {
      for (String key : KEYS) {
        assertEquals(key, row(scanner.next()));
      }
      assertNull(scanner.next());
    }
  }

  static ExecutorService refusing() {
    ExecutorService executor = Executors.newSingleThreadExecutor();
    executor.shutdown();
    return executor;
  }

  @Test
  void next_afterAFailure_failsAgainAndEverythingIsClosed() throws IOException {
    try (SaltedScanner scanner = scanner(new Scan().setCaching(3), FetchThreads.of(refusing()))) {
      assertEquals(KEYS.get(0), row(scanner.next()));
      failure = new IOException("no more");
      IOException seen =
          assertThrows(
              IOException.class,
              () -> {
                while (scanner.next() != null) {
                  // until it fails
                }
              });
      assertSame(failure, seen);
      assertEquals(Set.of(), open);
      failure = null;
      assertSame(seen, assertThrows(IOException.class, scanner::next));
    }
  }

  @Test
  void close_early_closesEveryScanner() throws IOException {
    SaltedScanner scanner = scanner(new Scan().setCaching(2), FetchThreads.of(refusing()));
    assertEquals(false, scanner.renewLease());
    assertEquals(KEYS.get(0), row(scanner.next()));
    assertEquals(16, open.size());
    assertEquals(true, scanner.renewLease());
    scanner.close();
    assertEquals(Set.of(), open);
    assertNull(scanner.next());
    assertEquals(false, scanner.renewLease());
  }

  @Test
  void next_aFewOfManyRows_readsSmallFirstPiecesAndLeavesNothingOpen() throws IOException {
    write(Tables.keys(1000, 5));
    FetchThreads threads = FetchThreads.ofOwn(4);
    SaltedScanner scanner = scanner(new Scan().setCaching(1000), threads);
    assertEquals(10, scanner.next(10).length);
    assertEquals(16, opened.get());
    assertTrue(given.get() <= PieceSizes.FIRST_ROWS_OF_ALL, "given=" + given);
    assertEquals(Set.of(), open);
    assertEquals(true, scanner.renewLease());
    scanner.close();
    threads.close();
  }

  /** HBase's asynchronous scanners ask a server as soon as they are opened. */
  @Test
  void next_ofManyBuckets_asksAFewAtATime() throws IOException {
    LayoutSide side = LayoutSide.byHand(RowkeyLayout.parse(Tables.LAYOUT.replace("16", "64")));
    rows.clear();
    for (String key : KEYS) {
      byte[] row = side.layout().complete(bytes(key));
      rows.put(row, Result.create(List.of(new KeyValue(row, F, Q, 1, bytes("v")))));
    }
    AtomicInteger most = new AtomicInteger();
    AsyncTable<?> table =
        (AsyncTable<?>)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {AsyncTable.class},
                (proxy, method, args) -> {
                  if (!method.getName().equals("getScanner")) {
                    return new Configuration(false);
                  }
                  FakeScanner opened = new FakeScanner((Scan) args[0]);
                  long unread = open.stream().filter(scanner -> !scanner.isRead).count();
                  most.accumulateAndGet((int) unread, Math::max);
                  return opened;
                });
    Scan scan = new Scan().setCaching(1000);
    FilterRules filters = new FilterRules(TableName.valueOf("t"), Set.of());
    ScanPlan plan = ScanPlan.of(scan, side, filters, 256);
    try (SaltedScanner scanner =
        new SaltedScanner(SaltedRows.of(table), scan, plan, new LongAdder())) {
      assertEquals(KEYS, allOf(scanner));
    }
    assertEquals(24, most.get());
  }

  @Test
  void next_afterTheFirstPieces_goesOnWithLargeOnes() throws IOException {
    List<String> keys = Tables.keys(1000, 5);
    write(keys);
    try (SaltedScanner scanner =
        scanner(new Scan().setCaching(1000), FetchThreads.of(refusing()))) {
      assertEquals(keys, allOf(scanner));
    }
    // The limit of a first piece ends its scanner; the next has none.
    assertEquals(32, opened.get());
  }

  @Test
  void next_rangeFixesTheSaltSoFar_asksThatBucketOnly() throws IOException {
    Scan scan = new Scan().withStartRow(bytes("u0010|0001"));
    try (SaltedScanner scanner = scanner(scan, FetchThreads.of(refusing()))) {
      assertEquals("u0010|0001", row(scanner.next()));
      assertEquals("u0010|0002", row(scanner.next()));
      assertEquals(1, opened.get());
      assertEquals(KEYS.subList(53, KEYS.size()), allOf(scanner));
      assertEquals(16, opened.get());
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void next_anyStart_givesAllInOrder(boolean reversed) throws IOException {
    List<String> order = new ArrayList<>(KEYS);
    if (reversed) {
      Collections.reverse(order);
    }
    for (int i = 0; i < order.size(); i += 7) { // each takes long: no thread is ever free
      String key = order.get(i);
      List<String> expected = order.subList(i, order.size());
      for (int cut : new int[] {0, 1, 3}) {
        // Reversed, what a shorter one begins is above it.
        String start = key.substring(0, key.length() - (reversed ? 0 : cut));
        Scan scan = new Scan().withStartRow(bytes(start)).setReversed(reversed).setCaching(7);
        try (SaltedScanner scanner = scanner(scan, FetchThreads.of(refusing()))) {
          List<String> found = allOf(scanner);
          assertEquals(expected, found.subList(found.size() - expected.size(), found.size()));
        }
      }
    }
  }

  private static List<String> allOf(ResultScanner scanner) {
    List<String> rows = new ArrayList<>();
    scanner.forEach(result -> rows.add(row(result)));
    return rows;
  }

  @Test
  void next_limit_endsThereAndClosesEveryScanner() throws IOException {
    SaltedScanner scanner = scanner(new Scan().setLimit(3), FetchThreads.of(refusing()));
    assertEquals(3, scanner.next(10).length);
    assertEquals(Set.of(), open);
    assertNull(scanner.next());
  }
}
