package io.rowguard.client;

import static io.rowguard.client.Tables.F;
import static io.rowguard.client.Tables.Q;
import static io.rowguard.client.Tables.bytes;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.layout.KeyRange;
import io.rowguard.layout.RowkeyLayout;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Scans of an asynchronous table over scanners that the test sees through; no cluster. */
class AsyncScanTest {
  private static final RowkeyLayout LAYOUT = RowkeyLayout.parse(Tables.LAYOUT);
  private static final List<String> KEYS = Tables.keys(100, 4);

  private final TreeMap<byte[], Result> rows = new TreeMap<>(Bytes.BYTES_COMPARATOR);
  private final AtomicInteger open = new AtomicInteger();
  private final AtomicInteger read = new AtomicInteger();
  private volatile int failAfter = Integer.MAX_VALUE;
  private final IOException failure = new IOException("for a test");

  AsyncScanTest() {
    for (String key : KEYS) {
      byte[] row = LAYOUT.complete(bytes(key));
      rows.put(row, Result.create(List.of(new KeyValue(row, F, Q, 1, bytes("v")))));
    }
  }

  private ResultScanner scanner(Scan scan) {
    KeyRange range = ScanPlan.rangeOf(scan);
    List<Result> inRange = new ArrayList<>();
    for (Result result : (scan.isReversed() ? rows.descendingMap() : rows).values()) {
      if (range.contains(result.getRow())
          && (scan.getLimit() <= 0 || inRange.size() < scan.getLimit())) {
        inRange.add(result);
      }
    }
    open.incrementAndGet();
    Iterator<Result> results = inRange.iterator();
    return new ResultScanner() {
      private boolean isClosed;

      @Override
      public Result next() throws IOException {
        if (read.incrementAndGet() > failAfter) {
          throw failure;
        }
        return results.hasNext() ? results.next() : null;
      }

      @Override
      public void close() {
        if (!isClosed) {
          open.decrementAndGet();
        }
        isClosed = true;
      }

      @Override
      public boolean renewLease() {
        return true;
      }

      @Override
      public ScanMetrics getScanMetrics() {
        return null;
      }
    };
  }

