package io.rowguard.relayout;

import io.rowguard.layout.KeyRange;
import io.rowguard.layout.LayoutChange;
import io.rowguard.layout.LayoutChange.Place;
import java.io.IOException;
import java.util.Arrays;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;

/** Looks for stored rows that do not stand at the same place under two layouts. */
public final class MovingRowSearch {
  private static final int CACHING = 1_000;

  /** How many bytes of 0xFF nearly reach the next key. */
  private static final int GAP = 8;

  private MovingRowSearch() {}

  /**
   * The first row of a range, or of the gap right before it, that conforms to one of the two
   * layouts only; null where there is none. Reads the keys of the rows up to it, and nothing else
   * of them; an interrupted thread gets an {@link java.io.InterruptedIOException}.
   */
  public static byte[] first(Table table, LayoutChange change, KeyRange rows) throws IOException {
    byte[] beginning = beginning(rows);
    Scan scan =
        KeyScan.of(CACHING)
            .withStartRow(beginning, beginning.length == 0)
            .withStopRow(rows.upper(), rows.isUpperInclusive());
    try (ResultScanner scanner = table.getScanner(scan)) {
      for (Result row = scanner.next(); row != null; row = scanner.next()) {
        Place place = change.place(row.getRow());
        if (place == Place.OLD || place == Place.NEW) {
          return row.getRow();
        }
      }
    }
    return null;
  }

  /**
   * A key right before the range, or inside the gap before it. In salt mode a region refuses scans
   * that begin where its own layout has no row, as it has none in the buckets to come; it takes one
   * that begins after a key for one that goes on.
   */
  private static byte[] beginning(KeyRange rows) {
    byte[] lower = rows.lower();
    if (lower.length == 0 || !rows.isLowerInclusive()) {
      return lower;
    }
    int last = lower.length - 1;
    if (lower[last] == 0) {
      return Arrays.copyOf(lower, last);
    }
    byte[] before = Arrays.copyOf(lower, lower.length + GAP);
    before[last]--;
    Arrays.fill(before, lower.length, before.length, (byte) 0xff);
    return before;
  }
}
