package io.rowguard.tools.relayout;

import io.rowguard.layout.LayoutChange;
import io.rowguard.layout.LayoutChange.Place;
import io.rowguard.tools.cluster.RegionSizes;
import io.rowguard.tools.cluster.RoundedBytes;
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
 * many rows a region has follows from its size and that of the rows seen; where a region is small,
 * or has no more rows than are looked at, they are counted.
 */
final class MoveSample {
  private static final int MOST_CACHING = 1000;

  /**
   * The bytes of a cell beside its row, family, qualifier, value and tags: lengths, timestamp,
   * type.
   */
  private static final int CELL_OVERHEAD = 20;

  /** In milliseconds: what is ahead by no more than that need not be a client's own timestamp. */
  private static final long CLOCK_SKEW = 60_000;

  /** A region whose cells take no more is read to its end: its size in mebibytes says little. */
  private static final long SMALL = 8L << 20;

  /** How many rows of small regions are read beside those of the sample, of all together. */
  private static final long MOST_OF_SMALL = 500_000;

  private final Connection connection;
  private final TableName table;
  private final LayoutChange change;
  private final boolean isSalted;
  private final List<byte[]> newRows = new ArrayList<>();
  private RegionSizes sizes;
  private long leftOfSmall = MOST_OF_SMALL;
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
    List<SeenRegion> seen = new ArrayList<>();
    for (int i = 0; i < chosen; i++) {
      seen.add(sample.look(regions.get((int) ((long) i * regions.size() / chosen)), mostRows));
    }
    return sample.estimate(regions.size(), seen);
  }

  private SeenRegion look(HRegionLocation region, int mostRows) throws IOException {
    byte[] end = region.getRegion().getEndKey();
    RoundedBytes size = sizes.cellBytes(region.getRegion());
    boolean isSmall = size.most() <= SMALL;
    Scan scan =
        new Scan()
            .withStartRow(region.getRegion().getStartKey())
            .setCaching(isSmall ? MOST_CACHING : Math.min(mostRows, MOST_CACHING))
            .setCacheBlocks(false)
            .readAllVersions()
            .setFilter(new KeyOnlyFilter(/* lenAsVal= */ true));
    if (!isSalted && end.length > 0) {
      scan.withStopRow(end);
    }
    SeenRegion seen = new SeenRegion(size);
    try (Table source = connection.getTable(table);
        ResultScanner scanner = source.getScanner(scan)) {
      Result result = scanner.next();
      while (result != null && isBelow(result.getRow(), end)) {
        boolean isOfTheSample = seen.rows() < mostRows;
        if (!isOfTheSample && (!isSmall || leftOfSmall-- <= 0)) {
          return seen;
        }
        add(seen, result, isOfTheSample);
        result = scanner.next();
      }
    }
    seen.setCounted();
    return seen;
  }

  private static boolean isBelow(byte[] row, byte[] end) {
    return end.length == 0 || Arrays.compareUnsigned(row, end) < 0;
  }

  private void add(SeenRegion seen, Result result, boolean isOfTheSample) {
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
    Place place = change.place(row);
    seen.add(result.size(), bytes, place == Place.OLD);
    switch (place) {
      case OLD:
      case SAME:
        if (isOfTheSample) {
          newRows.add(place == Place.OLD ? change.toNew(row) : row);
        }
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

  private MoveEstimate estimate(int regions, List<SeenRegion> seen) {
    MoveFigures figures = MoveFigures.of(regions, seen);
    newRows.sort(Arrays::compareUnsigned);
    return new MoveEstimate(
        regions,
        seen.size(),
        seen.stream().mapToLong(SeenRegion::rows).sum(),
        figures.rows(),
        figures.moving(),
        figures.movingError(),
        figures.bytes(),
        figures.movingBytes(),
        (int) seen.stream().filter(region -> region.rows() > 0).count(),
        strays,
        tooLong,
        misfits,
        ofTheFuture,
        List.copyOf(newRows));
  }
}
