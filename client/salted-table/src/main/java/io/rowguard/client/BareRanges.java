package io.rowguard.client;

import io.rowguard.layout.Literal;
import io.rowguard.layout.Part;
import io.rowguard.layout.PrefixSegment;
import io.rowguard.layout.RowkeyLayout;
import io.rowguard.layout.Segment;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Divides a range of bare keys into several, for those who read a table in parts though no region
 * holds all rows of a range.
 *
 * <p>The ranges begin where regions begin within a bucket, which is where the table's own rows have
 * divided it. Where those are too few, as in a table with one region per bucket, the range between
 * its first key and its last is divided evenly by its bytes; so ranges can differ much in size.
 * There are as many as regions at most.
 */
public final class BareRanges {
  private BareRanges() {}

  /**
   * The part of the scan's range in each range, in their order; none where the scan finds no row.
   * Reads the scan's first key and its last.
   *
   * @param scan of bare keys
   * @param regionStarts where the table's regions begin, salted rows
   * @throws IllegalArgumentException for a reversed scan, and for one with a limit, which would be
   *     each part's
   */
  public static List<Scan> of(SaltedTable table, Scan scan, List<byte[]> regionStarts)
      throws IOException {
    if (scan.isReversed() || ScanPlan.limitOf(scan) >= 0) {
      throw new IllegalArgumentException(
          "A scan that is read in parts can neither be reversed nor have a limit. scan=" + scan);
    }
    SortedSet<byte[]> starts = starts(table.rangeKeys(), scan, regionStarts);
    return starts == null ? new ArrayList<>() : between(scan, starts);
  }

  /** Where all ranges but the first begin; null where the scan finds no row. */
  static SortedSet<byte[]> starts(RangeKeys keys, Scan scan, List<byte[]> regionStarts)
      throws IOException {
    byte[] first = keyAt(keys, scan, false);
    if (first == null) {
      return null;
    }
    byte[] last = keyAt(keys, scan, true);
    SortedSet<byte[]> starts = ofRegions(keys.layout(), regionStarts);
    // The first range begins with the scan.
    starts.removeIf(
        start -> Bytes.compareTo(start, first) <= 0 || Bytes.compareTo(start, last) > 0);
    int wanted = regionStarts.size();
    if (wanted > 1 && starts.size() < wanted / 2 && isBelow(first, last)) {
      byte[][] even = Bytes.split(first, last, wanted - 1);
      for (int i = 1; even != null && i < even.length - 1 && starts.size() < wanted - 1; i++) {
        starts.add(even[i]);
      }
    }
    return starts;
  }

  /** Whether a key is smaller than another also as a number, as {@link Bytes#split} has it. */
  static boolean isBelow(byte[] key, byte[] other) {
    int length = Math.max(key.length, other.length);
    return Bytes.compareTo(Arrays.copyOf(key, length), Arrays.copyOf(other, length)) < 0;
  }

  /** The bare keys where regions begin within a bucket. */
  static SortedSet<byte[]> ofRegions(RowkeyLayout layout, List<byte[]> regionStarts) {
    TreeSet<byte[]> starts = new TreeSet<>(Bytes.BYTES_COMPARATOR);
    for (byte[] regionStart : regionStarts) {
      starts.add(bareBeginning(layout, regionStart));
    }
    starts.remove(new byte[0]);
    return starts;
  }

  private static List<Scan> between(Scan scan, SortedSet<byte[]> starts) throws IOException {
    List<Scan> ranges = new ArrayList<>();
    Scan rest = new Scan(scan);
    for (byte[] start : starts) {
      ranges.add(new Scan(rest).withStopRow(start, false));
      rest.withStartRow(start, true);
    }
    ranges.add(rest);
    return ranges;
  }

  /** The first key of a scan, or its last; null when it has none. */
  private static byte[] keyAt(RangeKeys keys, Scan scan, boolean last) throws IOException {
    Scan one = new Scan().setOneRowLimit().setFilter(new FirstKeyOnlyFilter()).setReversed(last);
    byte[] start = last ? scan.getStopRow() : scan.getStartRow();
    byte[] stop = last ? scan.getStartRow() : scan.getStopRow();
    boolean withStart = last ? scan.includeStopRow() : scan.includeStartRow();
    boolean withStop = last ? scan.includeStartRow() : scan.includeStopRow();
    one.withStartRow(start, start.length == 0 || withStart);
    one.withStopRow(stop, stop.length > 0 && withStop);
    return keys.firstRow(one);
  }

  /**
   * The bytes of a bare key at the beginning of a salted row, as far as that can be told; empty for
   * nothing.
   */
  static byte[] bareBeginning(RowkeyLayout layout, byte[] beginning) {
    List<PrefixSegment> segments = layout.readPrefix(beginning);
    ByteArrayOutputStream bare = new ByteArrayOutputStream();
    int next = 0;
    boolean derived = false;
    List<Part> parts = segments == null ? new ArrayList<Part>() : layout.parts();
    for (int i = 0; i < parts.size(); i++) {
      Part part = parts.get(i);
      if (isBeforeOptional(parts, i)) {
        // Which of two literals stands here is told by what follows.
        if (next == segments.size()) {
          break;
        }
        if (!segments.get(next).segment().equals(parts.get(i + 1))) {
          i++;
          continue;
        }
      }
      if (part instanceof Segment) {
        if (next == segments.size()) {
          break;
        }
        PrefixSegment segment = segments.get(next++);
        derived = segment.segment().isDerived();
        byte[] bytes = segment.bytes();
        bare.write(bytes, 0, derived ? 0 : bytes.length);
        if (!segment.isComplete()) {
          break;
        }
      } else if (!derived) {
        // The literal right after what is derived is no part of bare keys.
        byte[] bytes = ((Literal) part).bytes();
        bare.write(bytes, 0, bytes.length);
      }
    }
    return next == 0 ? new byte[0] : bare.toByteArray();
  }

  /** Whether a part is a literal that rows may lack, with a segment behind it that is not last. */
  private static boolean isBeforeOptional(List<Part> parts, int index) {
    return index + 2 < parts.size()
        && parts.get(index) instanceof Literal
        && parts.get(index + 1) instanceof Segment
        && ((Segment) parts.get(index + 1)).isOptional();
  }
}
