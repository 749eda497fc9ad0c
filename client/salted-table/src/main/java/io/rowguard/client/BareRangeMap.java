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
import org.apache.hadoop.hbase.client.RegionReplicaUtil;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The regions of a salted table as ranges of bare keys: together they have every key, each once,
 * and there are about as many as regions. Immutable and thread-safe.
 *
 * <p>No region has all rows of such a range, since each is in all buckets. Its location is one that
 * has some: the range's beginning in one of the buckets, another bucket for the next range, so that
 * the ranges spread over the servers.
 */
final class BareRangeMap {
  // By where they begin.
  private final NavigableMap<byte[], HRegionLocation> ranges;

  private BareRangeMap(NavigableMap<byte[], HRegionLocation> ranges) {
    this.ranges = ranges;
  }

  /**
   * Makes the ranges. Reads the table's first key and its last.
   *
   * @param locations of all regions of salted rows, replicas or not
   */
  static BareRangeMap of(List<HRegionLocation> locations, RangeKeys keys) throws IOException {
    NavigableMap<byte[], HRegionLocation> regions = ofRegions(locations).ranges;
    List<byte[]> starts = new ArrayList<>();
    starts.add(new byte[0]);
    starts.addAll(laterStarts(new ArrayList<>(regions.keySet()), keys));
    SaltBuckets buckets = SaltBuckets.of(keys.layout());
    NavigableMap<byte[], HRegionLocation> made = new TreeMap<>(Bytes.BYTES_COMPARATOR);
    for (int i = 0; i < starts.size(); i++) {
      byte[] start = starts.get(i);
      byte[] end = i + 1 < starts.size() ? starts.get(i + 1) : new byte[0];
      byte[] row = rowIn(buckets, i, KeyRange.of(start, true, end, false), keys.maxBuckets());
      Map.Entry<byte[], HRegionLocation> region = regions.floorEntry(row);
      made.put(
          start, bare((region == null ? regions.firstEntry() : region).getValue(), start, end));
    }
    return new BareRangeMap(made);
  }

  /**
   * The regions themselves, which are ranges of bare keys where nothing is derived.
   *
   * @param locations of all regions, replicas or not
   */
  static BareRangeMap ofRegions(List<HRegionLocation> locations) {
    NavigableMap<byte[], HRegionLocation> regions = new TreeMap<>(Bytes.BYTES_COMPARATOR);
    for (HRegionLocation location : locations) {
      if (location != null && RegionReplicaUtil.isDefaultReplica(location.getRegion())) {
        regions.put(location.getRegion().getStartKey(), location);
      }
    }
    return new BareRangeMap(regions);
  }

  private static SortedSet<byte[]> laterStarts(List<byte[]> regionStarts, RangeKeys keys)
      throws IOException {
    SortedSet<byte[]> starts = null;
    try {
      starts = BareRanges.starts(keys, new Scan(), regionStarts);
    } catch (DoNotRetryIOException e) {
      // There are more buckets than a scan may be of, so no key can be looked for: then the ranges
      // begin where regions do, and that is enough for whoever reads single keys.
    }
    return starts == null ? BareRanges.ofRegions(keys.layout(), regionStarts) : starts;
  }

  /** Where a range begins in one of its buckets, another one for another index. */
  private static byte[] rowIn(SaltBuckets buckets, int index, KeyRange range, int maxBuckets) {
    if (buckets.count(range) > maxBuckets) {
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

  /** All ranges in their order, one at least. */
  List<HRegionLocation> all() {
    return new ArrayList<>(ranges.values());
  }

  /**
   * A page of {@link #all}.
   *
   * @param startKey inclusive; null for the first range
   * @param limit the most ranges; 0 or less for all
   */
  List<HRegionLocation> page(byte[] startKey, int limit) {
    byte[] from = startKey == null ? new byte[0] : startKey;
    List<HRegionLocation> rest = new ArrayList<>(ranges.tailMap(from, true).values());
    return limit > 0 && limit < rest.size() ? new ArrayList<>(rest.subList(0, limit)) : rest;
  }

  /** Of one key: the range that has it, and where its own row is. */
  static final class Range {
    private final BareRegionInfo range;
    private final byte[] saltedRow;

    private Range(BareRegionInfo range, byte[] saltedRow) {
      this.range = range;
      this.saltedRow = saltedRow;
    }

    /** A row of the region to ask for. */
    byte[] saltedRow() {
      return saltedRow == null ? range.saltedStartKey() : saltedRow;
    }

    /** The region's replicas, as ones of the range. */
    List<HRegionLocation> bare(Iterable<HRegionLocation> replicas) {
      List<HRegionLocation> shown = new ArrayList<>();
      for (HRegionLocation location : replicas) {
        shown.add(
            location == null
                ? null
                : BareRangeMap.bare(location, range.getStartKey(), range.getEndKey()));
      }
      return shown;
    }
  }

  /**
   * The range of a key.
   *
   * @param row a bare key, or anything else that may be the bound of a range of them; null for the
   *     first one
   */
  Range of(byte[] row, TableLayouts layouts) {
    BareRegionInfo range =
        (BareRegionInfo) ranges.floorEntry(row == null ? new byte[0] : row).getValue().getRegion();
    return new Range(range, saltedRow(row, layouts));
  }

  /** Null for what is no bare key. */
  private static byte[] saltedRow(byte[] row, TableLayouts layouts) {
    try {
      return row == null ? null : layouts.primaryRow(row);
    } catch (DoNotRetryIOException e) {
      return null;
    }
  }

  /** The replica of a number; null for none. */
  static HRegionLocation replica(List<HRegionLocation> replicas, int replicaId) {
    for (HRegionLocation replica : replicas) {
      if (replica != null && replica.getRegion().getReplicaId() == replicaId) {
        return replica;
      }
    }
    return null;
  }
}
