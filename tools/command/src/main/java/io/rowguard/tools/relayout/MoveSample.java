package io.rowguard.tools.relayout;

import io.rowguard.layout.LayoutChange;
import io.rowguard.layout.LayoutChange.Place;
import io.rowguard.tools.cluster.RegionSizes;
import io.rowguard.tools.cluster.TableRegions;
import io.rowguard.tools.relayout.MoveEstimate.SeenRows;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Looks at the first rows of some regions, keys and lengths only, and estimates what will move. How
 * many rows a region has follows from its size and that of the rows seen; where a region has no
 * more rows than are looked at, it is counted.
 */
final class MoveSample {
  /** Of a cell, beside its row, family, qualifier, value and tags: lengths, timestamp, type. */
  private static final int CELL_OVERHEAD = 20;

  /** In milliseconds: what is ahead by no more than that need not be a client's own timestamp. */
  private static final long CLOCK_SKEW = 60_000;

  private static final double TWO_SIDED_95 = 1.96;

  private final Connection connection;
  private final TableName table;
  private final LayoutChange change;
  private final boolean isSalted;
  private final List<byte[]> newRows = new ArrayList<>();
  private RegionSizes sizes;
  private SeenRows strays = SeenRows.none();
  private SeenRows tooLong = SeenRows.none();
  private SeenRows misfits = SeenRows.none();
  private SeenRows ofTheFuture = SeenRows.none();
  private final long now = System.currentTimeMillis();

  private MoveSample(
      Connection connection, TableName table, LayoutChange change, boolean isSalted) {
    this.connection = connection;
    this.table = table;
    this.change = change;
    this.isSalted = isSalted;
  }

  /** What was seen of one region. */
  private static final class Part {
    private long seen;
    private long moving;
    private long bytes;
    private long movingBytes;
    private boolean isCounted;
    private double scale = 1;
  }

  /**
   * Takes a sample.
   *
   * @param isSalted whether the table is in salt mode
   * @param mostRegions into how many regions to look, evenly spread; 1 or more
   * @param mostRows how many rows to look at in each; 1 or more
   */
  static MoveEstimate of(
      Connection connection,
      TableName table,
      LayoutChange change,
      boolean isSalted,
      int mostRegions,
      int mostRows)
      throws IOException {
    MoveSample sample = new MoveSample(connection, table, change, isSalted);
    List<HRegionLocation> regions = TableRegions.of(connection, table);
    sample.sizes = RegionSizes.of(connection, table);
    int chosen = Math.min(mostRegions, regions.size());
    List<Part> parts = new ArrayList<>();
    for (int i = 0; i < chosen; i++) {
      parts.add(sample.part(regions.get((int) ((long) i * regions.size() / chosen)), mostRows));
    }
    return sample.estimate(regions.size(), parts);
  }

  private Part part(HRegionLocation region, int mostRows) throws IOException {
    byte[] end = region.getRegion().getEndKey();
    Scan scan =
        new Scan()
            .withStartRow(region.getRegion().getStartKey())
            .setCaching(Math.min(mostRows, 1000))
            .setCacheBlocks(false)
            .readAllVersions()
            .setFilter(new KeyOnlyFilter(/* lenAsVal= */ true));
    if (!isSalted && end.length > 0) {
      scan.withStopRow(end);
    }
    Part part = new Part();
    try (Table source = connection.getTable(table);
        ResultScanner scanner = source.getScanner(scan)) {
      Result result = scanner.next();
      while (result != null && part.seen < mostRows && isBelow(result.getRow(), end)) {
        add(part, result);
        result = scanner.next();
      }
      part.isCounted = result == null || !isBelow(result.getRow(), end);
    }
    long all = sizes.cellBytes(region.getRegion());
    if (!part.isCounted && part.bytes > 0) {
      part.scale = Math.max(1, (double) all / part.bytes);
    }
    return part;
  }

  private static boolean isBelow(byte[] row, byte[] end) {
    return end.length == 0 || Arrays.compareUnsigned(row, end) < 0;
  }

  private void add(Part part, Result result) {
    byte[] row = result.getRow();
    long bytes = 0;
    long newest = 0;
    for (Cell cell : result.rawCells()) {
      newest = Math.max(newest, cell.getTimestamp());
      bytes +=
          CELL_OVERHEAD
              + cell.getRowLength()
              + cell.getFamilyLength()
              + cell.getQualifierLength()
              + Bytes.toInt(cell.getValueArray(), cell.getValueOffset(), cell.getValueLength());
    }
    ofTheFuture = newest > now + CLOCK_SKEW ? ofTheFuture.and(row) : ofTheFuture;
    part.seen++;
    part.bytes += bytes;
    Place place = change.place(row);
    switch (place) {
      case OLD:
        part.moving++;
        part.movingBytes += bytes;
        newRows.add(change.toNew(row));
        break;
      case SAME:
        newRows.add(row);
        break;
      case NEW:
        strays = strays.and(row);
        break;
      default:
        if (change.isTooLongToMove(row, 0, row.length)) {
          tooLong = tooLong.and(row);
        } else {
          misfits = misfits.and(row);
        }
        break;
    }
  }

  private MoveEstimate estimate(int regions, List<Part> parts) {
    double toAll = parts.isEmpty() ? 1 : (double) regions / parts.size();
    double rows = 0;
    double moving = 0;
    double bytes = 0;
    double movingBytes = 0;
    double within = 0;
    int filled = 0;
    long seen = 0;
    for (Part part : parts) {
      rows += part.scale * part.seen;
      moving += part.scale * part.moving;
      bytes += part.scale * part.bytes;
      movingBytes += part.scale * part.movingBytes;
      within += varianceWithin(part);
      filled += part.seen > 0 ? 1 : 0;
      seen += part.seen;
    }
    double error =
        TWO_SIDED_95 * Math.sqrt(toAll * within + varianceBetween(parts, moving, regions));
    newRows.sort(Arrays::compareUnsigned);
    return new MoveEstimate(
        regions,
        parts.size(),
        seen,
        Math.round(toAll * rows),
        Math.round(toAll * moving),
        Math.round(error),
        Math.round(toAll * bytes),
        Math.round(toAll * movingBytes),
        filled,
        strays,
        tooLong,
        misfits,
        ofTheFuture,
        List.copyOf(newRows));
  }

  /** Of the moving rows of a region of which only a share was looked at: that of a proportion. */
  private static double varianceWithin(Part part) {
    if (part.isCounted || part.seen == 0) {
      return 0;
    }
    double share = (double) part.moving / part.seen;
    double all = part.scale * part.seen;
    return all * all * share * (1 - share) / part.seen;
  }

  /** Of the sum over all regions, when some of them were drawn: Cochran, Sampling Techniques, 2. */
  private static double varianceBetween(List<Part> parts, double moving, int regions) {
    int drawn = parts.size();
    if (drawn < 2 || drawn == regions) {
      return 0;
    }
    double mean = moving / drawn;
    double squares = 0;
    for (Part part : parts) {
      double difference = part.scale * part.moving - mean;
      squares += difference * difference;
    }
    double variance = squares / (drawn - 1);
    return (double) regions * regions * (1 - (double) drawn / regions) * variance / drawn;
  }
}