  private AsyncTable<AdvancedScanResultConsumer> table() {
    @SuppressWarnings("unchecked") // a proxy knows no parameters
    AsyncTable<AdvancedScanResultConsumer> salted =
        (AsyncTable<AdvancedScanResultConsumer>)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {AsyncTable.class},
                (proxy, method, args) -> {
                  switch (method.getName()) {
                    case "getScanner":
                      return scanner((Scan) args[0]);
                    case "getOperationTimeout":
                      return 1000L;
                    default:
                      return new Configuration(false);
                  }
                });
    FilterRules filters = new FilterRules(TableName.valueOf("t"), Set.of());
    TableLayouts layouts = TableLayouts.byHand(LAYOUT, 256, filters);
    return new RawSaltedAsyncTable(
        salted, new LayoutCache(layouts, null, Runnable::run), FetchThreads.shared(), null);
  }

  private static List<String> rows(List<Result> results) {
    List<String> rows = new ArrayList<>();
    for (Result result : results) {
      rows.add(Bytes.toString(result.getRow()));
    }
    return rows;
  }

  /** The rows that a scan of the sorted bare keys gives. */
  private static List<String> naive(Scan scan) {
    List<String> keys = new ArrayList<>(KEYS);
    if (scan.isReversed()) {
      Collections.reverse(keys);
    }
    KeyRange range = ScanPlan.rangeOf(scan);
    keys.removeIf(key -> !range.contains(bytes(key)));
    return scan.getLimit() > 0 && scan.getLimit() < keys.size()
        ? keys.subList(0, scan.getLimit())
        : keys;
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void scan_anyRangeSuspendedAtRandom_givesWhatANaiveScanGives(long seed) throws IOException {
    Random random = new Random(seed);
    AsyncTable<AdvancedScanResultConsumer> table = table();
    int suspensions = 0;
    for (int index = 0; index < 60; index++) {
      Scan scan = new Scan().setCaching(1 + random.nextInt(40)).setReversed(random.nextBoolean());
      if (random.nextInt(3) > 0) {
        String a = KEYS.get(random.nextInt(KEYS.size()));
        String b = KEYS.get(random.nextInt(KEYS.size()));
        boolean swap = a.compareTo(b) > 0 != scan.isReversed();
        scan.withStartRow(bytes(swap ? b : a), random.nextBoolean());
        scan.withStopRow(bytes(swap ? a : b), random.nextBoolean());
      }
      if (random.nextInt(3) == 0) {
        scan.setLimit(1 + random.nextInt(50));
      }
      CollectingConsumer consumer = new CollectingConsumer(random, Integer.MAX_VALUE);
      table.scan(scan, consumer);
      assertEquals(naive(scan), rows(consumer.await()), "seed=" + seed + " index=" + index);
      assertEquals(0, open.get(), "seed=" + seed + " index=" + index);
      suspensions += consumer.suspensions();
    }
    assertTrue(suspensions > 20, "" + suspensions);
  }

  @Test
  void scan_terminated_endsAndIsClosed() throws IOException {
    CollectingConsumer consumer = new CollectingConsumer(new Random(5), 10);
    table().scan(new Scan().setCaching(8), consumer);
    List<String> given = rows(consumer.await());
    assertEquals(KEYS.subList(0, given.size()), given);
    assertTrue(given.size() >= 10 && given.size() < 40, "" + given.size());
    assertEquals(0, open.get());
  }

  @Test
  void scan_aServerFails_tellsWhatWasReadBefore() {
    failAfter = 150;
    CollectingConsumer consumer = new CollectingConsumer(new Random(6), Integer.MAX_VALUE);
    table().scan(new Scan().setCaching(8), consumer);
    assertSame(failure, assertThrows(IOException.class, consumer::await));
    assertTrue(consumer.calls() > 0, "" + consumer.calls());
    assertEquals(0, open.get());
  }

  @Test
  void scan_theConsumerFails_isToldAndTheScanIsClosed() {
    RuntimeException own = new IllegalArgumentException("of the consumer");
    CollectingConsumer told = new CollectingConsumer(new Random(7), Integer.MAX_VALUE);
    table()
        .scan(
            new Scan(),
            new AdvancedScanResultConsumer() {
              @Override
              public void onNext(Result[] results, ScanController controller) {
                throw own;
              }

              @Override
              public void onError(Throwable e) {
                told.onError(e);
              }

              @Override
              public void onComplete() {
                told.onComplete();
              }
            });
    IOException seen = assertThrows(IOException.class, told::await);
    assertSame(own, seen.getCause());
    assertEquals(0, open.get());
  }

  /** Rows that are read ahead have a bound while no call takes them. */
  @Test
  void scan_suspended_readsNoFurther() throws Exception {
    AdvancedScanResultConsumer.ScanResumer[] resumer =
        new AdvancedScanResultConsumer.ScanResumer[1];
    List<Result> given = new ArrayList<>();
    CompletableFuture<Integer> suspended = new CompletableFuture<>();
    CompletableFuture<Integer> over = new CompletableFuture<>();
    table()
        .scan(
            new Scan().setCaching(4),
            new AdvancedScanResultConsumer() {
              @Override
              public void onNext(Result[] results, ScanController controller) {
                given.addAll(Arrays.asList(results));
                if (resumer[0] == null) {
                  resumer[0] = controller.suspend();
                  suspended.complete(read.get());
                }
              }

              @Override
              public void onError(Throwable e) {
                over.completeExceptionally(e);
              }

              @Override
              public void onComplete() {
                over.complete(given.size());
              }
            });
    int atSuspension = suspended.get();
    // Two rows of each of the sixteen buckets are a piece of theirs.
    assertTrue(atSuspension <= 16 * 4, "" + atSuspension);
    assertEquals(atSuspension, read.get());
    resumer[0].resume();
    assertEquals(KEYS.size(), over.get().intValue());
    assertEquals(KEYS, rows(given));
  }
}
