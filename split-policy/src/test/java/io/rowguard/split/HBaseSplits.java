package io.rowguard.split;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.testing.Eventually;
import io.rowguard.testing.OpenRegions;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.MiniHBaseCluster;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.regionserver.FlushLifeCycleTracker;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HRegionServer;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.junit.jupiter.api.function.Executable;

/** Ways to make HBase split, as it does by itself and as an operator does. */
final class HBaseSplits {
  private HBaseSplits() {}

  /** Flushes a region as its server does when it is due, with the question whether to split. */
  static void flushAsTheServerDoes(HBaseTestingUtility hbase, HRegion region) throws Exception {
    CompletableFuture<Void> done = new CompletableFuture<>();
    serverOf(hbase, region)
        .getFlushRequester()
        .requestFlush(
            region,
            new FlushLifeCycleTracker() {
              @Override
              public void afterExecution() {
                done.complete(null);
              }

              @Override
              public void notExecuted(String reason) {
                done.completeExceptionally(new IllegalStateException(reason));
              }
            });
    done.get(5, TimeUnit.MINUTES);
  }

  static HRegionServer serverOf(HBaseTestingUtility hbase, HRegion region) {
    MiniHBaseCluster cluster = hbase.getMiniHBaseCluster();
    return cluster.getRegionServer(cluster.getServerWith(region.getRegionInfo().getRegionName()));
  }

  /** Splits a region without naming a key; its daughters can be split in their turn then. */
  static void split(HBaseTestingUtility hbase, FilledTable table, HRegion region) throws Exception {
    OpenRegions.await(hbase, table.name);
    int before = table.regions().size();
    hbase
        .getAdmin()
        .splitRegionAsync(region.getRegionInfo().getRegionName())
        .get(5, TimeUnit.MINUTES);
    waitForRegions(table, before + 1);
  }

  /** Waits until a table has so many regions, and none with references to a parent's files. */
  static void waitForRegions(FilledTable table, int count) throws Exception {
    Eventually.isTrue(
        count + " regions of " + table.name,
        () -> {
          List<HRegion> regions = table.regions();
          for (HRegion region : regions) {
            // A daughter refers to its parent's files until those are archived, which the server
            // does every two minutes only.
            for (HStore store : region.getStores()) {
              store.closeAndArchiveCompactedFiles();
            }
          }
          return regions.size() == count
              && regions.stream().allMatch(each -> each.isAvailable() && !each.hasReferences());
        });
  }

  /** The region neither splits by itself nor when asked to, with or without a key. */
  static void assertNeverSplits(HBaseTestingUtility hbase, HRegion region, byte[] key)
      throws Exception {
    flushAsTheServerDoes(hbase, region);
    assertEquals(1, region.getStore(FilledTable.F).getStorefilesCount());
    assertTrue(region.checkSplit().isEmpty());
    assertFalse(region.isSplittable());
    Admin admin = hbase.getAdmin();
    byte[] name = region.getRegionInfo().getRegionName();
    for (Executable split :
        List.<Executable>of(
            () -> admin.splitRegionAsync(name).get(5, TimeUnit.MINUTES),
            () -> admin.splitRegionAsync(name, key).get(5, TimeUnit.MINUTES))) {
      Throwable refusal = assertThrows(Throwable.class, split);
      assertTrue(refusal.toString().contains("NOT splittable"), refusal::toString);
    }
    assertEquals(1, admin.getRegions(region.getTableDescriptor().getTableName()).size());
    assertTrue(region.isAvailable());
  }
}
