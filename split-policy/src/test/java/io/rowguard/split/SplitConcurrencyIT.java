package io.rowguard.split;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.layout.LayoutBoundaries;
import io.rowguard.testing.Eventually;
import io.rowguard.testing.MiniCluster;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The policy while the region is written, flushed, compacted and split. */
@ExtendWith(MiniCluster.class)
class SplitConcurrencyIT {
  private final HBaseTestingUtility hbase;
  private final ExecutorService threads = Executors.newCachedThreadPool();

  SplitConcurrencyIT(HBaseTestingUtility hbase) {
    this.hbase = hbase;
  }

  @AfterEach
  void endThreads() throws InterruptedException {
    threads.shutdownNow();
    assertTrue(threads.awaitTermination(5, TimeUnit.MINUTES));
  }

  @Test
  void splitPoint_severalThreadsWhileFlushingAndCompacting_isLegalAndLeavesNoFileInUse()
      throws Exception {
    try (FilledTable table = FilledTable.create(hbase)) {
      HRegion region = table.fill(2000, 1).region();
      AtomicBoolean done = new AtomicBoolean();
      List<Future<Integer>> askers = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        askers.add(
            threads.submit(
                () -> {
                  int answers = 0;
                  do {
                    byte[] point = FilledTable.splitPoint(region);
                    if (point != null) {
                      assertTrue(((LayoutBoundaries) FilledTable.BOUNDARIES).isLegal(point));
                      answers++;
                    }
                  } while (!done.get());
                  return answers;
                }));
      }
      for (int i = 0; i < 15; i++) {
        table.fill(300, 100 + i);
        if (i % 3 == 2) {
          region.compact(true);
          region.getStore(FilledTable.F).closeAndArchiveCompactedFiles();
        }
      }
      done.set(true);
      for (Future<Integer> asker : askers) {
        assertTrue(asker.get() > 0);
      }
      assertNoFileInUse(region);
    }
  }

  @Test
  void split_underWriteLoad_losesNoRowAndCutsNoGroup() throws Exception {
    try (FilledTable table = FilledTable.create(hbase)) {
      table.fill(1500, 2);
      AtomicBoolean done = new AtomicBoolean();
      List<Future<Set<String>>> writers = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        int seed = 1000 + i;
        writers.add(threads.submit(() -> writeUntil(done, table, seed)));
      }
      for (int wanted = 2; wanted <= 4; wanted++) {
        splitLargest(table, wanted);
      }
      done.set(true);
      Set<String> written = new HashSet<>();
      for (Future<Set<String>> writer : writers) {
        written.addAll(writer.get());
      }
      Set<String> lost = new HashSet<>(written);
      lost.removeAll(rowsOf(table));
      assertEquals(Set.of(), lost);
      assertFalse(written.isEmpty());
      for (HRegion region : table.regions()) {
        byte[] start = region.getRegionInfo().getStartKey();
        assertTrue(start.length == 0 || ((LayoutBoundaries) FilledTable.BOUNDARIES).isLegal(start));
      }
    }
  }

  private static Set<String> writeUntil(AtomicBoolean done, FilledTable table, int seed)
      throws Exception {
    Set<String> written = new HashSet<>();
    for (int round = 0; !done.get(); round++) {
      List<Put> puts = table.puts(50, seed * 100_000L + round);
      table.put(puts);
      puts.forEach(put -> written.add(Bytes.toString(put.getRow())));
    }
    return written;
  }

  private void splitLargest(FilledTable table, int wanted) throws Exception {
    table.flush();
    HRegion largest = null;
    for (HRegion region : table.regions()) {
      region.compact(true);
      region.getStore(FilledTable.F).closeAndArchiveCompactedFiles();
      long size = region.getStore(FilledTable.F).getStorefilesSize();
      if (largest == null || size > largest.getStore(FilledTable.F).getStorefilesSize()) {
        largest = region;
      }
    }
    hbase.getAdmin().splitRegionAsync(largest.getRegionInfo().getRegionName()).get();
    Eventually.isTrue(wanted + " regions", () -> table.regions().size() == wanted);
  }

  private Set<String> rowsOf(FilledTable table) throws Exception {
    Set<String> rows = new HashSet<>();
    try (Table client = hbase.getConnection().getTable(table.name);
        ResultScanner scanner = client.getScanner(new Scan().setCaching(1000))) {
      for (Result result : scanner) {
        rows.add(Bytes.toString(result.getRow()));
      }
    }
    return rows;
  }

  private static void assertNoFileInUse(HRegion region) {
    for (HStoreFile file : region.getStore(FilledTable.F).getStorefiles()) {
      assertFalse(file.isReferencedInReads(), file.toString());
    }
  }
}
