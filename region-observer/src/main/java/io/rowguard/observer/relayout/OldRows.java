package io.rowguard.observer.relayout;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.RawCell;
import org.apache.hadoop.hbase.Tag;
import org.apache.hadoop.hbase.TagType;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.io.TimeRange;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;

/** Reads single rows of a region, old or new ones, past all coprocessors. Thread-safe. */
final class OldRows {
  /** Limit of cells of a row in memory at a time, next to what has been made of them. */
  private static final int CELLS_AT_ONCE = 1_000;

  private final HRegion region;
  private final boolean anyOrder;

  /**
   * The rows of a region.
   *
   * @param anyOrder whether edits arrive from other clusters in any order: then delete markers
   *     alone are a row, since the put that they hide may come later
   */
  OldRows(HRegion region, boolean anyOrder) {
    this.region = region;
    this.anyOrder = anyOrder;
  }

  /**
   * Whether nothing of a row is to be moved: a reader finds nothing there, and where edits come in
   * any order, nothing but {@link Leftovers} and what they hide is stored. One question to bloom
   * filters where that is so.
   */
  boolean isEmpty(byte[] row) throws IOException {
    if (anyOrder) {
      byte[] bytes = content(row, 0);
      return bytes != null && bytes.length == 0;
    }
    Scan scan = scanOf(row).setFilter(new FirstKeyOnlyFilter());
    List<Cell> cells = new ArrayList<>();
    try (RegionScanner scanner = region.getScanner(scan)) {
      boolean more = true;
      while (more && cells.isEmpty()) {
        more = scanner.next(cells);
      }
    }
    return cells.isEmpty();
  }

  /** The cells that a reader of all versions finds in a row, in the order of HBase. */
  List<Cell> visible(byte[] row) throws IOException {
    return CellCodec.read(
        read(scanOf(row).readAllVersions(), Integer.MAX_VALUE, cell -> true), row);
  }

  /**
   * Everything that is stored of a row, all versions and delete markers, as {@link CellCodec} has
   * it; null when that is more than a number of bytes. Without what a time to live has ended.
   */
  byte[] read(byte[] row, int most) throws IOException {
    return read(row, most, cell -> true);
  }

  /**
   * The same without {@link Leftovers} and what they hide, which is not of the row. Empty where the
   * row {@link #isEmpty}, so that a row costs one look, not two, unless users have deleted of it.
   */
  byte[] content(byte[] row, int most) throws IOException {
    RowContent content = new RowContent();
    byte[] bytes = read(row, most, content);
    if (anyOrder || (bytes != null && content.hasPut() && !content.hasMarker())) {
      return bytes;
    }
    boolean isNothing = bytes != null && !content.hasPut();
    return isNothing || isEmpty(row) ? new byte[0] : bytes;
  }

  private byte[] read(byte[] row, int most, Predicate<Cell> which) throws IOException {
    long now = EnvironmentEdgeManager.currentTime();
    Scan scan = scanOf(row).setRaw(true).readAllVersions();
    leaveOutEnded(region.getTableDescriptor(), scan, now);
    return read(scan, most, cell -> !isEnded(cell, now) && which.test(cell));
  }

  /**
   * The cells are written while the scanner is open: then HBase may reuse the memory they are in.
   */
  private byte[] read(Scan scan, int most, Predicate<Cell> which) throws IOException {
    scan.setBatch(CELLS_AT_ONCE);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (RegionScanner scanner = region.getScanner(scan);
        DataOutputStream out = new DataOutputStream(bytes)) {
      List<Cell> cells = new ArrayList<>();
      boolean more = true;
      while (more) {
        more = scanner.next(cells);
        for (Cell cell : cells) {
          if (!which.test(cell)) {
            continue;
          }
          CellCodec.write(cell, out);
          if (bytes.size() > most) {
            return null;
          }
        }
        cells.clear();
      }
    }
    return bytes.toByteArray();
  }

  /** A raw scan gives what its family's time to live has ended, all others do not. */
  static void leaveOutEnded(TableDescriptor table, Scan scan, long now) {
    for (ColumnFamilyDescriptor family : table.getColumnFamilies()) {
      int seconds = family.getTimeToLive();
      boolean ends = seconds >= 0 && seconds != HConstants.FOREVER;
      if (ends && family.getMinVersions() == 0) {
        long oldest = now - TimeUnit.SECONDS.toMillis(seconds);
        scan.setColumnFamilyTimeRange(
            family.getName(), Math.max(0, oldest), TimeRange.allTime().getMax());
      }
    }
  }

  /** From 2.5.14, 2.6.5 and 3.0 on a raw scan gives what its own time to live has ended, too. */
  static boolean isEnded(Cell cell, long now) {
    Optional<Tag> timeToLive = ((RawCell) cell).getTag(TagType.TTL_TAG_TYPE);
    return timeToLive.isPresent()
        && cell.getTimestamp() + Tag.getValueAsLong(timeToLive.get()) < now;
  }

  private static Scan scanOf(byte[] row) {
    return new Scan().withStartRow(row).withStopRow(row, true);
  }
}
