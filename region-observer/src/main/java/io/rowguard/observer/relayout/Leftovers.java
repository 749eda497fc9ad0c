package io.rowguard.observer.relayout;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.hbase.ArrayBackedTag;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.RawCell;
import org.apache.hadoop.hbase.Tag;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.Filter.ReturnCode;
import org.apache.hadoop.hbase.filter.FilterBase;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.regionserver.Store;
import org.apache.hadoop.hbase.regionserver.StoreFile;
import org.apache.hadoop.hbase.regionserver.StoreFileReader;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;

/**
 * The delete markers that pulls leave where they take rows away. A user's marker is of its row and
 * goes along. A leftover hides what no user has deleted once the row comes back, so nothing may be
 * written below it ({@code Row#leftover} of {@code testing/relayout-model}).
 *
 * <p>A tag tells one from the other. Clients cannot make it: no tag travels between client and
 * server. One per region instance; thread-safe.
 */
public final class Leftovers {
  /** The way out of leftovers. */
  static final String COMPACT = " A major compaction of the table removes them.";

  /**
   * Above {@link Tag#CUSTOM_TAG_TYPE_RANGE}; others may use the type as well, with other values.
   */
  private static final byte TAG_TYPE = 82;

  private static final Tag TAG = new ArrayBackedTag(TAG_TYPE, Bytes.toBytes("rowguard"));

  private final HRegion region;
  private final boolean anyOrder;

  /**
   * No timestamp of a leftover is above it; {@link Long#MIN_VALUE}: there is none. Null at first.
   */
  private volatile Long upTo;

  /**
   * Finds the leftovers of a region.
   *
   * @param anyOrder whether edits arrive from other clusters in any order
   */
  public Leftovers(HRegion region, boolean anyOrder) {
    this.region = region;
    this.anyOrder = anyOrder;
  }

  /** The marker that a pull leaves in a family. */
  static Cell marker(byte[] row, byte[] family, long timestamp) {
    return new KeyValue(
        row,
        family,
        HConstants.EMPTY_BYTE_ARRAY,
        timestamp,
        KeyValue.Type.DeleteFamily,
        HConstants.EMPTY_BYTE_ARRAY,
        Collections.singletonList(TAG));
  }

  /** Whether a cell of a region is one. */
  static boolean isOne(Cell cell) {
    return cell.getType() == Cell.Type.DeleteFamily
        && ((RawCell) cell).getTag(TAG_TYPE).filter(tag -> Tag.matchingValue(tag, TAG)).isPresent();
  }

  /**
   * The code of a filter that leaves the newest of each row and family: markers of families come
   * first.
   */
  static ReturnCode newest(Cell cell) {
    if (cell.getQualifierLength() > 0) {
      return ReturnCode.NEXT_ROW;
    }
    return isOne(cell) ? ReturnCode.INCLUDE_AND_SEEK_NEXT_ROW : ReturnCode.SKIP;
  }

  /** Whether files of a region have markers of families now, which may be such. */
  static boolean areInFiles(HRegion region) {
    return newestFile(region) > Long.MIN_VALUE;
  }

  /** Whether the region can have any. None can come while its layouts are the same. */
  boolean mayBeThere() {
    return upTo() > Long.MIN_VALUE;
  }

  /**
   * Why a mutation whose row is pulled may not be written; null when it may. A delete may, for
   * there is nothing to hide from it; not where edits come in any order, since the put that it
   * hides may come later, and the next pull takes no marker along that lies below a leftover.
   */
  public String inTheWay(Mutation mutation) throws IOException {
    if ((mutation instanceof Delete && !anyOrder) || !mayBeThere()) {
      return null;
    }
    long oldest = oldest(mutation);
    return oldest > upTo() || oldest > newest(mutation.getRow())
        ? null
        : "Delete markers of an earlier relayout would hide what is written." + COMPACT;
  }

  private static long oldest(Mutation mutation) {
    long now = EnvironmentEdgeManager.currentTime();
    // A delete of a whole row has no cells yet, and its own timestamp.
    long oldest = mutation.isEmpty() ? Math.min(now, mutation.getTimestamp()) : Long.MAX_VALUE;
    for (List<Cell> cells : mutation.getFamilyCellMap().values()) {
      for (Cell cell : cells) {
        boolean isOfTheClock = cell.getTimestamp() == HConstants.LATEST_TIMESTAMP;
        oldest = Math.min(oldest, isOfTheClock ? now : cell.getTimestamp());
      }
    }
    return oldest;
  }

  private long newest(byte[] row) throws IOException {
    Scan scan = new Scan().withStartRow(row).withStopRow(row, true).setRaw(true).readAllVersions();
    scan.setFilter(new Newest());
    long newest = Long.MIN_VALUE;
    try (RegionScanner scanner = region.getScanner(scan)) {
      List<Cell> cells = new ArrayList<>();
      boolean more = true;
      while (more) {
        more = scanner.next(cells);
        for (Cell cell : cells) {
          newest = Math.max(newest, cell.getTimestamp());
        }
        cells.clear();
      }
    }
    return newest;
  }

  /**
   * They are in files: pulls have left them before the region last opened. Mostly no file has
   * markers of families, or none that is as young as what is written, and the files say so.
   */
  private long upTo() {
    Long known = upTo;
    if (known == null) {
      known = newestFile(region);
      upTo = known;
    }
    return known;
  }

  /** The newest timestamp of the files with such markers. */
  private static long newestFile(HRegion region) {
    long newest = Long.MIN_VALUE;
    for (Store store : region.getStores()) {
      for (StoreFile file : store.getStorefiles()) {
        StoreFileReader reader = ((HStoreFile) file).getReader();
        if (reader == null || reader.getDeleteFamilyCnt() != 0) {
          newest = Math.max(newest, file.getMaximumTimestamp().orElse(Long.MAX_VALUE));
        }
      }
    }
    return newest;
  }

  /** Used in the region itself; it does not travel. */
  private static final class Newest extends FilterBase {
    @Override
    public ReturnCode filterCell(Cell cell) {
      return newest(cell);
    }
  }
}
