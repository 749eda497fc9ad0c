package io.rowguard.client;

import io.rowguard.layout.KeyRange;
import io.rowguard.layout.SaltBucket;
import io.rowguard.layout.SaltBuckets;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.SortedSet;
import java.util.TreeMap;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.RegionReplicaUtil;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The regions of a salted table as ranges of bare keys: together they have every key, each once,
 * and there are about as many as regions. So whoever cuts work by regions, one part per region,
 * reads each row once. Thread-safe.
 *
 * <p>No region has all rows of such a range, since each is in all buckets. Its location is one that
 * has some: the range's beginning in one of the buckets, another bucket for the next range, so that
 * the ranges spread over the servers. That of a bare key is where its salted row is.
 *
 * <p>{@link BareRanges} makes the ranges at each call for all of them, as HBase's own locator reads
 * hbase:meta then. A single key is in one of those that were made last.
 */
final class BareRangeLocator implements RegionLocator {
  private final RegionLocator salted;
  private final SaltedTable table;
  // By where they begin; null until they are asked for. No lock: reading them takes RPCs, and two
  // threads that do so at once make ranges that are right both.
  private volatile NavigableMap<byte[], HRegionLocation> ranges;

  /**
   * @param salted is closed with this, as is {@code table}
   */
  BareRangeLocator(RegionLocator salted, SaltedTable table) {
    this.salted = salted;
    this.table = table;
  }

  @Override
  public List<HRegionLocation> getAllRegionLocations() throws IOException {
    ranges = null;
    return new ArrayList<>(ranges().values());
  }

  /** A page of all ranges, as they were made last. HBase has this method from 2.6.4 on. */
  @SuppressWarnings("MissingOverride") // compiles against releases that lack it
  public List<HRegionLocation> getRegionLocationsPage(byte[] startKey, int limit)
      throws IOException {
    byte[] from = startKey == null ? new byte[0] : startKey;
    List<HRegionLocation> rest = new ArrayList<>(ranges().tailMap(from, true).values());
    return limit > 0 && limit < rest.size() ? new ArrayList<>(rest.subList(0, limit)) : rest;
  }

  /** Of a bare key, or of anything else that may be the bound of a range of them. */
  @Override
  public HRegionLocation getRegionLocation(byte[] row, int replicaId, boolean reload)
      throws IOException {
    List<HRegionLocation> replicas = getRegionLocations(row, reload);
    for (HRegionLocation replica : replicas) {
      if (replica != null && replica.getRegion().getReplicaId() == replicaId) {
        return replica;
      }
    }
    return null;
  }

  @Override
  public List<HRegionLocation> getRegionLocations(byte[] row, boolean reload) throws IOException {
    BareRegionInfo range =
        (BareRegionInfo)
            ranges().floorEntry(row == null ? new byte[0] : row).getValue().getRegion();
    byte[] saltedRow = saltedRow(row);
    List<HRegionLocation> replicas = new ArrayList<>();
    for (HRegionLocation location :
        salted.getRegionLocations(saltedRow == null ? range.saltedStartKey() : saltedRow, reload)) {
      replicas.add(
          location == null ? null : bare(location, range.getStartKey(), range.getEndKey()));
    }
    return replicas;
  }

  /** Null for what is no bare key. */
  private byte[] saltedRow(byte[] row) {
    try {
      return row == null ? null : table.saltedRow(row);
    } catch (DoNotRetryIOException e) {
      return null;
    }
  }

  private NavigableMap<byte[], HRegionLocation> ranges() throws IOException {
    NavigableMap<byte[], HRegionLocation> known = ranges;
    if (known == null) {
      NavigableMap<byte[], HRegionLocation> regions = new TreeMap<>(Bytes.BYTES_COMPARATOR);
      for (HRegionLocation location : salted.getAllRegionLocations()) {
        if (location != null && RegionReplicaUtil.isDefaultReplica(location.getRegion())) {
          regions.put(location.getRegion().getStartKey(), location);
        }
      }
      known = rangesOf(regions);
      ranges = known;
    }
    return known;
  }

  /**
   * @param regions of salted rows by where they begin, one at least
   */
  private NavigableMap<byte[], HRegionLocation> rangesOf(
      NavigableMap<byte[], HRegionLocation> regions) throws IOException {
    List<byte[]> starts = new ArrayList<>();
    starts.add(new byte[0]);
    starts.addAll(laterStarts(new ArrayList<>(regions.keySet())));
    SaltBuckets buckets = SaltBuckets.of(table.layout());
    NavigableMap<byte[], HRegionLocation> made = new TreeMap<>(Bytes.BYTES_COMPARATOR);
    for (int i = 0; i < starts.size(); i++) {
      byte[] start = starts.get(i);
      byte[] end = i + 1 < starts.size() ? starts.get(i + 1) : new byte[0];
      byte[] row = rowIn(buckets, i, KeyRange.of(start, true, end, false));
      Map.Entry<byte[], HRegionLocation> region = regions.floorEntry(row);
      made.put(
          start, bare((region == null ? regions.firstEntry() : region).getValue(), start, end));
    }
    return made;
  }

  private SortedSet<byte[]> laterStarts(List<byte[]> regionStarts) throws IOException {
    SortedSet<byte[]> starts = null;
    try {
      starts = BareRanges.starts(table, new Scan(), regionStarts);
    } catch (DoNotRetryIOException e) {
      // There are more buckets than a scan may be of, so no key can be looked for: then the ranges
      // begin where regions do, and that is enough for whoever reads single keys.
    }
    return starts == null ? BareRanges.ofRegions(table.layout(), regionStarts) : starts;
  }

  /** Where a range begins in one of its buckets, another one for another index. */
  private byte[] rowIn(SaltBuckets buckets, int index, KeyRange range) {
    if (buckets.count(range) > table.maxBuckets()) {
      return new byte[0];
    }
    List<SaltBucket> possible = buckets.of(range);
    return possible.isEmpty()
        ? new byte[0]
        : possible.get(index % possible.size()).salted(range).lower();
  }

  private static HRegionLocation bare(HRegionLocation location, byte[] startKey, byte[] endKey) {
    return new HRegionLocation(
        new BareRegionInfo(location.getRegion(), startKey, endKey),
        location.getServerName(),
        location.getSeqNum());
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
    table.close();
    salted.close();
  }
}
