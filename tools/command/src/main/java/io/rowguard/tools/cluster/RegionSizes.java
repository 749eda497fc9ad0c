package io.rowguard.tools.cluster;

import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.hbase.ClusterMetrics.Option;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.Size;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.util.Bytes;

/** The figures of region servers about a table's regions, asked once. Immutable. */
public final class RegionSizes {
  private final Map<String, RegionMetrics> metrics;

  private RegionSizes(Map<String, RegionMetrics> metrics) {
    this.metrics = metrics;
  }

  /** Asks all servers that have regions of the table. */
  public static RegionSizes of(Connection connection, TableName table) throws IOException {
    Set<ServerName> servers = new HashSet<>();
    for (HRegionLocation region : TableRegions.of(connection, table)) {
      servers.add(region.getServerName());
    }
    servers.remove(null);
    Map<String, RegionMetrics> metrics = new HashMap<>();
    try (Admin admin = connection.getAdmin()) {
      for (ServerName server : servers) {
        for (RegionMetrics region : admin.getRegionMetrics(server, table)) {
          metrics.put(Bytes.toStringBinary(region.getRegionName()), region);
        }
      }
    }
    return new RegionSizes(metrics);
  }

  /** The servers that may be given regions. */
  public static List<ServerName> servers(Admin admin) throws IOException {
    List<ServerName> servers =
        new ArrayList<>(
            admin
                .getClusterMetrics(EnumSet.of(Option.LIVE_SERVERS))
                .getLiveServerMetrics()
                .keySet());
    servers.removeAll(admin.listDecommissionedRegionServers());
    servers.sort(null);
    return servers;
  }

  /** The figures of the region's server; null when none serves it. */
  public RegionMetrics of(RegionInfo region) {
    return metrics.get(Bytes.toStringBinary(region.getRegionName()));
  }

  /** Whether a region has neither files nor anything in memory; false where that is unknown. */
  public boolean isEmpty(RegionInfo region) {
    RegionMetrics own = of(region);
    return own != null
        && own.getStoreFileCount() == 0
        && own.getMemStoreSize().get(Size.Unit.BYTE) == 0;
  }

  /** The size of a region's files on disk, in whole mebibytes; 0 when it is not known. */
  public long diskBytes(RegionInfo region) {
    RegionMetrics own = of(region);
    return own == null ? 0 : (long) own.getStoreFileSize().get(Size.Unit.BYTE);
  }

  /** The size of a region's cells, in files before compression and in memory; 0: not known. */
  public RoundedBytes cellBytes(RegionInfo region) {
    RegionMetrics own = of(region);
    if (own == null) {
      return RoundedBytes.ofMebibytes(0);
    }
    return RoundedBytes.ofMebibytes(mebibytes(own.getUncompressedStoreFileSize()))
        .and(RoundedBytes.ofMebibytes(mebibytes(own.getMemStoreSize())));
  }

  /** How much of what its cells take the files of all regions take on disk, 1 at most. */
  public double compression() {
    long stored = 0;
    long cells = 0;
    for (RegionMetrics each : metrics.values()) {
      stored += mebibytes(each.getStoreFileSize());
      cells += mebibytes(each.getUncompressedStoreFileSize());
    }
    return cells == 0 ? 1 : Math.min(1, (double) stored / cells);
  }

  private static long mebibytes(Size size) {
    return (long) size.get(Size.Unit.MEGABYTE);
  }
}
