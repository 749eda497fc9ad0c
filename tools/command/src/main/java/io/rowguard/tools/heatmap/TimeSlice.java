package io.rowguard.tools.heatmap;

import java.util.Map;
import java.util.TreeMap;

/** The requests between two moments, by the ranges of the regions that counted it. Mutable. */
final class TimeSlice {
  private final long fromMillis;
  private long toMillis;
  private final Map<RegionRange, Long> reads = new TreeMap<>();
  private final Map<RegionRange, Long> writes = new TreeMap<>();
  private Map<RegionRange, Long> bytes = new TreeMap<>();

  TimeSlice(long fromMillis, long toMillis) {
    this.fromMillis = fromMillis;
    this.toMillis = toMillis;
  }

  void add(RegionRange range, long moreReads, long moreWrites) {
    reads.merge(range, moreReads, Long::sum);
    writes.merge(range, moreWrites, Long::sum);
  }

  /** How large a region is at the end. */
  void setBytes(RegionRange range, long size) {
    bytes.put(range, size);
  }

  /** Makes this slice and the one that follows it one. */
  void append(TimeSlice next) {
    toMillis = next.toMillis;
    next.reads.forEach((range, count) -> reads.merge(range, count, Long::sum));
    next.writes.forEach((range, count) -> writes.merge(range, count, Long::sum));
    bytes = next.bytes;
  }

  long fromMillis() {
    return fromMillis;
  }

  long toMillis() {
    return toMillis;
  }

  Map<RegionRange, Long> reads() {
    return reads;
  }

  Map<RegionRange, Long> writes() {
    return writes;
  }

  Map<RegionRange, Long> bytes() {
    return bytes;
  }
}
