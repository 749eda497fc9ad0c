package io.rowguard.tools.cluster;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.RegionReplicaUtil;

/** The regions of a table as {@code hbase:meta} has them now. */
public final class TableRegions {
  private TableRegions() {}

  /** All of them, ascending, without replicas. */
  public static List<HRegionLocation> of(Connection connection, TableName table)
      throws IOException {
    List<HRegionLocation> regions = new ArrayList<>();
    try (RegionLocator locator = connection.getRegionLocator(table)) {
      locator.clearRegionLocationCache();
      for (HRegionLocation each : locator.getAllRegionLocations()) {
        if (RegionReplicaUtil.isDefaultReplica(each.getRegion())) {
          regions.add(each);
        }
      }
    }
    regions.sort(Comparator.comparing(HRegionLocation::getRegion, RegionInfo.COMPARATOR));
    return regions;
  }

  /** The start keys of all regions but the first, ascending. */
  public static List<byte[]> startKeys(Connection connection, TableName table) throws IOException {
    return of(connection, table).stream()
        .map(region -> region.getRegion().getStartKey())
        .filter(key -> key.length > 0)
        .toList();
  }
}
