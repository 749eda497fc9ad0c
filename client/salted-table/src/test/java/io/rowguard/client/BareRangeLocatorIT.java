package io.rowguard.client;

import static io.rowguard.client.Tables.bytes;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.testing.MiniCluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.AsyncTableRegionLocator;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.Pair;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Region locators of a {@link PropertyClient}: HBase's own kind, and the asynchronous one. */
@ExtendWith(MiniCluster.class)
class BareRangeLocatorIT {
  private final HBaseTestingUtility hbase;
  @RegisterExtension private final PropertyClient client;

  BareRangeLocatorIT(HBaseTestingUtility hbase) {
    this.hbase = hbase;
    this.client = new PropertyClient(hbase);
  }

  @Test
  void regionLocator_saltedTable_dividesAllBareKeysIntoRanges() throws IOException {
    List<String> keys = Tables.keys(60, 5);
    String[] onePerBucket = new String[15];
    for (int i = 0; i < onePerBucket.length; i++) {
      onePerBucket[i] = String.format("%02d", i + 1);
    }
    for (String[] splits :
        List.of(
            new String[0],
            onePerBucket,
            new String[] {"03", "05-u0020", "05-u0040", "09-u0010", "09-u0050|0003", "11"})) {
      TableName name = client.create(Tables.LAYOUT, null, splits);
      try (Table table = client.connection().getTable(name);
          RegionLocator empty = client.connection().getRegionLocator(name);
          RegionLocator locator = client.connection().getRegionLocator(name)) {
        assertCovers(empty.getStartEndKeys());
        Tables.fill(table, keys);
        Pair<byte[][], byte[][]> ranges = locator.getStartEndKeys();
        assertCovers(ranges);
        assertArrayEquals(ranges.getFirst(), empty.getStartEndKeys().getFirst(), "made anew");
        try (RegionLocator ofTable = table.getRegionLocator()) {
          assertArrayEquals(ranges.getFirst(), ofTable.getStartEndKeys().getFirst());
        }
        int regions = splits.length + 1;
        int count = ranges.getFirst().length;
        assertTrue(count <= regions && count >= (regions + 1) / 2, count + " of " + regions);
        assertReadsEachOnce(table, locator, keys);
        assertNamesRegions(
            locator, SaltedConnection.raw(client.connection()).getRegionLocator(name));
      }
    }
  }

  private static void assertCovers(Pair<byte[][], byte[][]> ranges) {
    byte[] next = new byte[0];
    int count = ranges.getFirst().length;
    for (int i = 0; i < count; i++) {
      assertEquals(Bytes.toStringBinary(next), Bytes.toStringBinary(ranges.getFirst()[i]));
      next = ranges.getSecond()[i];
      assertTrue(i == count - 1 || Bytes.compareTo(ranges.getFirst()[i], next) < 0);
    }
    assertEquals(0, next.length);
  }

  /** Reads as TableInputFormat does: one part per range, at the location of its first key. */
  private static void assertReadsEachOnce(Table table, RegionLocator locator, List<String> keys)
      throws IOException {
    List<String> read = new ArrayList<>();
    Set<String> servers = new HashSet<>();
    for (HRegionLocation range : locator.getAllRegionLocations()) {
      byte[] start = range.getRegion().getStartKey();
      byte[] end = range.getRegion().getEndKey();
      HRegionLocation location = locator.getRegionLocation(start, false);
      assertEquals(
          Bytes.toStringBinary(end), Bytes.toStringBinary(location.getRegion().getEndKey()));
      servers.add(location.getHostnamePort());
      read.addAll(Tables.rows(table, new Scan().withStartRow(start).withStopRow(end)));
    }
    assertEquals(keys, read);
    assertFalse(servers.isEmpty());
  }

  private static void assertNamesRegions(RegionLocator locator, RegionLocator raw)
      throws IOException {
    Set<String> names = new HashSet<>();
    raw.getAllRegionLocations().forEach(one -> names.add(one.getRegion().getEncodedName()));
    Set<String> named = new HashSet<>();
    locator.getAllRegionLocations().forEach(one -> named.add(one.getRegion().getEncodedName()));
    assertTrue(names.containsAll(named), named + " of " + names);
    HRegionLocation location = locator.getRegionLocation(bytes("u0030|0002"), true);
    assertEquals(
        raw.getRegionLocation(Tables.complete("u0030|0002")).getRegion().getEncodedName(),
        location.getRegion().getEncodedName());
    assertTrue(location.getRegion().containsRow(bytes("u0030|0002")));
    byte[] end = location.getRegion().getEndKey();
    assertTrue(end.length == 0 || !location.getRegion().containsRow(end));
    assertEquals(0, locator.getRegionLocation(new byte[0]).getRegion().getStartKey().length);
    assertEquals(1, locator.getRegionLocations(bytes("no bare key")).size());
    locator.clearRegionLocationCache();
    assertCovers(locator.getStartEndKeys());
  }

  @Test
  void asyncRegionLocator_saltedTable_dividesAllBareKeysIntoRanges() throws Exception {
    TableName name =
        client.create(Tables.LAYOUT, null, "03", "05-u0020", "05-u0040", "09-u0010", "11");
    AsyncTable<AdvancedScanResultConsumer> table = client.asyncConnection().getTable(name);
    List<String> keys = Tables.keys(60, 5);
    Tables.fill(table, keys);
    AsyncTableRegionLocator locator = client.asyncConnection().getRegionLocator(name);
    assertEquals(name, locator.getName());
    List<String> read = new ArrayList<>();
    byte[] next = new byte[0];
    for (HRegionLocation range : locator.getAllRegionLocations().get()) {
      byte[] start = range.getRegion().getStartKey();
      assertEquals(Bytes.toStringBinary(next), Bytes.toStringBinary(start));
      next = range.getRegion().getEndKey();
      assertTrue(
          Arrays.equals(next, locator.getRegionLocation(start).get().getRegion().getEndKey()));
      read.addAll(
          Tables.rows(table.scanAll(new Scan().withStartRow(start).withStopRow(next)).get()));
    }
    assertEquals(0, next.length);
    assertEquals(keys, read);
    HRegionLocation stored =
        hbase
            .getConnection()
            .getRegionLocator(name)
            .getRegionLocation(Tables.complete("u0030|0002"));
    assertEquals(
        stored.getRegion().getEncodedName(),
        table
            .getRegionLocator()
            .getRegionLocation(bytes("u0030|0002"), true)
            .get()
            .getRegion()
            .getEncodedName());
    locator.clearRegionLocationCache();
    assertTrue(locator.getStartEndKeys().get().size() > 1);
  }
}
