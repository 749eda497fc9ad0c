package io.rowguard.client;

import io.rowguard.layout.KeyRange;
import io.rowguard.layout.RowText;
import java.io.IOException;
import java.util.List;
import java.util.function.Function;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Table;

/** The region that has to have all rows which are written as one, or read as of one moment. */
final class OneRegion {
  /** Rows lie in two regions. */
  static final class RowsApartException extends DoNotRetryIOException {
    private static final long serialVersionUID = 1;

    private RowsApartException(String message) {
      super(message);
    }
  }

  private OneRegion() {}

  /**
   * Returns if one region has all rows, as far as the client knows. Asks hbase:meta for a region
   * that it does not know, and once more before a refusal.
   *
   * @param rows stored rows, one or more
   * @param what the first sentence of a refusal, and key=value pairs
   * @param wayOut its last sentence
   * @throws RowsApartException when two rows lie in two regions
   * @throws IOException when the region cannot be found
   */
  static void require(Table table, List<byte[]> rows, String what, String wayOut)
      throws IOException {
    require(table, rows.get(0), region -> outside(region, rows), what, wayOut);
  }

  /**
   * The same for all rows of a range.
   *
   * @param range of stored rows, not empty
   */
  static void require(Table table, KeyRange range, String what, String wayOut) throws IOException {
    require(table, range.lower(), region -> outside(region, range), what, wayOut);
  }

  /**
   * @param outside finds a row that a region does not have; null for none
   */
  private static void require(
      Table table, byte[] first, Function<RegionInfo, byte[]> outside, String what, String wayOut)
      throws IOException {
    try (RegionLocator locator = table.getRegionLocator()) {
      if (outside.apply(locator.getRegionLocation(first).getRegion()) == null) {
        return;
      }
      RegionInfo region = locator.getRegionLocation(first, true).getRegion();
      byte[] stranger = outside.apply(region);
      if (stranger != null) {
        throw new RowsApartException(
            what
                + " table="
                + table.getName()
                + " row=\""
                + RowText.abbreviated(first)
                + "\" rowElsewhere=\""
                + RowText.abbreviated(stranger)
                + "\" region="
                + region.getEncodedName()
                + ". "
                + wayOut);
      }
    }
  }

  /** The first row behind a region that has the beginning of a range; null where it has all. */
  private static byte[] outside(RegionInfo region, KeyRange range) {
    byte[] next = region.getEndKey();
    return next.length > 0 && range.contains(next) ? next : null;
  }

  /** A row that a region does not have; null for none. */
  private static byte[] outside(RegionInfo region, List<byte[]> rows) {
    for (byte[] row : rows) {
      if (!region.containsRow(row)) {
        return row;
      }
    }
    return null;
  }
}
