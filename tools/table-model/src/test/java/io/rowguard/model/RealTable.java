package io.rowguard.model;

import io.rowguard.testing.Eventually;
import java.io.IOException;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.regionserver.FlushLifeCycleTracker;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HRegionServer;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A table on a real cluster that is written as the model is: whenever a memstore is full, nothing
 * more is written until the flush, the compactions and the splits that follow from it are over.
 */
final class RealTable implements AutoCloseable {
  static final byte[] FAMILY = Bytes.toBytes("f");
  static final byte[] QUALIFIER = Bytes.toBytes("q");

  private final HBaseTestingUtility hbase;
  private final TableDescriptor descriptor;
  private final Table table;
  private List<HRegion> regions;

  RealTable(HBaseTestingUtility hbase, TableDescriptor descriptor) throws Exception {
    this.hbase = hbase;
    this.descriptor = descriptor;
    hbase.getAdmin().createTable(descriptor);
    // A server tells the master of a region before it lists it.
    Eventually.isTrue(descriptor.getTableName() + " is open", this::isSettled);
    this.table = hbase.getConnection().getTable(descriptor.getTableName());
  }

  void put(byte[] row, byte[] value) throws Exception {
    HRegion region =
        regions.stream()
            .filter(each -> each.getRegionInfo().containsRow(row))
            .findFirst()
            .orElseThrow();
    long before = region.getMemStoreHeapSize();
    table.put(new Put(row).addColumn(FAMILY, QUALIFIER, value));
    long after = region.getMemStoreHeapSize();
    // HBase compares the same two numbers when a write is done. It has asked for a flush then,
    // which may be over by now.
    if (after > descriptor.getMemStoreFlushSize() || after <= before) {
      flush(region);
      Eventually.isTrue(descriptor.getTableName() + " has settled", this::isSettled);
    }
  }

  /** Waits for the flush that the server has begun by itself, if it has not done it yet. */
  private void flush(HRegion region) throws Exception {
    CompletableFuture<Boolean> done = new CompletableFuture<>();
    Optional<HRegionServer> server = serverOf(region);
    // Refused while the server's own request for this region is still in its queue.
    while (server.isPresent()
        && !server.get().getFlushRequester().requestFlush(region, tracker(done))) {
      Thread.onSpinWait();
      server = serverOf(region);
    }
    if (server.isPresent()) {
      done.get(5, TimeUnit.MINUTES);
    }
  }

  private static FlushLifeCycleTracker tracker(CompletableFuture<Boolean> done) {
    return new FlushLifeCycleTracker() {
      @Override
      public void afterExecution() {
        done.complete(true);
      }
    };
  }

  /** The server of a region; none when it has just been split. */
  private Optional<HRegionServer> serverOf(HRegion region) {
    return hbase.getMiniHBaseCluster().getRegionServerThreads().stream()
        .map(thread -> thread.getRegionServer())
        .filter(server -> server.getOnlineRegion(region.getRegionInfo().getRegionName()) != null)
        .findFirst();
  }

  /**
   * Whether nothing remains to be done, and if so, takes the regions as they are; asks for the
   * splits that the server would ask for.
   */
  private boolean isSettled() throws IOException, ReflectiveOperationException {
    List<HRegion> now = online();
    if (!areWhole(now)) {
      return false;
    }
    for (HRegion region : now) {
      for (HStore store : region.getStores()) {
        // The server archives what was compacted every two minutes only.
        store.closeAndArchiveCompactedFiles();
      }
      if (region.hasReferences() || compactionsQueued(region) > 0) {
        return false;
      }
    }
    for (HRegion region : now) {
      byte[] point = region.checkSplit().orElse(null);
      boolean isRefused = Arrays.equals(point, region.getRegionInfo().getStartKey());
      if (point != null && !isRefused) {
        serverOf(region).ifPresent(server -> server.getCompactSplitThread().requestSplit(region));
        return false;
      }
    }
    // A region that began to close meanwhile had no split point to report.
    if (now.stream().anyMatch(HRegion::isClosing)) {
      return false;
    }
    regions = now;
    return true;
  }

  /** HBase's own count of compactions that were asked for and are not over. */
  private static long compactionsQueued(HRegion region) throws ReflectiveOperationException {
    Field field = HRegion.class.getDeclaredField("compactionsQueued");
    field.setAccessible(true);
    return ((LongAdder) field.get(region)).sum();
  }

  /** Whether the regions are open and follow one another from the first key to the last. */
  private static boolean areWhole(List<HRegion> regions) {
    byte[] end = new byte[0];
    for (HRegion region : regions) {
      if (!region.isAvailable() || !Arrays.equals(end, region.getRegionInfo().getStartKey())) {
        return false;
      }
      end = region.getRegionInfo().getEndKey();
    }
    return !regions.isEmpty() && end.length == 0;
  }

  private List<HRegion> online() {
    List<HRegion> online =
        new ArrayList<>(hbase.getMiniHBaseCluster().getRegions(descriptor.getTableName()));
    online.removeIf(region -> region.isClosed() || region.isClosing());
    online.sort(
        (a, b) ->
            Bytes.compareTo(a.getRegionInfo().getStartKey(), b.getRegionInfo().getStartKey()));
    return online;
  }

  /** Where the regions begin, but the first, ascending. */
  List<byte[]> boundaries() {
    return regions.stream().skip(1).map(region -> region.getRegionInfo().getStartKey()).toList();
  }

  @Override
  public void close() throws IOException {
    table.close();
    TableName name = descriptor.getTableName();
    hbase.deleteTable(name);
  }
}
