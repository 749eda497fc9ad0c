package io.rowguard.tools.heatmap;

import java.util.Map;
import java.util.TreeMap;

/** What happened between two moments, by the ranges of the regions that counted it. Mutable. */
final class Column {
  private final long fromMillis;
  private long toMillis;
  private final Map<KeyRange, Long> reads = new TreeMap<>();
  private final Map<KeyRange, Long> writes = new TreeMap<>();
  private Map<KeyRange, Long> bytes = new TreeMap<>();

  Column(long fromMillis, long toMillis) {
    this.fromMillis = fromMillis;
    this.toMillis = toMillis;
  }

  void add(KeyRange range, long moreReads, long moreWrites) {
    reads.merge(range, moreReads, Long::sum);
    writes.merge(range, moreWrites, Long::sum);
  }

  /** How large a region is at the end. */
  void setBytes(KeyRange range, long size) {
    bytes.put(range, size);
  }

  /** Makes this column and the one that follows it one. */
  void append(Column next) {
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

  Map<KeyRange, Long> reads() {
    return reads;
  }

  Map<KeyRange, Long> writes() {
    return writes;
  }

  Map<KeyRange, Long> bytes() {
    return bytes;
  }
}
