package io.rowguard.testing;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.util.JVMClusterUtil.RegionServerThread;

/**
 * The regions of a table as the servers have them. A server tells the master that a region is open
 * and lists it only then ({@code AssignRegionHandler}): a table that has just been created, altered
 * or split may lack some for a moment.
 */
public final class OpenRegions {
  private OpenRegions() {}

  /**
   * Returns when a server has each region of an enabled table.
   *
   * @throws AssertionError when that takes longer than {@link Eventually} waits
   */
  public static void await(HBaseTestingUtility hbase, TableName table) throws IOException {
    Eventually.isTrue(
        "all regions of " + table + " are open",
        () -> {
          List<RegionInfo> missing = new ArrayList<>(hbase.getAdmin().getRegions(table));
          boolean isCreated = !missing.isEmpty();
          for (RegionServerThread server :
              hbase.getMiniHBaseCluster().getLiveRegionServerThreads()) {
            server.getRegionServer().getRegions(table).stream()
                .filter(Region::isAvailable)
                .forEach(region -> missing.remove(region.getRegionInfo()));
          }
          return isCreated && missing.isEmpty();
        });
  }

  /**
   * Moves a region; it is open there when this returns. The master moves it elsewhere as long as
   * the server has not reported for the first time (HBASE-25032).
   *
   * @throws AssertionError when that takes longer than {@link Eventually} waits
   */
  public static void move(HBaseTestingUtility hbase, RegionInfo region, ServerName to)
      throws IOException {
    Eventually.isTrue(
        region + " on " + to,
        () -> {
          Region open =
              hbase.getMiniHBaseCluster().getRegionServer(to).getRegion(region.getEncodedName());
          boolean isThere = open != null && open.isAvailable();
          if (!isThere) {
            hbase.getAdmin().move(region.getEncodedNameAsBytes(), to);
          }
          return isThere;
        });
  }
}
