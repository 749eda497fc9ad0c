package io.rowguard.client;

import io.rowguard.layout.RowText;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Table;

/** The region that has to have all rows which are written as one. */
final class OneRegion {
  private OneRegion() {}

  /**
   * Returns if one region has all rows, as far as the client knows. Asks hbase:meta for a region
   * that it does not know, and once more before a refusal.
   *
   * @param rows stored rows, one or more
   * @param what the first sentence of a refusal, and key=value pairs
   * @param wayOut its last sentence
   * @throws DoNotRetryIOException when two rows lie in two regions
   */
  static void require(Table table, List<byte[]> rows, String what, String wayOut)
      throws IOException {
    try (RegionLocator locator = table.getRegionLocator()) {
      byte[] first = rows.get(0);
      if (outside(locator.getRegionLocation(first).getRegion(), rows) == null) {
        return;
      }
      RegionInfo region = locator.getRegionLocation(first, true).getRegion();
      byte[] stranger = outside(region, rows);
      if (stranger != null) {
        throw new DoNotRetryIOException(
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
