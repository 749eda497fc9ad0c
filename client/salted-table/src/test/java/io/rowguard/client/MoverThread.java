package io.rowguard.client;

import io.rowguard.config.Relayout;
import io.rowguard.layout.LayoutChange;
import io.rowguard.relayout.RelayoutRequest;
import io.rowguard.relayout.RelayoutResponse;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Touches every key of which there is an old row, until there is none or it is killed: it does not
 * come back to what it failed at, and has no other state than the table's.
 */
final class MoverThread extends Thread {
  private static final int BATCH = 40;

  private final LiveCluster cluster;
  private final LiveTable table;
  private final Relayout relayout;
  private final LiveTraffic traffic;
  private volatile boolean isKilled;

  MoverThread(LiveCluster cluster, LiveTable table, Relayout relayout, LiveTraffic traffic) {
    super("mover");
    this.cluster = cluster;
    this.table = table;
    this.relayout = relayout;
    this.traffic = traffic;
  }

  /** Ends it wherever it is. */
  void kill() throws InterruptedException {
    isKilled = true;
    interrupt();
    join();
  }

  @Override
  public void run() {
    try (Table raw = cluster.patient().getTable(table.name());
        RegionLocator locator = cluster.patient().getRegionLocator(table.name());
        ResultScanner scanner =
            raw.getScanner(new Scan().setFilter(new FirstKeyOnlyFilter()).setCaching(100))) {
      List<byte[]> rows = new ArrayList<>();
      for (Result result = scanner.next(); result != null && !isKilled; result = scanner.next()) {
        if (relayout.change().place(result.getRow()) == LayoutChange.Place.OLD) {
          rows.add(relayout.change().toNew(result.getRow()));
        }
        if (rows.size() == BATCH) {
          touch(raw, locator, rows);
          rows.clear();
        }
      }
      touch(raw, locator, rows);
    } catch (IOException | IllegalArgumentException e) {
      // The next one begins anew.
      traffic.note("mover ended: " + LiveClient.root(e).getClass().getSimpleName());
    }
  }

  private void touch(Table raw, RegionLocator locator, List<byte[]> rows) throws IOException {
    Map<String, List<byte[]>> byRegion = new TreeMap<>();
    for (byte[] row : rows) {
      String region = locator.getRegionLocation(row).getRegion().getEncodedName();
      byRegion.computeIfAbsent(region, r -> new ArrayList<>()).add(row);
    }
    for (List<byte[]> together : byRegion.values()) {
      if (isKilled) {
        return;
      }
      RelayoutRequest touch = RelayoutRequest.touch(relayout.generation(), together);
      RelayoutResponse response = RelayoutResponse.of(raw.get(touch.toGet(together.get(0))));
      for (int i = 0; i < together.size(); i++) {
        RelayoutResponse.Item item = response.items().get(i);
        traffic.note("touch " + item.outcome());
        if (item.outcome() == RelayoutResponse.Outcome.FAILED) {
          traffic.note(
              "touch failed: " + Bytes.toStringBinary(item.bytes()).replaceAll("[0-9]", ""));
        }
      }
    }
  }
}
