package io.rowguard.client;

import static io.rowguard.client.Tables.F;
import static io.rowguard.client.Tables.Q;
import static io.rowguard.client.Tables.bytes;

import io.rowguard.testing.Eventually;
import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.util.JVMClusterUtil.RegionServerThread;

/** A table of entity groups, of which a test is about one: that of the user alice. */
final class AliceTable implements AutoCloseable {
  static final byte[] ALICE = bytes("alice");

  private final HBaseTestingUtility hbase;
  private final SaltedTable table;

  private AliceTable(HBaseTestingUtility hbase, SaltedTable table) {
    this.hbase = hbase;
    this.table = table;
  }

  /**
   * A new table.
   *
   * @param mode of the region observer; null for none
   */
  static AliceTable create(HBaseTestingUtility hbase, String layout, String mode)
      throws IOException {
    return create(hbase, hbase.getConnection(), layout, mode);
  }

  /**
   * A new table that is opened by another connection.
   *
   * @param connection is left open
   */
  static AliceTable create(
      HBaseTestingUtility hbase, Connection connection, String layout, String mode)
      throws IOException {
    TableName name = GroupTables.create(hbase, layout, mode, LostCommits.class);
    return new AliceTable(hbase, SaltedTable.open(connection, name));
  }

  TableName name() {
    return table.getName();
  }

  SaltedTable table() {
    return table;
  }

  RowGroup alice() throws IOException {
    return RowGroup.of(table, ALICE);
  }

  void put(String row, long value) throws IOException {
    table.put(GroupTables.put(row, value));
  }

  /** The number in a row; null where there is none. */
  Long number(String row) throws IOException {
    return GroupTables.number(table, row);
  }

  /** All numbers of the group. */
  Map<String, Long> snapshot() throws IOException {
    return GroupTables.snapshot(alice());
  }

  /**
   * Moves what is in one row to another, when there is as much or more, and a third row does not
   * exist.
   */
  GroupTransaction transfer(long amount) throws IOException {
    return alice()
        .when(bytes("alice|0001"))
        .column(F, Q)
        .is(CompareOperator.GREATER_OR_EQUAL, GroupTables.number(amount))
        .when(bytes("alice|0003"))
        .column(F, Q)
        .doesNotExist()
        .put(GroupTables.put("alice|0001", 0))
        .put(GroupTables.put("alice|0002", amount));
  }

  /** Content of the rows after that. */
  static Map<String, Long> transferred(long amount) {
    return Map.of("alice|0001", 0L, "alice|0002", amount);
  }

  private HRegionLocation location(String bareKey) throws IOException {
    try (RegionLocator locator = table.getRegionLocator()) {
      return locator.getRegionLocation(bytes(bareKey), true);
    }
  }

  /**
   * Cuts a region by force, and waits until this client knows.
   *
   * @param at a stored row
   */
  void cut(String at) throws Exception {
    RegionInfo region =
        hbase.getAdmin().getRegions(name()).stream()
            .filter(each -> each.containsRow(bytes(at)))
            .findAny()
            .orElseThrow();
    hbase.getAdmin().splitRegionAsync(region.getRegionName(), bytes(at)).get(2, TimeUnit.MINUTES);
    try (RegionLocator locator = hbase.getConnection().getRegionLocator(name())) {
      Eventually.isTrue(
          "the client knows both regions",
          () ->
              !locator
                  .getRegionLocation(region.getStartKey(), true)
                  .getRegion()
                  .containsRow(bytes(at)));
    }
  }

  /** Merges the regions on both sides of a boundary. */
  void merge(String boundary) throws Exception {
    byte[][] both = new byte[2][];
    for (RegionInfo region : hbase.getAdmin().getRegions(name())) {
      if (Arrays.equals(region.getEndKey(), bytes(boundary))) {
        both[0] = region.getEncodedNameAsBytes();
      } else if (Arrays.equals(region.getStartKey(), bytes(boundary))) {
        both[1] = region.getEncodedNameAsBytes();
      }
    }
    hbase.getAdmin().mergeRegionsAsync(both, false).get(2, TimeUnit.MINUTES);
  }

  /** Moves the region of a bare key to another server. */
  void move(String bareKey) throws IOException {
    HRegionLocation from = location(bareKey);
    for (RegionServerThread thread : hbase.getMiniHBaseCluster().getLiveRegionServerThreads()) {
      ServerName to = thread.getRegionServer().getServerName();
      if (!to.equals(from.getServerName())) {
        hbase.getAdmin().move(from.getRegion().getEncodedNameAsBytes(), to);
        Eventually.isTrue(
            "the region is on " + to, () -> location(bareKey).getServerName().equals(to));
        return;
      }
    }
  }

  @Override
  public void close() throws IOException {
    LostCommits.reset();
    table.close();
    Tables.drop(hbase, name());
  }
}
