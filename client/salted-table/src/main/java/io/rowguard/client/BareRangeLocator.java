package io.rowguard.client;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionLocator;

/**
 * The regions of a salted table as the ranges of {@link BareRangeMap}. So whoever cuts work by
 * regions, one part per region, reads each row once. Where nothing is derived they are the regions.
 * Thread-safe.
 *
 * <p>The ranges are made at each call for all of them, as HBase's own locator reads hbase:meta
 * then. A single key is in one of those that were made last; its location is where its salted row
 * is.
 */
final class BareRangeLocator implements RegionLocator {
  private final RegionLocator salted;
  private final SaltedTable table;
  // Null until they are asked for. No lock: reading them takes RPCs, and two threads that do so at
  // once make ranges that are right both.
  private volatile BareRangeMap ranges;

  /**
   * @param salted is closed with this
   * @param table stays open
   */
  BareRangeLocator(RegionLocator salted, SaltedTable table) {
    this.salted = salted;
    this.table = table;
  }

  @Override
  public List<HRegionLocation> getAllRegionLocations() throws IOException {
    if (isPlain()) {
      return salted.getAllRegionLocations();
    }
    ranges = null;
    return ranges().all();
  }

  /** A page of all ranges, as they were made last. HBase has this method from 2.6.6 on. */
  @SuppressWarnings("MissingOverride") // compiles against releases that lack it
  public List<HRegionLocation> getRegionLocationsPage(byte[] startKey, int limit)
      throws IOException {
    return (isPlain() ? BareRangeMap.ofRegions(salted.getAllRegionLocations()) : ranges())
        .page(startKey, limit);
  }

  /** Of a bare key, or of anything else that may be the bound of a range of them. */
  @Override
  public HRegionLocation getRegionLocation(byte[] row, int replicaId, boolean reload)
      throws IOException {
    return isPlain()
        ? salted.getRegionLocation(row, replicaId, reload)
        : BareRangeMap.replica(getRegionLocations(row, reload), replicaId);
  }

  @Override
  public List<HRegionLocation> getRegionLocations(byte[] row, boolean reload) throws IOException {
    if (isPlain()) {
      return salted.getRegionLocations(row, reload);
    }
    BareRangeMap.Range range = ranges().of(row, table.layouts());
    // Null goes through: HBase 2 answers with the first region, HBase 3 refuses it.
    byte[] saltedRow = row == null ? null : range.saltedRow();
    return range.bare(salted.getRegionLocations(saltedRow, reload));
  }

  /** Whether each key is its own row, so that regions are ranges of bare keys. */
  private boolean isPlain() {
    return !table.layouts().isDeriving();
  }

  private BareRangeMap ranges() throws IOException {
    BareRangeMap known = ranges;
    if (known == null) {
      known = BareRangeMap.of(salted.getAllRegionLocations(), table.rangeKeys());
      ranges = known;
    }
    return known;
  }

  @Override
  public void clearRegionLocationCache() {
    salted.clearRegionLocationCache();
    ranges = null;
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
