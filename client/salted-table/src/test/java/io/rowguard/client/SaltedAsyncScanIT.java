package io.rowguard.client;

import static io.rowguard.client.Tables.bytes;
import static io.rowguard.client.Tables.get;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.testing.MiniCluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.ScanResultConsumer;
import org.apache.hadoop.hbase.filter.RegexStringComparator;
import org.apache.hadoop.hbase.filter.RowFilter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Scans of asynchronous tables, and the pool that such a table may have. */
@ExtendWith(MiniCluster.class)
class SaltedAsyncScanIT {
  @RegisterExtension private final PropertyClient client;

  SaltedAsyncScanIT(HBaseTestingUtility hbase) {
    this.client = new PropertyClient(hbase);
  }

  @Test
  void scan_manyRows_isSuspendedAndTerminatedAndMeasured() throws Exception {
    TableName name = client.create(Tables.LAYOUT, null, Tables.SPLITS);
    AsyncTable<AdvancedScanResultConsumer> table = client.asyncConnection().getTable(name);
    List<String> keys = Tables.keys(100, 5);
    Tables.fill(table, keys);
    CollectingConsumer all = new CollectingConsumer(new Random(7), Integer.MAX_VALUE);
    table.scan(new Scan().setCaching(10).setScanMetricsEnabled(true), all);
    assertEquals(keys, Tables.rows(all.await()));
    assertTrue(all.calls() >= 50 && all.suspensions() > 5, all.calls() + " " + all.suspensions());
    assertEquals(keys.size(), all.metrics().getMetricsMap(false).get("ROWS_SCANNED").longValue());

    CollectingConsumer some = new CollectingConsumer(new Random(8), 25);
    table.scan(new Scan().setCaching(10).setReversed(true), some);
    List<String> reversed = new ArrayList<>(keys);
    Collections.reverse(reversed);
    List<String> given = Tables.rows(some.await());
    assertTrue(given.size() >= 25 && given.size() < 60, "" + given.size());
    assertEquals(reversed.subList(0, given.size()), given);
    assertEquals(keys.subList(0, 3), Tables.rows(table.scanAll(new Scan().setLimit(3)).get()));
  }

  @Test
  void scan_thatCannotBeAnswered_failsWhereHBaseSaysSo() throws Exception {
    TableName name = client.create(Tables.LAYOUT, null, Tables.SPLITS);
    AsyncTable<AdvancedScanResultConsumer> table = client.asyncConnection().getTable(name);
    Scan scan =
        new Scan()
            .setFilter(new RowFilter(CompareOperator.EQUAL, new RegexStringComparator("a.*")));
    assertThrows(DoNotRetryIOException.class, () -> AsyncView.get(table.scanAll(scan)));
    try (ResultScanner scanner = table.getScanner(scan)) {
      assertThrows(DoNotRetryIOException.class, scanner::next);
    }
    CollectingConsumer noSuchFamily = new CollectingConsumer(new Random(1), 1);
    table.scan(new Scan().addFamily(bytes("nosuch")), noSuchFamily);
    assertThrows(IOException.class, noSuchFamily::await);
  }

  @Test
  void pooledTable_anyCall_runsItsUserInThePool() throws Exception {
    TableName name = client.create(Tables.LAYOUT, null, Tables.SPLITS);
    List<String> keys = Tables.keys(20, 3);
    ExecutorService pool = Executors.newFixedThreadPool(2, task -> new Thread(task, "of the pool"));
    try {
      AsyncTable<ScanResultConsumer> table = client.asyncConnection().getTable(name, pool);
      Tables.fill(table, keys);
      Set<String> threads = Collections.synchronizedSet(new HashSet<>());
      List<CompletableFuture<Void>> waits = new ArrayList<>();
      // Long enough under way that its callback is there before its answer.
      for (String key : keys) {
        waits.add(
            table
                .exists(get(key))
                .thenAccept(found -> threads.add(found + " " + Thread.currentThread().getName())));
      }
      CompletableFuture.allOf(waits.toArray(new CompletableFuture<?>[0])).get();
      threads.remove("true " + Thread.currentThread().getName());
      assertTrue(Set.of("true of the pool").containsAll(threads), "" + threads);

      List<Result> results = new ArrayList<>();
      CompletableFuture<String> over = new CompletableFuture<>();
      table.scan(
          new Scan().setScanMetricsEnabled(true),
          new ScanResultConsumer() {
            @Override
            public boolean onNext(Result result) {
              results.add(result);
              return results.size() < 31;
            }

            @Override
            public void onError(Throwable failure) {
              over.completeExceptionally(failure);
            }

            @Override
            public void onComplete() {
              over.complete(Thread.currentThread().getName());
            }
          });
      assertEquals("of the pool", over.get());
      assertEquals(keys.subList(0, 31), Tables.rows(results));
    } finally {
      pool.shutdown();
    }
  }
}
