package io.rowguard.relayout;

import io.rowguard.layout.KeyRange;
import io.rowguard.layout.LayoutChange;
import io.rowguard.layout.LayoutChange.Place;
import java.io.IOException;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;

/** Looks for stored rows that do not stand at the same place under two layouts. */
public final class MovingRows {
  private static final int CACHING = 1_000;

  private MovingRows() {}

  /**
   * The first row of a range that conforms to one of the two layouts only; null where there is
   * none. Reads the keys of the rows up to it, and nothing else of them; an interrupted thread gets
   * an {@link java.io.InterruptedIOException}.
   */
  public static byte[] first(Table table, LayoutChange change, KeyRange rows) throws IOException {
    Scan scan =
        new Scan()
            .withStartRow(rows.lower(), rows.isLowerInclusive())
            .withStopRow(rows.upper(), rows.isUpperInclusive())
            .setCaching(CACHING)
            .setCacheBlocks(false)
            .setFilter(new FilterList(new FirstKeyOnlyFilter(), new KeyOnlyFilter()));
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
}
