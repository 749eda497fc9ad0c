package io.rowguard.master;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableState;
import org.apache.hadoop.hbase.master.MasterServices;
import org.apache.hadoop.hbase.master.RegionState;
import org.apache.hadoop.hbase.master.assignment.RegionStates;

/**
 * The master's own knowledge of tables and regions, from its memory: no call to any server, so that
 * it can be asked in a procedure's thread.
 */
final class MasterState {
  private final MasterServices master;

  MasterState(MasterServices master) {
    this.master = master;
  }

  /** The descriptor of a table, or null when there is no such table. */
  TableDescriptor descriptor(TableName table) throws IOException {
    return master.getTableDescriptors().get(table);
  }

  /** Whether a table is disabled, so that nothing is in memory. */
  boolean isDisabled(TableName table) {
    return master.getTableStateManager().isTableState(table, TableState.State.DISABLED);
  }

  /** Whether every region of a table can be read. */
  boolean areRegionsOpen(TableName table) {
    for (RegionInfo region : regions(table)) {
      RegionState state = states().getRegionState(region);
      if (state == null || !state.isOpened()) {
        return false;
      }
    }
    return true;
  }

  /** The region that holds a row, or null when there is none. Goes through all of the table's. */
  RegionInfo region(TableName table, byte[] row) {
    for (RegionInfo region : regions(table)) {
      if (region.containsRow(row)) {
        return region;
      }
    }
    return null;
  }

  /** The regions of a table that hold its rows, without replicas, ascending. */
  List<RegionInfo> sortedRegions(TableName table) {
    List<RegionInfo> sorted = new ArrayList<>();
    for (RegionInfo region : regions(table)) {
      if (region.getReplicaId() == RegionInfo.DEFAULT_REPLICA_ID) {
        sorted.add(region);
      }
    }
    sorted.sort(RegionInfo.COMPARATOR);
    return sorted;
  }

  /** The boundaries between the regions of a table. */
  List<byte[]> splitKeys(TableName table) {
    return splitKeys(regions(table));
  }

  /** The start keys of all regions but the first, ascending. */
  static List<byte[]> splitKeys(List<RegionInfo> regions) {
    RegionInfo[] sorted = regions.toArray(new RegionInfo[0]);
    Arrays.sort(sorted, RegionInfo.COMPARATOR);
    List<byte[]> keys = new ArrayList<>();
    for (RegionInfo region : sorted) {
      boolean isReplica = region.getReplicaId() != RegionInfo.DEFAULT_REPLICA_ID;
      if (region.getStartKey().length > 0 && !isReplica) {
        keys.add(region.getStartKey());
      }
    }
    return keys;
  }

  /**
   * All that are no parents of a split. {@code getRegionsOfTable} leaves out those in state OFFLINE
   * too, which may hold rows (RegionStates in HBase 2.5 to 3.0).
   */
  private List<RegionInfo> regions(TableName table) {
    return states().getRegionsOfTableForEnabling(table);
  }

  private RegionStates states() {
    return master.getAssignmentManager().getRegionStates();
  }
}
