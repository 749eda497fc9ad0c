package io.rowguard.client;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionLocator;

/**
 * Finds the region of a bare key, or the first one. The keys of regions stay what they are: those
 * of salted rows.
 */
final class BareRegionLocator implements RegionLocator {
  private final RegionLocator salted;
  private final SaltedTable table;

  BareRegionLocator(RegionLocator salted, SaltedTable table) {
    this.salted = salted;
    this.table = table;
  }

  @Override
  public HRegionLocation getRegionLocation(byte[] row, int replicaId, boolean reload)
      throws IOException {
    return salted.getRegionLocation(rowOf(row), replicaId, reload);
  }

  @Override
  public List<HRegionLocation> getRegionLocations(byte[] row, boolean reload) throws IOException {
    return salted.getRegionLocations(rowOf(row), reload);
  }

  /** The row that HBase is asked for; without a row it answers with the first region. */
  private byte[] rowOf(byte[] row) throws DoNotRetryIOException {
    return row == null || row.length == 0 ? row : table.rowToLocate(row);
  }

  @Override
  public void clearRegionLocationCache() {
    salted.clearRegionLocationCache();
  }

  @Override
  public List<HRegionLocation> getAllRegionLocations() throws IOException {
    return salted.getAllRegionLocations();
  }

  /** A page of all regions. HBase has this method from 2.6.6 on. */
  @SuppressWarnings("MissingOverride") // compiles against releases that lack it
  public List<HRegionLocation> getRegionLocationsPage(byte[] startKey, int limit)
      throws IOException {
    return BareRangeMap.ofRegions(getAllRegionLocations()).page(startKey, limit);
  }

  @Override
  public TableName getName() {
    return salted.getName();
  }

  @Override
  public void close() throws IOException {
    salted.close();
  }
}
